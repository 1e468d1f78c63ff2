// Made from JS/src/dialect_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    append, callWithCallback, checkDepth, checkLength, define, dialect, hasHandler, joinName, makeList, markOf,
    nativeSide, own, receiveText, registerHandler, reservedPrefix,
} = bundles.bridge;
const {
    ArrayIsArray, JSONParse, JSONStringify, ObjectHasOwn, ReflectApply, String, StringPrototypeStartsWith, global,
    isObject, loadedBundles, log, reportError,
} = bundles.engine;
// dialect_code/dialect_objects.js
function makeModules() {
    return {
        call(
            module, method, data,
            callback,
        ) {
            callWithCallback(joinName(module, method), data, callback);
        },
        syncCall(module, method, data) {
            const text = nativeSide.prompt(JSONStringify({
                __proto__: null, module: module || "default", method, data,
            }));
            return typeof text === "string" && text !== "" ? JSONParse(text) : null;
        },
        on(name, callback) {
            let observers = markOf(name);
            if (observers === undefined) {
                observers = { list: makeList() };
                registerHandler(name, (data) => { notifyObservers(observers.list, data); }, true, observers);
            }
            append(observers.list, callback);
        },
        off(name, callback) {
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
function notifyObservers(list, data) {
    for (let node = list.first; node !== null; node = node.next) {
        const { value } = node;
        try { value(data); } catch (error) { reportError(error); }
    }
}
let lastStub = 0;
function sendMethod(message, isCopied) {
    if (message.responseId !== undefined) {
        returnValue(message.responseId, message.responseData, true, message.x, isCopied);
        return;
    }
    const argument = { __proto__: null, data: message.data === undefined ? null : message.data, x: message.x };
    const id = message.callbackId;
    let stub;
    if (id !== undefined) {
        argument._dscbstub = stub = "dscb" + lastStub++;
    }
    const text = written(argument, message.handlerName, isCopied, 1);
    if (stub !== undefined) define(global, stub, (
        data, x,
    ) => { receiveAnswer(id, data, x); }, false);
    nativeSide.callMethod(message.handlerName, text);
}
function receiveAnswer(id, data, x) {
    if (isObject(x) && own(x, "p") === true) {
        receiveText({ __proto__: null, handlerName: "_wvjb.progress", data: { __proto__: null, id, v: data }, x });
        return;
    }
    const response = { __proto__: null, responseId: id, responseData: data };
    if (isObject(x)) response.x = x;
    receiveText(response);
}
function returnValue(
    id, data, complete, x,
    isCopied,
) {
    const answer = { __proto__: null, data: { __proto__: null, id: +id, complete, data, x } };
    nativeSide.callMethod("_dsb.returnValue", written(answer, undefined, isCopied, 2));
}
function written(
    message, name,
    isCopied, around,
) {
    const text = JSONStringify(message);
    checkLength(text, name);
    if (!isCopied) checkDepth(text, around);
    return text;
}
class Arguments {
    #list;
    #id;
    constructor(list, id) {
        this.#list = list;
        this.#id = id;
    }
    static list(data) {
        if (isObject(data) && #list in data) return data.#list;
        return data === undefined ? [] : ArrayIsArray(data) ? data : [data];
    }
    static id(data) { return isObject(data) && #id in data ? data.#id : undefined; }
}
function receiveMethod(info) {
    const name = isObject(info) ? own(info, "method") : undefined;
    let list = isObject(info) ? own(info, "data") : undefined;
    try {
        if (typeof list === "string") list = JSONParse(list);
    } catch { list = undefined; }
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
function dataOf(name, list, id) {
    if (!ArrayIsArray(list)) return undefined;
    if (markOf(name) !== undefined) return new Arguments(list, id);
    if (list.length === 1 || typeof name === "string" && StringPrototypeStartsWith(name, reservedPrefix)) return list[0];
    return list.length > 1 ? list : undefined;
}
function registerMethod(
    name, method, owner, isAsynchronous,
) {
    registerHandler(name, (data, reply) => {
        const list = Arguments.list(data);
        const id = Arguments.id(data);
        if (!isAsynchronous) {
            reply(ReflectApply(method, owner, list));
            return;
        }
        const values = [];
        for (let index = 0; index < list.length; index++) define(values, index, list[index], true);
        define(values, list.length, (value, complete) => {
            if (complete !== false) reply(value);
            else if (id !== undefined) returnValue(id, value, false, undefined, false);
        }, true);
        ReflectApply(method, owner, values);
    }, true, true);
}
function register(name, method, isAsynchronous) {
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
function makeMethods() {
    const members = {
        call(
            name, argument,
            callback,
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
        register(name, method) { register(name, method, false); },
        registerAsyn(name, method) { register(name, method, true); },
        hasNativeMethod(name, type) {
            return members.call("_dsb.hasNativeMethod", { name, type: type || "all" });
        },
        disableJavascriptDialogBlock(disable) {
            members.call("_dsb.disableJavascriptDialogBlock", { disable: disable !== false });
        },
    };
    registerHandler("_hasJavascriptMethod", (
        name, reply,
    ) => { reply(hasHandler(String(name))); }, true);
    return members;
}
// dialect_code/index.js
loadedBundles.dialect_code = { __proto__: null, makeMethods, makeModules, receiveMethod, sendMethod };
})
