// The API objects of dialects other than WebViewJavascriptBridge's, over the same calls and handlers.
import { checkDepth, checkLength } from "../bridge/message_limits.js";
import { callWithCallback } from "../bridge/calls.js";
import { dialect, joinName } from "../bridge/dialect.js";
import { hasHandler, markOf, registerHandler } from "../bridge/handlers.js";
import { append, makeList } from "../bridge/list.js";
import { nativeSide } from "../bridge/native_side.js";
import { define, own } from "../bridge/objects.js";
import { receiveText } from "../bridge/receiving.js";
import { reservedPrefix } from "../bridge/state.js";
import { log } from "../engine/console.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayIsArray, JSONParse, JSONStringify, ObjectHasOwn, ReflectApply, String, StringPrototypeStartsWith, global,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

// ---------------------------------------------------------------- modules and events

export function makeModules() {
    return {
        call(
            /** @type {any} */ module, /** @type {string} */ method, /** @type {unknown} */ data,
            /** @type {(...values: any[]) => any} */ callback,
        ) {
            callWithCallback(joinName(module, method), data, callback);
        },
        syncCall(/** @type {any} */ module, /** @type {string} */ method, /** @type {unknown} */ data) {
            const text = nativeSide.prompt(JSONStringify({
                __proto__: null, module: module || "default", method, data,
            }));
            return typeof text === "string" && text !== "" ? JSONParse(text) : null;
        },
        on(/** @type {string} */ name, /** @type {(...values: any[]) => any} */ callback) {
            let observers = markOf(name);
            if (observers === undefined) {
                observers = { list: makeList() };
                registerHandler(name, (/** @type {unknown} */ data) => { notifyObservers(observers.list, data); }, true, observers);
            }
            append(observers.list, callback);
        },
        // Without a callback all observers are removed, as in this dialect.
        off(/** @type {string} */ name, /** @type {(...values: any[]) => any} */ callback) {
            const observers = markOf(name);
            if (observers === undefined) return;
            const rest = makeList();
            if (callback !== undefined) {
                for (let node = observers.list.first; node !== null; node = node.next) {
                    if (node.value !== callback) append(rest, node.value);
                }
            }
            observers.list = rest;
        },
    };
}

// Calls each observer separately, so that an error in one does not affect the others.
function notifyObservers(/** @type {List} */ list, /** @type {unknown} */ data) {
    for (let node = list.first; node !== null; node = node.next) {
        const { value } = node;
        try { value(data); } catch (error) { reportError(error); }
    }
}

// ---------------------------------------------------------------- methods

// The reply to a call of this side is delivered through a global function, which is removed after the reply.
let lastStub = 0;

export function sendMethod(/** @type {any} */ message, /** @type {boolean | undefined} */ isCopied) {
    if (message.responseId !== undefined) {
        returnValue(message.responseId, message.responseData, true, message.x, isCopied);
        return;
    }
    /** @type {{ __proto__: null, data: any, x: any, _dscbstub?: string }} */
    const argument = { __proto__: null, data: message.data === undefined ? null : message.data, x: message.x };
    const id = message.callbackId;
    let stub;
    if (id !== undefined) {
        argument._dscbstub = stub = "dscb" + lastStub++;
    }
    const text = written(argument, message.handlerName, isCopied, 1);
    if (stub !== undefined) define(global, stub, (
        /** @type {unknown} */ data, /** @type {any} */ x,
    ) => { receiveAnswer(id, data, x); }, false);
    nativeSide.callMethod(message.handlerName, text);
}

function receiveAnswer(/** @type {any} */ id, /** @type {unknown} */ data, /** @type {any} */ x) {
    if (isObject(x) && own(x, "p") === true) {
        receiveText({ __proto__: null, handlerName: "_wvjb.progress", data: { __proto__: null, id, v: data }, x });
        return;
    }
    /** @type {BridgeMessage} */
    const response = { __proto__: null, responseId: id, responseData: data };
    if (isObject(x)) response.x = x;
    receiveText(response);
}

function returnValue(
    /** @type {any} */ id, /** @type {unknown} */ data, /** @type {any} */ complete, /** @type {any} */ x,
    /** @type {boolean | undefined} */ isCopied,
) {
    const answer = { __proto__: null, data: { __proto__: null, id: +id, complete, data, x } };
    nativeSide.callMethod("_dsb.returnValue", written(answer, undefined, isCopied, 2));
}

function written(
    /** @type {BridgeMessage} */ message, /** @type {string | undefined} */ name,
    /** @type {boolean | undefined} */ isCopied, /** @type {any} */ around,
) {
    const text = JSONStringify(message);
    checkLength(text, name);
    if (!isCopied) checkDepth(text, around);
    return text;
}

// The arguments of a call of a registered method, which is recognized by its mark. Such methods get separate
// arguments, and may reply more than once.
class Arguments {
    #list;
    #id;
    constructor(/** @type {any[]} */ list, /** @type {any} */ id) {
        this.#list = list;
        this.#id = id;
    }
    // A value of any other origin is the only argument.
    /** @returns {any[]} */
    static list(/** @type {any} */ data) {
        if (isObject(data) && #list in data) return data.#list;
        return data === undefined ? [] : ArrayIsArray(data) ? data : [data];
    }
    static id(/** @type {any} */ data) { return isObject(data) && #id in data ? data.#id : undefined; }
}

export function receiveMethod(/** @type {any} */ info) {
    const name = isObject(info) ? own(info, "method") : undefined;
    let list = isObject(info) ? own(info, "data") : undefined;
    try {
        if (typeof list === "string") list = JSONParse(list);
    } catch { list = undefined; }
    // Read at dispatch: the name may belong to another handler by then (P34).
    /** @type {BridgeMessage} */
    const message = { __proto__: null, get data() { return dataOf(name, list, message.callbackId); } };
    if (typeof name === "string") message.handlerName = name;
    const id = isObject(info) ? own(info, "callbackId") : undefined;
    if (typeof id === "number" && id > 0) message.callbackId = String(id);
    if (isObject(info)) {
        const x = own(info, "x");
        if (x !== undefined) message.x = x;
    }
    receiveText(message);
}

// One argument is the data, several become an array.
function dataOf(/** @type {string} */ name, /** @type {any[]} */ list, /** @type {any} */ id) {
    if (!ArrayIsArray(list)) return undefined;
    if (markOf(name) !== undefined) return new Arguments(list, id);
    if (list.length === 1 || typeof name === "string" && StringPrototypeStartsWith(name, reservedPrefix)) return list[0];
    return list.length > 1 ? list : undefined;
}

function registerMethod(
    /** @type {any} */ name, /** @type {any} */ method, /** @type {any} */ owner, /** @type {any} */ isAsynchronous,
) {
    registerHandler(name, (/** @type {any} */ data, /** @type {any} */ reply) => {
        const list = Arguments.list(data);
        const id = Arguments.id(data);
        if (!isAsynchronous) {
            reply(ReflectApply(method, owner, list));
            return;
        }
        /** @type {any} */
        const values = [];
        for (let index = 0; index < list.length; index++) define(values, index, list[index], true);
        define(values, list.length, (/** @type {unknown} */ value, /** @type {any} */ complete) => {
            if (complete !== false) reply(value);
            else if (id !== undefined) returnValue(id, value, false, undefined, false);
        }, true);
        ReflectApply(method, owner, values);
    }, true, true);
}

function register(/** @type {string} */ name, /** @type {any} */ method, /** @type {boolean} */ isAsynchronous) {
    if (typeof method === "function") {
        registerMethod(name, method, undefined, isAsynchronous);
        return;
    }
    for (const key in method) {
        if (ObjectHasOwn(method, key) && typeof method[key] === "function") {
            registerMethod(name + "." + key, method[key], method, isAsynchronous);
        }
    }
}

export function makeMethods() {
    const members = {
        call(
            /** @type {string} */ name, /** @type {any} */ argument,
            /** @type {(...values: any[]) => any} */ callback,
        ) {
            if (typeof argument === "function") {
                callback = argument;
                argument = {};
            }
            const data = argument === undefined ? null : argument;
            if (typeof callback === "function") {
                callWithCallback(name, data, callback);
                return undefined;
            }
            const text = nativeSide.callMethod(name, JSONStringify({ __proto__: null, data }));
            let answer;
            try { answer = JSONParse(text || "{}"); } catch { answer = {}; }
            if (!isObject(answer)) return undefined;
            if (own(answer, "code") === -1) {
                log("warn", dialect.global + ": the native side has no synchronous method \"" + name + "\".");
            }
            return own(answer, "data");
        },
        register(/** @type {string} */ name, /** @type {string} */ method) { register(name, method, false); },
        registerAsyn(/** @type {string} */ name, /** @type {string} */ method) { register(name, method, true); },
        hasNativeMethod(/** @type {string} */ name, /** @type {string} */ type) {
            return members.call("_dsb.hasNativeMethod", { name, type: type || "all" });
        },
        disableJavascriptDialogBlock(/** @type {any} */ disable) {
            members.call("_dsb.disableJavascriptDialogBlock", { disable: disable !== false });
        },
    };
    registerHandler("_hasJavascriptMethod", (
        /** @type {string} */ name, /** @type {any} */ reply,
    ) => { reply(hasHandler(String(name))); }, true);
    return members;
}
