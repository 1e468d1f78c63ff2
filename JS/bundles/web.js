// Made from JS/src/web by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    DOMException, Event, EventTarget, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf,
    ObjectKeys, ObjectSetPrototypeOf, ReflectConstruct, SymbolIterator, TypeError, WeakMap, WeakMapPrototypeGet,
    WeakMapPrototypeSet, addReader, global, globalTarget, isObject, native, platform, publishInterface, publishToHost,
    uncaught, useBundle, useEvents,
} = bundles.engine;
// web/parts.js
const parts = { __proto__: null };
const usePart = (name) => parts[name] ?? makePart(name);
function makePart(name) {
    return parts[name] = useBundle("web_code")[name]();
}
// web/exceptions.js
const constants = [
    "INDEX_SIZE_ERR", "DOMSTRING_SIZE_ERR", "HIERARCHY_REQUEST_ERR", "WRONG_DOCUMENT_ERR", "INVALID_CHARACTER_ERR",
    "NO_DATA_ALLOWED_ERR", "NO_MODIFICATION_ALLOWED_ERR", "NOT_FOUND_ERR", "NOT_SUPPORTED_ERR", "INUSE_ATTRIBUTE_ERR",
    "INVALID_STATE_ERR", "SYNTAX_ERR", "INVALID_MODIFICATION_ERR", "NAMESPACE_ERR", "INVALID_ACCESS_ERR",
    "VALIDATION_ERR", "TYPE_MISMATCH_ERR", "SECURITY_ERR", "NETWORK_ERR", "ABORT_ERR", "URL_MISMATCH_ERR",
    "QUOTA_EXCEEDED_ERR", "TIMEOUT_ERR", "INVALID_NODE_TYPE_ERR", "DATA_CLONE_ERR",
];
for (let index = 0; index < constants.length; index++) {
    const constant = { __proto__: null, value: index + 1, enumerable: true };
    ObjectDefineProperty(DOMException, constants[index], constant);
    ObjectDefineProperty(DOMException.prototype, constants[index], constant);
}
function QuotaExceededError(message = "", options = undefined) {
    return usePart("exceptions").makeQuotaError(new.target, message, options);
}
ObjectSetPrototypeOf(QuotaExceededError, DOMException);
publishInterface("QuotaExceededError", QuotaExceededError, {
    __proto__: DOMException.prototype,
    get quota() { return usePart("exceptions").stateOfQuotaError(this).quota; },
    get requested() { return usePart("exceptions").stateOfQuotaError(this).requested; },
});
const fail = (message, name) => {
    throw useEvents().makeException(DOMException, message, name);
};
// web/publishing.js
function publishMembers(members) {
    const names = ObjectKeys(members);
    for (let index = 0; index < names.length; index++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(members, names[index]);
        descriptor.enumerable = false;
        ObjectDefineProperty(global, names[index], descriptor);
    }
}
function publishClass(name, constructor, prototype) {
    publishInterface(name, constructor, prototype);
    platform.first = { value: prototype, next: platform.first };
}
function needGlobal(receiver, name) {
    if (receiver !== undefined && receiver !== null && receiver !== global) {
        throw new TypeError("the receiver of " + name + " is not the global object");
    }
}
function replaceGlobal(receiver, name, value) {
    needGlobal(receiver, name);
    ObjectDefineProperty(global, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}
const refuseConstruction = (name) => {
    throw new TypeError("Illegal constructor: a script cannot make a " + name);
};
// web/errors.js
function ErrorEvent(type, eventInitDict = undefined) {
    usePart("errors").beginErrorEvent(this, new.target, arguments.length, type, eventInitDict);
}
ObjectSetPrototypeOf(ErrorEvent, Event);
publishInterface("ErrorEvent", ErrorEvent, {
    __proto__: Event.prototype,
    get message() { return usePart("errors").stateOfErrorEvent(this).message; },
    get filename() { return usePart("errors").stateOfErrorEvent(this).filename; },
    get lineno() { return usePart("errors").stateOfErrorEvent(this).lineno; },
    get colno() { return usePart("errors").stateOfErrorEvent(this).colno; },
    get error() { return usePart("errors").stateOfErrorEvent(this).error; },
});
function PromiseRejectionEvent(type, eventInitDict) {
    usePart("errors").beginRejectionEvent(this, new.target, arguments.length, type, eventInitDict);
}
ObjectSetPrototypeOf(PromiseRejectionEvent, Event);
publishInterface("PromiseRejectionEvent", PromiseRejectionEvent, {
    __proto__: Event.prototype,
    get promise() { return usePart("errors").stateOfRejectionEvent(this).promise; },
    get reason() { return usePart("errors").stateOfRejectionEvent(this).reason; },
});
publishMembers({
    get onerror() { return usePart("errors").handlerOfGlobal(this, "error"); },
    set onerror(value) { usePart("errors").setHandlerOfGlobal(this, "error", value); },
    get onunhandledrejection() { return usePart("errors").handlerOfGlobal(this, "unhandledrejection"); },
    set onunhandledrejection(value) { usePart("errors").setHandlerOfGlobal(this, "unhandledrejection", value); },
    get onrejectionhandled() { return usePart("errors").handlerOfGlobal(this, "rejectionhandled"); },
    set onrejectionhandled(value) { usePart("errors").setHandlerOfGlobal(this, "rejectionhandled", value); },
    reportError(e) { usePart("errors").reportError(this, arguments.length, e); },
});
globalTarget.isOn = true;
uncaught.handle = (error) => globalTarget.state !== undefined && usePart("errors").fireError(error);
let reported;
function reportRejection(promise, reason) {
    native.watchRejection(promise);
    const isCanceled = globalTarget.state !== undefined && usePart("errors").fireRejection(promise, reason);
    if (!isCanceled) native.reportRejection(promise, reason);
    if (!native.endWatch(promise)) WeakMapPrototypeSet(reported ??= new WeakMap(), promise, { __proto__: null, reason });
}
function rejectionHandled(promise) {
    const entry = reported === undefined ? undefined : WeakMapPrototypeGet(reported, promise);
    if (entry === undefined) return;
    WeakMapPrototypeSet(reported, promise, undefined);
    if (globalTarget.state !== undefined) usePart("errors").fireHandled(promise, (entry).reason);
}
// web/globals.js
function Navigator() { refuseConstruction("Navigator"); }
publishClass("Navigator", Navigator, {
    get userAgent() {
        if ((this) !== navigator) throw new TypeError("this is not the Navigator");
        return "JavaScriptBridge";
    },
});
const navigator = { __proto__: Navigator.prototype };
publishMembers({
    get self() {
        needGlobal(this, "self");
        return global;
    },
    set self(value) { replaceGlobal(this, "self", value); },
    get navigator() {
        needGlobal(this, "navigator");
        return navigator;
    },
    set navigator(value) { replaceGlobal(this, "navigator", value); },
    atob(data) {
        needGlobal(this, "atob");
        return usePart("base64").atob(arguments.length, data);
    },
    btoa(data) {
        needGlobal(this, "btoa");
        return usePart("base64").btoa(arguments.length, data);
    },
});
if (ObjectGetOwnPropertyDescriptor(global, Symbol.toStringTag) === undefined) {
    ObjectDefineProperty(global, Symbol.toStringTag, { __proto__: null, value: "global", configurable: true });
}
// web/messages.js
function MessageEvent(type, eventInitDict = undefined) {
    usePart("messages").beginMessageEvent(this, new.target, arguments.length, type, eventInitDict);
}
ObjectSetPrototypeOf(MessageEvent, Event);
publishInterface("MessageEvent", MessageEvent, {
    __proto__: Event.prototype,
    get data() { return usePart("messages").stateOfMessageEvent(this).data; },
    get origin() { return usePart("messages").stateOfMessageEvent(this).origin; },
    get lastEventId() { return usePart("messages").stateOfMessageEvent(this).lastEventId; },
    get source() { return usePart("messages").stateOfMessageEvent(this).source; },
    get ports() { return usePart("messages").stateOfMessageEvent(this).ports; },
    initMessageEvent(
        type, bubbles = false, cancelable = false, data = null, origin = "", lastEventId = "",
        source = null, ports = undefined,
    ) {
        usePart("messages").initMessageEvent(
            this, arguments.length, type, bubbles, cancelable, data, origin, lastEventId, source, ports,
        );
    },
});
function MessagePort() { refuseConstruction("MessagePort"); }
ObjectSetPrototypeOf(MessagePort, EventTarget);
publishInterface("MessagePort", MessagePort, {
    __proto__: EventTarget.prototype,
    postMessage(message, options = undefined) {
        usePart("messages").postMessage(this, arguments.length, message, options);
    },
    start() { usePart("messages").start(this); },
    close() { usePart("messages").close(this); },
    get onclose() { return usePart("messages").handlerOf(this, "close"); },
    set onclose(value) { usePart("messages").setHandler(this, "close", value); },
    get onmessage() { return usePart("messages").handlerOf(this, "message"); },
    set onmessage(value) { usePart("messages").setHandler(this, "message", value); },
    get onmessageerror() { return usePart("messages").handlerOf(this, "messageerror"); },
    set onmessageerror(value) { usePart("messages").setHandler(this, "messageerror", value); },
});
function MessageChannel() { usePart("messages").beginChannel(this, new.target); }
publishClass("MessageChannel", MessageChannel, {
    get port1() { return usePart("messages").stateOfChannel(this).first; },
    get port2() { return usePart("messages").stateOfChannel(this).second; },
});
// web/performance.js
function Performance() { refuseConstruction("Performance"); }
ObjectSetPrototypeOf(Performance, EventTarget);
publishInterface("Performance", Performance, {
    __proto__: EventTarget.prototype,
    now() { return usePart("performance").now(this); },
    get timeOrigin() { return usePart("performance").timeOrigin(this); },
    toJSON() { return usePart("performance").toJSON(this); },
    getEntries() { return usePart("performance").getEntries(this); },
    getEntriesByType(type) {
        return usePart("performance").getEntriesByType(this, arguments.length, type);
    },
    getEntriesByName(name, type = undefined) {
        return usePart("performance").getEntriesByName(this, arguments.length, name, type);
    },
    mark(markName, markOptions = undefined) {
        return usePart("performance").mark(this, arguments.length, markName, markOptions);
    },
    clearMarks(markName = undefined) { usePart("performance").clear(this, "mark", markName); },
    measure(measureName, startOrMeasureOptions = undefined, endMark = undefined) {
        return usePart("performance").measure(this, arguments.length, measureName, startOrMeasureOptions, endMark);
    },
    clearMeasures(measureName = undefined) { usePart("performance").clear(this, "measure", measureName); },
});
function PerformanceEntry() { refuseConstruction("PerformanceEntry"); }
publishClass("PerformanceEntry", PerformanceEntry, {
    get name() { return usePart("performance").stateOfEntry(this).name; },
    get entryType() { return usePart("performance").stateOfEntry(this).entryType; },
    get startTime() { return usePart("performance").stateOfEntry(this).startTime; },
    get duration() { return usePart("performance").stateOfEntry(this).duration; },
    toJSON() { return usePart("performance").entryToJSON(this); },
});
function PerformanceMark(markName, markOptions = undefined) {
    usePart("performance").beginMark(this, new.target, arguments.length, markName, markOptions);
}
ObjectSetPrototypeOf(PerformanceMark, PerformanceEntry);
publishInterface("PerformanceMark", PerformanceMark, {
    __proto__: PerformanceEntry.prototype,
    get detail() { return usePart("performance").stateOfDetailed(this, "mark").detail; },
});
function PerformanceMeasure() { refuseConstruction("PerformanceMeasure"); }
ObjectSetPrototypeOf(PerformanceMeasure, PerformanceEntry);
publishInterface("PerformanceMeasure", PerformanceMeasure, {
    __proto__: PerformanceEntry.prototype,
    get detail() { return usePart("performance").stateOfDetailed(this, "measure").detail; },
});
function PerformanceObserver(callback) {
    usePart("observers").beginObserver(this, new.target, arguments.length, callback);
}
publishClass("PerformanceObserver", PerformanceObserver, {
    observe(options = undefined) { usePart("observers").observe(this, options); },
    disconnect() { usePart("observers").disconnect(this); },
    takeRecords() { return usePart("observers").takeRecords(this); },
});
const supported = { get supportedEntryTypes() { return usePart("observers").supportedEntryTypes(); } };
ObjectDefineProperty(PerformanceObserver, "supportedEntryTypes", (
    Object.getOwnPropertyDescriptor(supported, "supportedEntryTypes")
));
function PerformanceObserverEntryList() { refuseConstruction("PerformanceObserverEntryList"); }
publishClass("PerformanceObserverEntryList", PerformanceObserverEntryList, {
    getEntries() { return usePart("observers").entriesOf(this); },
    getEntriesByType(type) {
        return usePart("observers").entriesByType(this, arguments.length, type);
    },
    getEntriesByName(name, type = undefined) {
        return usePart("observers").entriesByName(this, arguments.length, name, type);
    },
});
publishMembers({
    get performance() {
        needGlobal(this, "performance");
        return usePart("performance").object;
    },
    set performance(value) { replaceGlobal(this, "performance", value); },
});
// web/random.js
function Crypto() { refuseConstruction("Crypto"); }
publishClass("Crypto", Crypto, {
    getRandomValues(array) {
        return usePart("random").getRandomValues(this, arguments.length, array);
    },
    randomUUID() { return usePart("random").randomUUID(this); },
});
publishMembers({
    get crypto() {
        needGlobal(this, "crypto");
        return usePart("random").object;
    },
    set crypto(value) { replaceGlobal(this, "crypto", value); },
});
// web/urls.js
const useURL = () => usePart("url");
const useParams = () => usePart("searchParams");
let stateOfURL, stateOfParams;
class URLObject {
    #state;
    static {
        stateOfURL = (value) => isObject(value) && #state in value ? value.#state : undefined;
    }
    constructor(state) { this.#state = state; }
}
class ParamsObject {
    #state;
    static {
        stateOfParams = (value) => isObject(value) && #state in value ? value.#state : undefined;
    }
    constructor(state) { this.#state = state; }
}
const readURL = stateOfURL, readParams = stateOfParams;
const makeURL = (newTarget, state) =>
    newTarget === URL ? new URLObject(state) : ReflectConstruct(URLObject, [state], newTarget);
const makeParams = (newTarget, state) =>
    newTarget === URLSearchParams ? new ParamsObject(state) : ReflectConstruct(ParamsObject, [state], newTarget);
function withMembers(prototype, members) {
    const names = ObjectKeys(members);
    for (let index = 0; index < names.length; index++) {
        const descriptor = (ObjectGetOwnPropertyDescriptor(members, names[index]));
        ObjectDefineProperty(prototype, names[index], descriptor);
    }
    return prototype;
}
function URL(url, base = undefined) {
    return useURL().construct(new.target, arguments.length, url, base);
}
publishClass("URL", URL, withMembers(URLObject.prototype, {
    get href() { return useURL().href(this); },
    set href(value) { useURL().setHref(this, value); },
    get origin() { return useURL().origin(this); },
    get protocol() { return useURL().protocol(this); },
    set protocol(value) { useURL().setProtocol(this, value); },
    get username() { return useURL().username(this); },
    set username(value) { useURL().setUsername(this, value); },
    get password() { return useURL().password(this); },
    set password(value) { useURL().setPassword(this, value); },
    get host() { return useURL().host(this); },
    set host(value) { useURL().setHost(this, value); },
    get hostname() { return useURL().hostname(this); },
    set hostname(value) { useURL().setHostname(this, value); },
    get port() { return useURL().port(this); },
    set port(value) { useURL().setPort(this, value); },
    get pathname() { return useURL().pathname(this); },
    set pathname(value) { useURL().setPathname(this, value); },
    get search() { return useURL().search(this); },
    set search(value) { useURL().setSearch(this, value); },
    get searchParams() { return useURL().searchParams(this); },
    get hash() { return useURL().hash(this); },
    set hash(value) { useURL().setHash(this, value); },
    toString() { return useURL().href(this); },
    toJSON() { return useURL().href(this); },
}));
const statics = {
    parse(url, base = undefined) { return useURL().parse(arguments.length, url, base); },
    canParse(url, base = undefined) { return useURL().canParse(arguments.length, url, base); },
};
const { parse, canParse } = statics;
ObjectDefineProperty(URL, "parse", { __proto__: null, value: parse, writable: true, enumerable: true, configurable: true });
ObjectDefineProperty(URL, "canParse", { __proto__: null, value: canParse, writable: true, enumerable: true, configurable: true });
const IteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf(([])[SymbolIterator]()));
function URLSearchParams(init = undefined) { return useParams().construct(new.target, init); }
publishClass("URLSearchParams", URLSearchParams, withMembers(ParamsObject.prototype, {
    get size() { return useParams().size(this); },
    append(name, value) { useParams().append(this, arguments.length, name, value); },
    delete(name, value = undefined) { useParams().remove(this, arguments.length, name, value); },
    get(name) { return useParams().get(this, arguments.length, name); },
    getAll(name) { return useParams().getAll(this, arguments.length, name); },
    has(name, value = undefined) { return useParams().has(this, arguments.length, name, value); },
    set(name, value) { useParams().set(this, arguments.length, name, value); },
    sort() { useParams().sort(this); },
    toString() { return useParams().toString(this); },
    entries() { return useParams().entries(this); },
    forEach(callback, thisArg = undefined) {
        useParams().forEach(this, arguments.length, callback, thisArg);
    },
    keys() { return useParams().keys(this); },
    values() { return useParams().values(this); },
}));
ObjectDefineProperty(URLSearchParams.prototype, SymbolIterator, {
    __proto__: null, value: URLSearchParams.prototype.entries, writable: true, enumerable: false, configurable: true,
});
addReader((value) => {
    if (stateOfURL(value) !== undefined) return { __proto__: null, isMap: false, pairs: useURL().members(value) };
    const params = stateOfParams(value);
    return params === undefined ? undefined : { __proto__: null, isMap: true, pairs: params.pairs };
});
// web/event_target.js
const methods = EventTarget.prototype;
native.setGlobalPrototype(methods);
if (ObjectGetPrototypeOf(global) !== methods) {
    const names = ["addEventListener", "removeEventListener", "dispatchEvent"];
    for (let index = 0; index < names.length; index++) {
        ObjectDefineProperty(global, names[index], (ObjectGetOwnPropertyDescriptor(methods, names[index])));
    }
}
// web/index.js
publishToHost({ __proto__: null, reportRejection, rejectionHandled });
bundles.web = {
    __proto__: null,
    Crypto, ErrorEvent, IteratorPrototype, MessageEvent, MessagePort, Performance, PerformanceMark,
    PerformanceMeasure, PerformanceObserverEntryList, PromiseRejectionEvent, QuotaExceededError, URL, URLSearchParams,
    fail, makeParams, makeURL, needGlobal, readParams, readURL, usePart,
};
})
