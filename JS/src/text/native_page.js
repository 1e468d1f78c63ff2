// The native side of a page (page/page.js): the signals of the document's frames (P8, P10), and the functions by which a
// page reaches its native side. Only with the text transport, where a script may bring its own side of the protocol.
import { dialect } from "../bridge/dialect.js";
import { nativeSide } from "../bridge/native_side.js";
import { own, read, textOf } from "../bridge/objects.js";
import { disableName, noteUse, reservedPrefix } from "../bridge/state.js";
import { log } from "../engine/console.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayIsArray, Error, JSONParse, JSONStringify, ObjectDefineProperty, ReflectApply, ReflectDeleteProperty, String,
    StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase, global,
} from "../engine/primordials.js";
import { reportError, uncaught } from "../engine/uncaught.js";
import { makePage } from "../page/page.js";

/** @type {any} */
const signal = dialect.signal;
const { decodeURIComponent } = /** @type {any} */ (global);
const publish = (/** @type {string} */ name, /** @type {unknown} */ value) => ObjectDefineProperty(global, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
});

// ---------------------------------------------------------------- frames

// Handles the URL of a frame if it is a signal of the bridge; other URLs have no effect.
function load(/** @type {string} */ url) {
    if (signal.kind !== "frame") return;
    const text = StringPrototypeToLowerCase(url);
    for (let index = 0; index < signal.schemes.length; index++) {
        const start = signal.schemes[index] + "://";
        if (StringPrototypeStartsWith(text, start)) loadBehind(start.length, url, text);
    }
}

function loadBehind(/** @type {number} */ start, /** @type {string} */ url, /** @type {string} */ text) {
    const rest = StringPrototypeSlice(text, start);
    const returned = "return/_fetchqueue/";
    if (signal.returnsByURL && StringPrototypeStartsWith(rest, returned)) {
        try {
            host.arrive(decodeURIComponent(StringPrototypeSlice(url, start + returned.length)));
        } catch (error) {
            log("warn", dialect.global + ": WARNING: a queue that cannot be decoded came back: " + textOf(error));
        }
        return;
    }
    let end = 0;
    while (end < rest.length && !StringPrototypeIncludes("/?#:", rest[end])) end++;
    const name = StringPrototypeSlice(rest, 0, end);
    if (name === signal.queueHost) host.signal();
    else if (name === signal.loadHost) host.bridgeLoaded();
}

/** @type {any} */
export const page = makePage({
    __proto__: null, load, alert: (/** @type {string} */ text) => log("log", text), makesElements: true,
});

// ---------------------------------------------------------------- errors

// Reports an uncaught error to the page, as browsers do; returns true if the page has handled it. An error that the
// page's handler throws is reported, but not to the page again.
let isReporting = false;
function reportToPage(/** @type {any} */ error) {
    const listener = read(global, "onerror");
    if (typeof listener !== "function" || isReporting) return false;
    isReporting = true;
    try {
        const place = (/** @type {string} */ key, /** @type {string} */ type, /** @type {any} */ among) => {
            const value = isObject(error) ? read(error, key) : undefined;
            return typeof value === type ? value : among;
        };
        const values = [
            textOf(error), place("sourceURL", "string", ""), place("line", "number", 0), place("column", "number", 0), error,
        ];
        return ReflectApply(listener, global, values) === true;
    } catch (thrown) {
        reportError(thrown);
        return false;
    } finally {
        isReporting = false;
    }
}
// With the globals of the web, `onerror` is a handler of theirs.
const reportToScripts = uncaught.handle ??= reportToPage;

const { complete } = page;
page.complete = () => {
    complete();
    noteUse();
};

// Reports an error of a page's script; returns true if the page has handled it.
page.fails = (
    /** @type {string} */ name, /** @type {string} */ message, /** @type {any} */ sourceURL, /** @type {any} */ line,
    /** @type {number} */ column,
) => {
    const error = new Error(message);
    const set = (/** @type {string} */ key, /** @type {unknown} */ value) => ObjectDefineProperty(error, key, {
        __proto__: null, value, writable: true, enumerable: false, configurable: true,
    });
    set("name", name);
    set("sourceURL", sourceURL);
    set("line", line);
    set("column", column);
    return reportToScripts(error);
};

// ---------------------------------------------------------------- functions of the native side

// Delivers one message in the spelling of the script's side.
function arriveAlone(/** @type {string} */ text) {
    host.arrive("[" + text + "]");
}

const warn = (/** @type {string} */ text) => log("warn", dialect.global + ": WARNING: " + text);

switch (signal.kind) {
case "scriptMessage":
    publish("webkit", {
        messageHandlers: {
            [signal.queue]: { postMessage() { host.signal(); } },
            [signal.load]: { postMessage() { host.bridgeLoaded(); } },
        },
    });
    break;
case "injectedObject":
    publish(signal.object, { [signal.function](/** @type {string} */ text) { arriveAlone(String(text)); } });
    break;
case "scriptMessageBody":
    publish("webkit", {
        messageHandlers: { [signal.name]: { postMessage(/** @type {(...values: any[]) => any} */ body) { arriveAlone(JSONStringify(body)); } } },
    });
    publish("prompt", (
        /** @type {string} */ title, /** @type {string} */ text,
    ) => title === signal.prompt ? answerNow(String(text)) : null);
    break;
case "call":
    publish(signal.object, { call: callMethod });
    publish("prompt", (/** @type {string} */ title, /** @type {string} */ text) => {
        const asked = String(title);
        if (!StringPrototypeStartsWith(asked, signal.prompt)) return null;
        return callMethod(StringPrototypeSlice(asked, signal.prompt.length), text);
    });
    break;
}

// Makes a blocking call; returns the reply's payload as JSON, or null without one.
function answerNow(/** @type {string} */ text) {
    const answer = host.answer(text);
    if (!isObject(answer)) return null;
    if (own(answer, "failure") !== undefined) warn(own(answer, "failure"));
    const payload = own(answer, "payload");
    return payload === undefined ? null : payload;
}

// ---------------------------------------------------------------- methods

function callMethod(/** @type {string} */ name, /** @type {string} */ text) {
    let argument;
    try { argument = JSONParse(String(text)); } catch { argument = undefined; }
    const method = String(name);
    if (!isObject(argument)) {
        warn("the argument of a call of \"" + method + "\" is not of its form.");
        return nothing;
    }
    if (StringPrototypeStartsWith(method, "_dsb.")) return callOwn(StringPrototypeSlice(method, 5), own(argument, "data"));
    /** @type {BridgeMessage} */
    const message = { __proto__: null, handlerName: method, x: own(argument, "x") };
    const data = own(argument, "data");
    // In this dialect null represents a missing argument.
    if (data !== null) message.data = data;
    const stub = own(argument, "_dscbstub");
    if (stub !== undefined || StringPrototypeStartsWith(method, reservedPrefix)) {
        message.callbackId = stub;
        arriveAlone(JSONStringify(message));
        return "{\"code\":0,\"data\":\"\"}";
    }
    const answer = answerNow(JSONStringify(message));
    return answer === null ? nothing : "{\"code\":0,\"data\":" + answer + "}";
}

const nothing = "{\"code\":-1,\"data\":\"\"}";

function callOwn(/** @type {string} */ method, /** @type {any} */ data) {
    switch (method) {
    case "dsinit":
        host.bridgeLoaded();
        break;
    case "returnValue":
        if (isObject(data)) returnValue(data);
        break;
    case "hasNativeMethod": {
        const name = isObject(data) ? own(data, "name") : undefined;
        const kind = isObject(data) ? own(data, "type") : undefined;
        const has = typeof name === "string" && host.hasNativeHandler(name, typeof kind === "string" ? kind : "all");
        return "{\"code\":0,\"data\":" + (has === true) + "}";
    }
    }
    return "{\"code\":0,\"data\":\"\"}";
}

function returnValue(/** @type {any} */ answer) {
    const id = own(answer, "id");
    // Zero is the id of a call without a reply.
    if (typeof id !== "number" || id <= 0) return;
    if (own(answer, "complete") === false) {
        const data = { __proto__: null, id: String(id), v: own(answer, "data") };
        arriveAlone(JSONStringify({ __proto__: null, handlerName: "_wvjb.progress", data }));
        return;
    }
    const x = own(answer, "x");
    arriveAlone(JSONStringify({ __proto__: null, responseId: String(id), responseData: own(answer, "data"), x }));
}

// ---------------------------------------------------------------- readiness of the page

// Whether a page has used the script's side that it brings: until then it has no handlers.
let isUsed = false, isWatched = false;
const uses = dialect.face === "modules" ? ["on", "call"] : ["registerHandler", "callHandler", "init", "send"];

// Records the first use that is not the script's own, and restores the original function.
function watch(/** @type {any} */ peer) {
    for (let index = 0; index < uses.length; index++) {
        const key = uses[index];
        const original = read(peer, key);
        if (typeof original !== "function") continue;
        try {
            peer[key] = function (/** @type {string} */ name) {
                if (name !== disableName) {
                    isUsed = true;
                    peer[key] = original;
                }
                return ReflectApply(original, this, arguments);
            };
            isWatched = true;
        } catch { /* it is frozen */ }
    }
}

// Watches the script's side of a page from its creation, before the page's next line can use it.
export const awaitPeer = () => {
    ObjectDefineProperty(global, dialect.global, {
        __proto__: null, enumerable: false, configurable: true,
        get: () => undefined,
        set(peer) {
            ObjectDefineProperty(global, dialect.global, {
                __proto__: null, value: peer, writable: true, enumerable: true, configurable: true,
            });
            if (isObject(peer)) watch(peer);
        },
    });
};

// Returns whether calls of this side find the handlers of a page with its own script's side. That is so if the page
// has used it, or has a set-up list. The list runs in a turn before the messages that arrive now, where those have
// turns (P26).
export const isPageReady = () => {
    if (isUsed || !isWatched) return true;
    return signal.kind === "frame" && dialect.list !== null && isObject(read(global, dialect.list));
};

// ---------------------------------------------------------------- to the page

// Returns whether the script's side exists.
export const hasPeer = () => {
    const peer = read(global, dialect.global);
    if (!isObject(peer)) return false;
    return dialect.face !== "methods" || typeof read(global, dialect.entries[0]) === "function";
};

// Delivers a message to the first entry that the script's side has.
export const deliver = (/** @type {string} */ text) => {
    if (dialect.face === "methods") {
        deliverMethod(JSONParse(text));
        return;
    }
    const peer = global[dialect.global];
    for (let index = 0; index < dialect.entries.length; index++) {
        const name = dialect.entries[index];
        if (typeof read(peer, name) !== "function") continue;
        let takesObject = false;
        for (let other = 0; other < dialect.objectEntries.length; other++) {
            if (dialect.objectEntries[other] === name) takesObject = true;
        }
        peer[name](takesObject ? JSONParse(text) : text);
        return;
    }
};

function deliverMethod(/** @type {BridgeMessage} */ message) {
    const data = own(message, "data"), x = own(message, "x");
    const responseId = own(message, "responseId");
    const name = own(message, "handlerName");
    if (responseId !== undefined) answerStub(responseId, own(message, "responseData"), x, true);
    else if (name === "_wvjb.progress" && isObject(data)) answerStub(own(data, "id"), own(data, "v"), { p: true }, false);
    else {
        const isList = ArrayIsArray(data);
        const list = data === undefined ? "[]" : isList ? JSONStringify(data) : "[" + JSONStringify(data) + "]";
        const id = own(message, "callbackId");
        /** @type {{ __proto__: null, method: any, callbackId: number, data: string, x?: any }} */
        const info = { __proto__: null, method: name, callbackId: id === undefined ? 0 : +id, data: list };
        if (x !== undefined) info.x = x;
        global[dialect.entries[0]](info);
    }
}

// The function is removed after the reply, also if it throws.
function answerStub(
    /** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ x, /** @type {boolean} */ isLast,
) {
    if (typeof name !== "string" || !StringPrototypeStartsWith(name, "dscb")) return;
    const stub = read(global, name);
    if (typeof stub !== "function") return;
    if (isLast) ReflectDeleteProperty(global, name);
    try {
        if (x === undefined) stub(data);
        else stub(data, x);
    } catch (error) {
        reportError(error);
    }
}

// ---------------------------------------------------------------- from the package's own script

nativeSide.post = arriveAlone;
nativeSide.load = load;
nativeSide.prompt = answerNow;
nativeSide.callMethod = callMethod;
