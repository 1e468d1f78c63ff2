// The native side of a page, for the text transport.
import { publishToHost } from "../engine/publish.js";
import { awaitPeer, deliver, hasPeer, isPageReady, page } from "./native_page.js";

publishToHost({ __proto__: null, awaitPeer, deliver, hasPeer, isPageReady, page });
