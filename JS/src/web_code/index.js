// The behavior of the globals of the web, which the first use of any of them loads. Each part is made at its own first use.
import { makers } from "../web/parts.js";
import { loadBase64 } from "./base64.js";
import { loadErrors } from "./errors.js";
import { loadExceptions } from "./exceptions.js";
import { loadMessages } from "./messages.js";
import { loadObservers } from "./observers.js";
import { loadPerformance } from "./performance.js";
import { loadRandom } from "./random.js";
import { loadSearchParams } from "./search_params.js";
import { loadURLs } from "./urls.js";

makers.base64 = loadBase64;
makers.errors = loadErrors;
makers.exceptions = loadExceptions;
makers.messages = loadMessages;
makers.observers = loadObservers;
makers.performance = loadPerformance;
makers.random = loadRandom;
makers.searchParams = loadSearchParams;
makers.url = loadURLs;
