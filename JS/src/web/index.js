// The globals of the set `web`, beside those of every context.
import "./exceptions.js";
import { rejectionHandled, reportRejection } from "./errors.js";
import "./globals.js";
import "./messages.js";
import "./performance.js";
import "./random.js";
import "./urls.js";
import "./event_target.js";
import { publishToHost } from "../engine/publish.js";

publishToHost({ __proto__: null, reportRejection, rejectionHandled });
