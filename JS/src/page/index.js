// A page without a browser, for the text transport and the conformance check.
import { publishToHost } from "../engine/publish.js";
import { makePage } from "./page.js";

publishToHost({ __proto__: null, makePage });
