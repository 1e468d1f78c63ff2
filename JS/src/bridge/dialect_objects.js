// What other dialects add to the API object of WebViewJavascriptBridge. The objects that replace it are in dialect_code.
import { callWithCallback } from "./calls.js";
import { dialect, takeEarly } from "./dialect.js";
import { registerHandler } from "./handlers.js";
import { read } from "./objects.js";
import { endSetUp, receiveText } from "./receiving.js";
import { state } from "./state.js";
import { isObject } from "../engine/objects.js";
import { Error, global } from "../engine/primordials.js";
import { useBundle } from "../engine/late_bundles.js";
import { reportError } from "../engine/uncaught.js";

const { Event } = /** @type {any} */ (global);

// ---------------------------------------------------------------- init, send, and the event

let isInitialized = false;

export function addDefaultHandler(/** @type {any} */ members) {
    members.init = function init(/** @type {(...values: any[]) => any} */ handler) {
        if (isInitialized) throw new Error(dialect.global + ".init called twice");
        registerHandler("", typeof handler === "function" ? handler : () => {}, true);
        isInitialized = true;
        takeEarly(receiveText);
        if (dialect.waitsForInit) endSetUp();
    };
    members.send = function send(/** @type {unknown} */ data, /** @type {any} */ responseCallback) {
        callWithCallback("", data, responseCallback);
    };
}

export function dispatchReady(/** @type {any} */ face) {
    const document = read(global, "document");
    if (!isObject(document) || typeof read(document, "dispatchEvent") !== "function") return;
    try {
        let event;
        if (typeof read(document, "createEvent") === "function") {
            event = document.createEvent("Events");
            event.initEvent(dialect.readyEvent, false, false);
        } else {
            event = new Event(dialect.readyEvent);
        }
        event.bridge = face;
        document.dispatchEvent(event);
    } catch (error) {
        reportError(error);
    }
}

// ---------------------------------------------------------------- other API objects

const useDialect = () => useBundle("dialect_code");
export const makeModules = () => useDialect().makeModules();
export const makeMethods = () => useDialect().makeMethods();
export const receiveMethod = (/** @type {any} */ info) => { useDialect().receiveMethod(info); };
if (dialect.face === "methods") state.post = (message, isCopied) => { useDialect().sendMethod(message, isCopied); };
