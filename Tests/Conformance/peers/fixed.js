// A small, self-contained script's side of the protocol without the mistakes of WebViewJavascriptBridge. It can be made
// to make mistakes: `window.peerMistakes` names them by the numbers of the assertions that they break, or by words for
// those of dialects. A checker of the protocol must find each. `window.peerDialect` is a dialect's record with all
// names and keys.
(function () {
    "use strict";
    const plain = {
        handlerName: "handlerName", data: "data", callbackId: "callbackId", responseId: "responseId", responseData: "responseData",
    };
    const dialect = window.peerDialect || {
        global: "WebViewJavascriptBridge", list: "WVJBCallbacks", entries: ["_handleMessageFromObjC"],
        scriptKeys: plain, nativeKeys: plain, signal: { kind: "frame", schemes: ["https"], queueHost: "__wvjb_queue_message__" },
    };
    const mistakes = new Set(window.peerMistakes);
    const has = (mistake) => mistakes.has(mistake);
    const out = dialect.scriptKeys;
    const into = dialect.nativeKeys;
    const { signal } = dialect;

    const present = window[dialect.global];
    if (present && !has("P2")) {
        if (!has("P3") && window[dialect.list]) setTimeout(() => runSetUp(present), 0);
        return;
    }
    if (!window.onerror || has("P9")) {
        window.onerror = (message, url, line) => console.log(`${dialect.global}: ERROR:${message}@${url}:${line}`);
    }

    const warn = (text) => console.warn(`${dialect.global}: WARNING: ${text}`);
    // P59: tables that contain only the names that were added.
    const table = () => {
        const entries = has("P59") ? {} : Object.create(null);
        const key = (name) => has("P59") ? name : "$" + name;
        return {
            get: (name) => entries[key(name)],
            set: (name, entry) => { entries[key(name)] = entry; },
            delete: (name) => { delete entries[key(name)]; },
        };
    };
    const handlers = table();
    const waiting = table();
    let outgoing = [];
    let number = has("P20") ? 0 : 1;
    let isTimed = !has("P33");
    // Messages that have arrived and are not handled yet, so that they stay before those that come synchronously.
    const inbox = [];
    let isInitialized = !dialect.hasDefaultHandler;
    let defaultHandler = null;
    const early = [];

    function written(message) {
        const spelled = { ...message };
        if (dialect.payloadIsText) {
            for (const key of [out.data, out.responseData]) {
                if (spelled[key] !== undefined && typeof spelled[key] !== "string") spelled[key] = JSON.stringify(spelled[key]);
            }
        }
        if (has("P65")) return spelled;
        // The message is encoded now, or fails now.
        const text = JSON.stringify(spelled, has("P64") ? (_, value) => Number.isNaN(value) ? 0 : value : undefined);
        return has("P40") ? spelled : text;
    }

    function raise() {
        if (signal.kind === "scriptMessage") window.webkit.messageHandlers[signal.queue].postMessage(null);
        else frame.src = signal.schemes[0] + "://" + signal.queueHost;
    }

    function post(message) {
        const text = written(message);
        if (signal.kind === "injectedObject") {
            window[signal.object][signal.function](text);
            return;
        }
        if (has("P39") && message[out.responseId] !== undefined) outgoing.unshift(text);
        else outgoing.push(text);
        raise();
    }

    function call(name, data, callback) {
        const message = {};
        if (name !== undefined) message[out.handlerName] = name;
        if (data !== undefined) message[out.data] = data;
        const isCallback = typeof callback === "function";
        if (callback && !isCallback && !has("P51")) warn("the callback is no function");
        if (isCallback || (callback && has("P51"))) {
            const id = `cb_${number}_${has("P20") ? "" : Date.now()}`;
            message[out.callbackId] = id;
            if (has("writes into payloads") && typeof data === "object" && data) data[out.callbackId] = id;
            // The entry is created only if the payload can be encoded.
            post(message);
            number++;
            waiting.set(id, callback);
            return;
        }
        post(message);
    }

    // P44: one reply, P48: always a function.
    function replier(message) {
        const id = message[into.callbackId];
        if (id === undefined) return has("P48") ? undefined : () => {};
        let isDone = false;
        return (data) => {
            if (isDone && !has("P44")) return warn("a second reply is ignored");
            const response = {};
            if (!has("P14")) response[out.handlerName] = message[into.handlerName];
            response[out.responseId] = has("P22") ? id.trim() : id;
            if (data !== undefined) response[out.responseData] = has("P47") ? data || null : data;
            post(response);
            isDone = true;
        };
    }

    const isName = (value) => typeof value === "string";
    const isIdentifier = (value) => typeof value === "string" && value !== "";

    function answer(message) {
        const id = message[into.responseId];
        const callback = waiting.get(id);
        if (callback === undefined) {
            if (has("P46")) throw new Error("unknown id " + id);
            return;
        }
        if (!has("P45") && !has("P43")) waiting.delete(id);
        callback(message[into.responseData]);
        if (!has("P43")) waiting.delete(id);
    }

    function dispatch(text, isSynchronous) {
        try {
            handle(text);
        } catch (error) {
            // P57: the error is reported, and affects neither the caller nor the next message.
            if (has("P57") && isSynchronous) throw error;
            reportError(error);
        }
    }

    function handle(text) {
        let message = text;
        if (typeof text === "string") {
            try {
                message = JSON.parse(has("P63") ? text.replace(/\u2028/g, "") : text);
            } catch (error) {
                if (has("P35")) throw error;
                return warn("a message is no JSON");
            }
        }
        if (!has("P69") && (typeof message !== "object" || message === null || Array.isArray(message))) {
            return warn("a message is no object");
        }
        if (has("P17") ? message[into.responseId] : message[into.responseId] !== undefined) {
            if (!has("P17") && !isIdentifier(message[into.responseId])) return warn("an id is no text");
            return answer(message);
        }
        const callbackId = message[into.callbackId];
        if (!has("P17") && callbackId !== undefined && !isIdentifier(callbackId)) return warn("an id is no text");
        if (dialect.hasDefaultHandler && message[into.handlerName] === undefined) {
            if (isInitialized) defaultHandler?.(message[into.data], replier(message));
            else early.push(text);
            return;
        }
        const name = message[into.handlerName];
        if (!has("P60") && !isName(name)) return warn("a message has no handler");
        const handler = has("P34") ? message.handler : has("evaluates names") ? evaluated(name) : handlers.get(name);
        if (!handler) {
            if (!has("P54")) console.log(`${dialect.global}: WARNING: no handler for message from ObjC:`, message);
            if (has("P56") && callbackId !== undefined) replier(message)({});
            return;
        }
        handler(message[into.data], replier(message));
    }

    function evaluated(name) { return (0, eval)(`(handlers) => handlers.get("${name}")`)(handlers); }

    function handleFirst(isSynchronous) {
        if (inbox.length > 0) dispatch(inbox.shift(), isSynchronous);
    }

    function receive(text) {
        if (has("P34")) text = { ...JSON.parse(text), handler: handlers.get(JSON.parse(text)[into.handlerName]) };
        if (has("P38") && !isTimed) return dispatch(text, true);
        inbox.push(text);
        if (isTimed) return void setTimeout(() => handleFirst(false), 0);
        // First the messages that wait in timers, then this one.
        while (inbox.length > 0) handleFirst(true);
    }

    function runSetUp(bridge) {
        const list = window[dialect.list];
        if (!has("P6") || has("P7")) delete window[dialect.list];
        for (const callback of has("P5") ? list : list ?? []) {
            try {
                callback(bridge);
            } catch (error) {
                if (has("P7")) throw error;
                reportError(error);
            }
        }
        if (has("P6")) delete window[dialect.list];
    }

    const bridge = {
        registerHandler(name, handler) {
            if (!has("P61") && typeof handler !== "function") throw new TypeError("a handler is a function");
            if (!(has("P52") && handlers.get(name))) handlers.set(has("P62") ? name.trim() : name, handler);
        },
        callHandler(name, data, callback) {
            if (arguments.length === 2 && typeof data === "function") return call(name, has("P11") ? undefined : null, data);
            if (typeof data === "function") {
                if (!has("P12")) warn("a function is lost: it is no data");
                data = undefined;
            }
            call(name, data, callback);
        },
        disableJavscriptAlertBoxSafetyTimeout() { if (!has("P37")) isTimed = false; },
        _fetchQueue() {
            const text = has("P40") || has("P65") ? JSON.stringify(outgoing) : "[" + outgoing.join() + "]";
            if (signal.returnsByURL && text === "[]") return undefined;
            if (has("P42")) setTimeout(() => { outgoing = []; }, 0);
            else if (!has("P18")) outgoing = [];
            if (!signal.returnsByURL) return text;
            frame.src = signal.schemes[0] + "://return/_fetchQueue/" + encodeURIComponent(text);
        },
    };
    for (const entry of dialect.entries) {
        bridge[entry] = (text) => {
            if (!isInitialized && dialect.waitsForInit) return void early.push(text);
            if (!isInitialized && has("delivers twice before init")) early.push(text);
            receive(text);
        };
    }
    if (dialect.hasDefaultHandler) {
        bridge.init = (handler) => {
            if (isInitialized) throw new Error("init called twice");
            isInitialized = true;
            defaultHandler = handler;
            early.splice(0).forEach(receive);
        };
        bridge.send = (data, callback) => call(undefined, data, callback);
    }
    window[dialect.global] = bridge;

    let frame;
    if (signal.kind === "frame") {
        frame = document.createElement("iframe");
        frame.style.display = "none";
        if (!has("P4")) frame.src = signal.schemes[0] + "://" + signal.queueHost;
        document.documentElement.appendChild(frame);
    }
    if (!has("P36")) bridge.registerHandler("_disableJavascriptAlertBoxSafetyTimeout", bridge.disableJavscriptAlertBoxSafetyTimeout);
    if (dialect.readyEvent) {
        const event = document.createEvent("Events");
        event.initEvent(dialect.readyEvent);
        event.bridge = bridge;
        document.dispatchEvent(event);
    }
    if (has("P26")) setTimeout(() => setTimeout(() => runSetUp(bridge), 0), 0);
    else setTimeout(() => runSetUp(bridge), 0);
})();
