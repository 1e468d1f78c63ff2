// As much of a page as the scripts of the dialects ask for: `window`, a document whose frames carry signals (P8, P10) and
// that has listeners, and the functions by which a page reaches its native side. Only with the text transport, where a
// script may bring its own side of the protocol.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    if (internal.mode !== "text") return;
    const {
        ArrayIsArray, JSONParse, JSONStringify, ObjectDefineProperty, ReflectApply, ReflectDeleteProperty, SafeMap, String,
        StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase,
    } = internal.primordials;
    const { bridge, log, reportError } = internal;
    const { dialect, isObject, own, read, textOf } = bridge;
    const { signal } = dialect;
    const global = globalThis;
    const { decodeURIComponent, DOMException, EventTarget, Event } = /** @type {any} */ (global);
    const publish = (name, value) => ObjectDefineProperty(global, name, {
        __proto__: null, value, writable: true, enumerable: false, configurable: true,
    });

    // ---------------------------------------------------------------- frames

    // What a URL of a frame means to the bridge; any other is nobody's here.
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
                internal.arrive(decodeURIComponent(StringPrototypeSlice(url, start + returned.length)));
            } catch (error) {
                log("warn", dialect.global + ": WARNING: a queue that cannot be decoded came back: " + textOf(error));
            }
            return;
        }
        let end = 0;
        while (end < rest.length && !StringPrototypeIncludes("/?#:", rest[end])) end++;
        const host = StringPrototypeSlice(rest, 0, end);
        if (host === signal.queueHost) internal.signal();
        else if (host === signal.loadHost) internal.bridgeLoaded();
    }

    // A frame loads when it is put into the document, and again whenever its address is set there.
    class Element extends EventTarget {
        #parent = null;
        #first = null;
        #next = null;
        #attributes = new SafeMap();
        innerHTML = "";
        style = {};

        constructor(tagName) {
            super();
            this.tagName = tagName;
        }
        get src() { return this.getAttribute("src") ?? ""; }
        set src(url) { this.setAttribute("src", url); }
        get id() { return this.getAttribute("id") ?? ""; }
        set id(name) { this.setAttribute("id", name); }
        get className() { return this.getAttribute("class") ?? ""; }
        set className(names) { this.setAttribute("class", names); }
        getAttribute(name) { return this.#attributes.get(StringPrototypeToLowerCase(String(name))) ?? null; }
        hasAttribute(name) { return this.getAttribute(name) !== null; }
        removeAttribute(name) { this.#attributes.delete(StringPrototypeToLowerCase(String(name))); }
        setAttribute(name, value) {
            const key = StringPrototypeToLowerCase(String(name));
            const text = String(value);
            this.#attributes.set(key, text);
            if (key === "src" && this.#parent !== null) load(text);
        }
        get parentNode() { return this.#parent; }
        get children() {
            const list = [];
            for (let child = this.#first; child !== null; child = child.#next) add(list, child);
            return list;
        }
        appendChild(child) { return this.insertBefore(child, null); }
        insertBefore(child, next) {
            if (!(#parent in Object(child))) return child;
            for (let outer = this; outer !== null; outer = outer.#parent) {
                if (outer === child) throw new DOMException("An element cannot stand in itself.", "HierarchyRequestError");
            }
            child.remove();
            let previous = null;
            let following = this.#first;
            while (following !== null && following !== next) {
                previous = following;
                following = following.#next;
            }
            child.#next = following;
            if (previous === null) this.#first = child;
            else previous.#next = child;
            child.#parent = this;
            const url = child.#attributes.get("src");
            if (url !== undefined) load(url);
            return child;
        }
        removeChild(child) {
            if (#parent in Object(child) && child.#parent === this) child.remove();
            return child;
        }
        remove() {
            const parent = this.#parent;
            if (parent === null) return;
            if (parent.#first === this) parent.#first = this.#next;
            else {
                let previous = parent.#first;
                while (previous.#next !== this) previous = previous.#next;
                previous.#next = this.#next;
            }
            this.#parent = null;
            this.#next = null;
        }
        click() {
            const event = new Event("click", { __proto__: null, cancelable: true });
            if (typeof this.onclick === "function") this.onclick(event);
            this.dispatchEvent(event);
        }
        static find(element, id) {
            if (element.#attributes.get("id") === id) return element;
            for (let child = element.#first; child !== null; child = child.#next) {
                const found = Element.find(child, id);
                if (found !== null) return found;
            }
            return null;
        }
    }

    const add = (list, value) => ObjectDefineProperty(list, list.length, {
        __proto__: null, value, writable: true, enumerable: true, configurable: true,
    });

    class Document extends EventTarget {
        documentElement = new Element("HTML");
        body = this.documentElement.appendChild(new Element("BODY"));
        createElement(tagName) { return new Element(StringPrototypeToLowerCase(String(tagName))); }
        createEvent() { return new Event(""); }
        // Nobody reads a page's markup: what it would bring is made when a script asks for it.
        getElementById(id) {
            const name = String(id);
            const found = Element.find(this.documentElement, name);
            if (found !== null) return found;
            const made = this.createElement("div");
            made.id = name;
            return this.body.appendChild(made);
        }
    }

    publish("window", global);
    publish("document", new Document());

    // ---------------------------------------------------------------- errors

    // An error that nobody catches, as browsers tell a page of it; true is the page's word that it has dealt with it. What it
    // throws itself is reported and not told again.
    let isTelling = false;
    internal.tellPage = function tellPage(error) {
        const listener = read(global, "onerror");
        if (typeof listener !== "function" || isTelling) return false;
        isTelling = true;
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
            isTelling = false;
        }
    };

    // ---------------------------------------------------------------- functions of the native side

    // One message, as the script's side spells it.
    function arriveAlone(text) {
        internal.arrive("[" + text + "]");
    }

    const warn = (text) => log("warn", dialect.global + ": WARNING: " + text);

    switch (signal.kind) {
    case "scriptMessage":
        publish("webkit", {
            messageHandlers: {
                [signal.queue]: { postMessage() { internal.signal(); } },
                [signal.load]: { postMessage() { internal.bridgeLoaded(); } },
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
        publish("prompt", (title, text) => title === signal.prompt ? answerNow(String(text)) : null);
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

    // A call that waits for its answer: the answer's payload as JSON, or null where there is none.
    function answerNow(text) {
        const answer = internal.answer(text);
        if (!isObject(answer)) return null;
        if (own(answer, "failure") !== undefined) warn(own(answer, "failure"));
        const payload = own(answer, "payload");
        return payload === undefined ? null : payload;
    }

    // ---------------------------------------------------------------- methods

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
        // What this dialect has for no argument is null.
        if (data !== null) message.data = data;
        const stub = own(argument, "_dscbstub");
        if (stub !== undefined || StringPrototypeStartsWith(method, bridge.reservedPrefix)) {
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
            internal.bridgeLoaded();
            break;
        case "returnValue":
            if (isObject(data)) returnValue(data);
            break;
        case "hasNativeMethod": {
            const name = isObject(data) ? own(data, "name") : undefined;
            const kind = isObject(data) ? own(data, "type") : undefined;
            const has = typeof name === "string" && internal.hasNativeHandler(name, typeof kind === "string" ? kind : "all");
            return "{\"code\":0,\"data\":" + (has === true) + "}";
        }
        }
        return "{\"code\":0,\"data\":\"\"}";
    }

    function returnValue(answer) {
        const id = own(answer, "id");
        // Zero is the id of a call that wants no answer.
        if (typeof id !== "number" || id <= 0) return;
        if (own(answer, "complete") === false) {
            const data = { __proto__: null, id: String(id), v: own(answer, "data") };
            arriveAlone(JSONStringify({ __proto__: null, handlerName: "_wvjb.progress", data }));
            return;
        }
        const x = own(answer, "x");
        arriveAlone(JSONStringify({ __proto__: null, responseId: String(id), responseData: own(answer, "data"), x }));
    }

    // ---------------------------------------------------------------- to the page

    // Whether the script's side is there.
    internal.hasPeer = () => {
        const peer = read(global, dialect.global);
        if (!isObject(peer)) return false;
        return dialect.face !== "methods" || typeof read(global, dialect.entries[0]) === "function";
    };

    // Gives a message to the first entry that the script's side has.
    internal.deliver = (text) => {
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

    // The function is gone after the answer, also if it throws.
    function answerStub(name, data, x, isLast) {
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

    // ---------------------------------------------------------------- from our own script

    internal.post = arriveAlone;
    internal.load = load;
    internal.prompt = answerNow;
    internal.callMethod = callMethod;
})
