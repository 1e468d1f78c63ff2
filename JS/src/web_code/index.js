// The behavior of the globals of the web, which the first use of any of them loads. Each part is made at its own first use.
import { loadedBundles } from "../engine/late_bundles.js";
import { loadBase64 } from "./base64.js";
import { loadErrors } from "./errors.js";
import { loadExceptions } from "./exceptions.js";
import { loadMessages } from "./messages.js";
import { loadObservers } from "./observers.js";
import { loadPerformance } from "./performance.js";
import { loadRandom } from "./random.js";
import { loadSearchParams } from "./search_params.js";
import { loadURLs } from "./urls.js";

// The functions that make the parts.
loadedBundles.web_code = {
    __proto__: null, base64: loadBase64, errors: loadErrors, exceptions: loadExceptions, messages: loadMessages,
    observers: loadObservers, performance: loadPerformance, random: loadRandom, searchParams: loadSearchParams,
    url: loadURLs,
};
