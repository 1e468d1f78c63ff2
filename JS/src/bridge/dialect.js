// The spelling of the protocol on this side. The dialect is data (JavaScriptBridge.docc/Dialects.md), and the later parts use
// messages in the form of WebViewJavascriptBridge. If a dialect has another form, `write` and `read` convert.
import { checkDepth, checkLength } from "./message_limits.js";
import { append, makeList, takeFirst } from "./list.js";
import { nativeSide } from "./native_side.js";
import { own } from "./objects.js";
import { reservedPrefix, state } from "./state.js";
import { isObject } from "../engine/objects.js";
import { JSONStringify, ObjectHasOwn, StringPrototypeSlice, StringPrototypeStartsWith } from "../engine/primordials.js";

function keys() {
    return {
        __proto__: null, handlerName: "handlerName", data: "data", callbackId: "callbackId", responseId: "responseId",
        responseData: "responseData", namespace: null, kind: null, nullIsNoIdentifier: false,
    };
}

// The defaults are those of WebViewJavascriptBridge 6.
/** @type {any} */
export const dialect = {
    __proto__: null, name: "WebViewJavascriptBridge 6", global: "WebViewJavascriptBridge", list: "WVJBCallbacks",
    entries: ["_handleMessageFromObjC", "_handleMessageFromNative"], objectEntries: [], face: "handlers",
    scriptKeys: keys(), nativeKeys: keys(), payloadIsText: false,
    signal: {
        __proto__: null, kind: "frame", schemes: ["https", "wvjbscheme"], queueHost: "__wvjb_queue_message__",
        loadHost: "__bridge_loaded__", returnsByURL: false,
    },
    hasDefaultHandler: false, waitsForInit: false, readyEvent: null,
};
if (isObject(host.dialect)) {
    for (const key in host.dialect) if (ObjectHasOwn(host.dialect, key)) dialect[key] = host.dialect[key];
}

function isPlain(/** @type {any} */ spelled) {
    /** @type {any} */
    const plain = keys();
    for (const key in plain) if (spelled[key] !== plain[key]) return false;
    return true;
}

// ---------------------------------------------------------------- out

export function joinName(/** @type {string} */ namespace, /** @type {string} */ method) {
    return typeof namespace === "string" && namespace !== "" && namespace !== "default" ? namespace + "." + method : method;
}

// Converts a payload for dialects whose payloads are strings: a string stays as it is, other values cross as their
// JSON.
function payload(/** @type {string} */ name, /** @type {unknown} */ data) {
    if (!dialect.payloadIsText || typeof data !== "object" && typeof data !== "number" && typeof data !== "boolean"
        || data === null || StringPrototypeStartsWith(name, reservedPrefix)) return data;
    const text = JSONStringify(data);
    // Inside the message it is an ordinary string, which the depth check of the message skips.
    if (text !== undefined) checkDepth(text, 0);
    return text;
}

function writeName(/** @type {any} */ written, /** @type {any} */ spelled, /** @type {string} */ name) {
    if (spelled.namespace === null) {
        if (name !== "" || !dialect.hasDefaultHandler) written[spelled.handlerName] = name;
        return;
    }
    let dot = name.length - 1;
    while (dot > 0 && name[dot] !== ".") dot--;
    written[spelled.namespace] = dot > 0 ? StringPrototypeSlice(name, 0, dot) : "default";
    written[spelled.handlerName] = dot > 0 ? StringPrototypeSlice(name, dot + 1) : name;
}

function writeSpelling(/** @type {BridgeMessage} */ message) {
    const spelled = dialect.scriptKeys;
    /** @type {any} */
    const written = { __proto__: null };
    const name = message.handlerName === undefined ? "" : message.handlerName;
    if (spelled.kind !== null) {
        written[spelled.kind.key] = message.responseId === undefined ? spelled.kind.request : spelled.kind.response;
    }
    if (message.handlerName !== undefined) writeName(written, spelled, name);
    if (message.responseId === undefined) {
        written[spelled.data] = payload(name, message.data);
        const id = message.callbackId;
        written[spelled.callbackId] = id === undefined && spelled.nullIsNoIdentifier ? null : id;
    } else {
        written[spelled.responseId] = message.responseId;
        written[spelled.responseData] = payload(name, message.responseData);
    }
    if (message.x !== undefined) written.x = message.x;
    return written;
}

// ---------------------------------------------------------------- in

// The messages for the default handler that arrived before it was set.
const earlyMessages = makeList();
let hasDefaultHandler = false;

function copyMember(
    /** @type {any} */ to, /** @type {string} */ key, /** @type {any} */ from, /** @type {string} */ name,
) {
    const value = own(from, name);
    if (value !== undefined) to[key] = value;
}

// Converts a message; returns undefined if it is kept for later.
function readSpelling(/** @type {string} */ message) {
    if (!isObject(message)) return message;
    const spelled = dialect.nativeKeys;
    /** @type {BridgeMessage} */
    const known = { __proto__: null };
    const isResponse = spelled.kind === null
        ? own(message, spelled.responseId) !== undefined
        : own(message, spelled.kind.key) === spelled.kind.response;
    if (isResponse) {
        copyMember(known, "responseId", message, spelled.responseId);
        copyMember(known, "responseData", message, spelled.responseData);
    } else {
        copyMember(known, "handlerName", message, spelled.handlerName);
        copyMember(known, "data", message, spelled.data);
        // If a request cannot be replied to, its key may have another meaning.
        if (spelled.callbackId !== spelled.responseId) copyMember(known, "callbackId", message, spelled.callbackId);
        if (known.handlerName === undefined && dialect.hasDefaultHandler) known.handlerName = "";
        if (spelled.nullIsNoIdentifier && known.callbackId === null) known.callbackId = undefined;
        if (dialect.hasDefaultHandler && known.handlerName === "" && !hasDefaultHandler) {
            append(earlyMessages, message);
            return undefined;
        }
    }
    copyMember(known, "x", message, "x");
    return known;
}

const isOwnSpelling = !isPlain(dialect.scriptKeys) || !isPlain(dialect.nativeKeys) || dialect.payloadIsText
    || dialect.hasDefaultHandler;
export const spellMessage = isOwnSpelling ? writeSpelling : undefined;
export const readMessage = isOwnSpelling ? readSpelling : undefined;
// A payload that was copied has been checked for its depth.
if (dialect.signal.kind === "injectedObject" || dialect.signal.kind === "scriptMessageBody") {
    state.post = (message, isCopied) => {
        const text = JSONStringify(isOwnSpelling ? writeSpelling(message) : message);
        checkLength(text, message.handlerName);
        if (!isCopied) checkDepth(text, 1);
        nativeSide.post(text);
    };
}
// Delivers the messages that were kept for the default handler. Called once.
export const takeEarly = (/** @type {(...values: any[]) => any} */ receive) => {
    hasDefaultHandler = true;
    while (earlyMessages.first !== null) receive(takeFirst(earlyMessages));
};
