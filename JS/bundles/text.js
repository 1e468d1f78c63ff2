// Made from JS/src/text by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    dialect, disableName, nativeSide, noteUse, own, read, reservedPrefix, textOf,
} = bundles.bridge;
const {
    ArrayIsArray, Error, JSONParse, JSONStringify, ObjectDefineProperty, ReflectApply, ReflectDeleteProperty, String,
    StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase, global,
    isObject, log, publishToHost, reportError, uncaught,
} = bundles.engine;
const {
    makePage,
} = bundles.page;
// text/native_page.js
const signal = dialect.signal;
const { decodeURIComponent } = (global);
const publish = (name, value) => ObjectDefineProperty(global, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
});
function load(url) {
    if (signal.kind !== "frame") return;
    const text = StringPrototypeToLowerCase(url);
    for (let index = 0; index < signal.schemes.length; index++) {
        const start = signal.schemes[index] + "://";
        if (StringPrototypeStartsWith(text, start)) loadBehind(start.length, url, text);
    }
}
function loadBehind(start, url, text) {
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
const page = makePage({
    __proto__: null, load, alert: (text) => log("log", text), makesElements: true,
});
let isReporting = false;
function reportToPage(error) {
    const listener = read(global, "onerror");
    if (typeof listener !== "function" || isReporting) return false;
    isReporting = true;
    try {
        const place = (key, type, among) => {
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
const reportToScripts = uncaught.handle ??= reportToPage;
const { complete } = page;
page.complete = () => {
    complete();
    noteUse();
};
page.fails = (
    name, message, sourceURL, line,
    column,
) => {
    const error = new Error(message);
    const set = (key, value) => ObjectDefineProperty(error, key, {
        __proto__: null, value, writable: true, enumerable: false, configurable: true,
    });
    set("name", name);
    set("sourceURL", sourceURL);
    set("line", line);
    set("column", column);
    return reportToScripts(error);
};
function arriveAlone(text) {
    host.arrive("[" + text + "]");
}
const warn = (text) => log("warn", dialect.global + ": WARNING: " + text);
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
    publish(signal.object, { [signal.function](text) { arriveAlone(String(text)); } });
    break;
case "scriptMessageBody":
    publish("webkit", {
        messageHandlers: { [signal.name]: { postMessage(body) { arriveAlone(JSONStringify(body)); } } },
    });
    publish("prompt", (
        title, text,
    ) => title === signal.prompt ? answerNow(String(text)) : null);
    break;
case "call":
    publish(signal.object, { call: callMethod });
    publish("prompt", (title, text) => {
        const asked = String(title);
        if (!StringPrototypeStartsWith(asked, signal.prompt)) return null;
        return callMethod(StringPrototypeSlice(asked, signal.prompt.length), text);
    });
    break;
}
function answerNow(text) {
    const answer = host.answer(text);
    if (!isObject(answer)) return null;
    if (own(answer, "failure") !== undefined) warn(own(answer, "failure"));
    const payload = own(answer, "payload");
    return payload === undefined ? null : payload;
}
function callMethod(name, text) {
    let argument;
    try { argument = JSONParse(String(text)); } catch { argument = undefined; }
    const method = String(name);
    if (!isObject(argument)) {
        warn("the argument of a call of \"" + method + "\" is not of its form.");
        return nothing;
    }
    if (StringPrototypeStartsWith(method, "_dsb.")) return callOwn(StringPrototypeSlice(method, 5), own(argument, "data"));
    const message = { __proto__: null, handlerName: method, x: own(argument, "x") };
    const data = own(argument, "data");
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
function callOwn(method, data) {
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
function returnValue(answer) {
    const id = own(answer, "id");
    if (typeof id !== "number" || id <= 0) return;
    if (own(answer, "complete") === false) {
        const data = { __proto__: null, id: String(id), v: own(answer, "data") };
        arriveAlone(JSONStringify({ __proto__: null, handlerName: "_wvjb.progress", data }));
        return;
    }
    const x = own(answer, "x");
    arriveAlone(JSONStringify({ __proto__: null, responseId: String(id), responseData: own(answer, "data"), x }));
}
let isUsed = false, isWatched = false;
const uses = dialect.face === "modules" ? ["on", "call"] : ["registerHandler", "callHandler", "init", "send"];
function watch(peer) {
    for (let index = 0; index < uses.length; index++) {
        const key = uses[index];
        const original = read(peer, key);
        if (typeof original !== "function") continue;
        try {
            peer[key] = function (name) {
                if (name !== disableName) {
                    isUsed = true;
                    peer[key] = original;
                }
                return ReflectApply(original, this, arguments);
            };
            isWatched = true;
        } catch { }
    }
}
const awaitPeer = () => {
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
const isPageReady = () => {
    if (isUsed || !isWatched) return true;
    return signal.kind === "frame" && dialect.list !== null && isObject(read(global, dialect.list));
};
const hasPeer = () => {
    const peer = read(global, dialect.global);
    if (!isObject(peer)) return false;
    return dialect.face !== "methods" || typeof read(global, dialect.entries[0]) === "function";
};
const deliver = (text) => {
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
function deliverMethod(message) {
    const data = own(message, "data"), x = own(message, "x");
    const responseId = own(message, "responseId");
    const name = own(message, "handlerName");
    if (responseId !== undefined) answerStub(responseId, own(message, "responseData"), x, true);
    else if (name === "_wvjb.progress" && isObject(data)) answerStub(own(data, "id"), own(data, "v"), { p: true }, false);
    else {
        const isList = ArrayIsArray(data);
        const list = data === undefined ? "[]" : isList ? JSONStringify(data) : "[" + JSONStringify(data) + "]";
        const id = own(message, "callbackId");
        const info = { __proto__: null, method: name, callbackId: id === undefined ? 0 : +id, data: list };
        if (x !== undefined) info.x = x;
        global[dialect.entries[0]](info);
    }
}
function answerStub(
    name, data, x, isLast,
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
nativeSide.post = arriveAlone;
nativeSide.load = load;
nativeSide.prompt = answerNow;
nativeSide.callMethod = callMethod;
// text/index.js
publishToHost({ __proto__: null, awaitPeer, deliver, hasPeer, isPageReady, page });
})
