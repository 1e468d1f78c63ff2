// A script's side of the protocol that behaves as WebViewJavascriptBridge's was observed to, mistakes included. The
// numbers are the assertions that it was written from. It replaces WebViewJavascriptBridge 6 where the real one is not
// available. `window.plainPeerVersion = 5`, set before it runs, selects the signal of version 5.
// `window.plainPeerDialect` is a dialect's record with all names and keys. `window.plainPeerMistakes` names mistakes of
// dialects that it also makes.
(function () {
    var dialect = window.plainPeerDialect || {
        global: "WebViewJavascriptBridge", list: "WVJBCallbacks", entries: ["_handleMessageFromObjC"],
        scriptKeys: null, nativeKeys: null, signal: { kind: "frame" },
    };
    var plainKeys = {
        handlerName: "handlerName", data: "data", callbackId: "callbackId", responseId: "responseId", responseData: "responseData",
    };
    var out = dialect.scriptKeys || plainKeys;
    var into = dialect.nativeKeys || plainKeys;
    var mistakes = window.plainPeerMistakes || [];
    // A second injection does nothing at all (P2, P3).
    if (window[dialect.global]) return;
    // P9
    if (!window.onerror) {
        window.onerror = function (message, url, line) {
            console.log(dialect.global + ": ERROR:" + message + "@" + url + ":" + line);
        };
    }

    var signalURL = window.plainPeerVersion === 5
        ? "wvjbscheme://__WVJB_QUEUE_MESSAGE__"
        : "https://__wvjb_queue_message__";
    if (dialect.signal.schemes) signalURL = dialect.signal.schemes[0] + "://" + dialect.signal.queueHost.toUpperCase();
    var frame;
    var outgoing = [];
    // Objects as tables, so that the names of Object.prototype are found in them (P59).
    var handlerTable = {};
    var waiting = {};
    var number = 1;
    // Dialects without a frame handle messages immediately.
    var isTimed = dialect.signal.kind === "frame";
    // The messages that wait for `init`.
    var held = dialect.hasDefaultHandler ? [] : null;
    var defaultHandler = null;

    function post(message, callback) {
        // P51: any truthy value is accepted as a callback. P20: only then a number is used.
        if (callback) {
            message[out.callbackId] = "cb_" + (number++) + "_" + new Date().getTime();
            waiting[message[out.callbackId]] = callback;
        }
        // P40: the message itself, which is encoded when it is fetched.
        switch (dialect.signal.kind) {
        case "injectedObject":
            window[dialect.signal.object][dialect.signal.function](JSON.stringify(message));
            break;
        case "scriptMessage":
            outgoing.push(message);
            window.webkit.messageHandlers[dialect.signal.queue].postMessage(null);
            break;
        default:
            outgoing.push(message);
            frame.src = signalURL;
        }
    }

    function dispatch(text) {
        // P35: an error of the parser is thrown to the caller.
        var message = typeof text === "string" ? JSON.parse(text) : text;
        // P17: keys are tested by truthiness.
        if (message[into.responseId]) {
            var callback = waiting[message[into.responseId]];
            if (!callback) return;
            // P45: the entry is removed only after the callback has returned.
            callback(message[into.responseData]);
            delete waiting[message[into.responseId]];
            return;
        }
        // P48: without an id, `reply` stays undefined.
        var reply;
        if (message[into.callbackId]) {
            reply = function (data) {
                var response = {};
                response[out.handlerName] = message[into.handlerName];
                response[out.responseId] = message[into.callbackId];
                response[out.responseData] = data;
                post(response);
            };
        }
        // P34, P60: looked up now, by the name converted to a string.
        var handler = handlerTable[message[into.handlerName]];
        if (dialect.hasDefaultHandler && !message[into.handlerName]) handler = defaultHandler;
        if (!handler) {
            console.log(dialect.global + ": WARNING: no handler for message from ObjC:", message);
            return;
        }
        handler(message[into.data], reply);
    }

    function receive(text) {
        // P38: a synchronous message does not wait for earlier timers.
        if (isTimed) setTimeout(function () { dispatch(text); });
        else dispatch(text);
    }

    var bridge = {
        registerHandler: function (name, handler) { handlerTable[name] = handler; },
        callHandler: function (name, data, callback) {
            // P12
            if (arguments.length === 2 && typeof data === "function") {
                callback = data;
                data = null;
            }
            var message = {};
            message[out.handlerName] = name;
            message[out.data] = data;
            post(message, callback);
        },
        disableJavscriptAlertBoxSafetyTimeout: function () { isTimed = false; },
        _fetchQueue: function () {
            // P65: the queue is emptied after it was encoded, so never if it cannot be encoded.
            var text = JSON.stringify(outgoing);
            if (dialect.signal.returnsByURL && text === "[]") return undefined;
            outgoing = [];
            if (!dialect.signal.returnsByURL) return text;
            frame.src = dialect.signal.schemes[0] + "://return/_fetchQueue/" + encodeURIComponent(text);
        },
    };
    bridge[dialect.entries[dialect.entries.length > 1 && dialect.signal.kind === "injectedObject" ? 1 : 0]] = function (text) {
        if (held) {
            held.push(text);
            if (dialect.waitsForInit) return;
            // A dialect that does not wait dispatches now, and mistakenly once more at `init`.
            if (mistakes.indexOf("delivers twice before init") < 0) held.pop();
        }
        receive(text);
    };
    if (dialect.hasDefaultHandler) {
        bridge.init = function (handler) {
            if (defaultHandler) throw new Error("init called twice");
            defaultHandler = handler;
            var messages = held;
            held = null;
            messages.forEach(receive);
        };
        bridge.send = function (data, callback) {
            var message = {};
            message[out.data] = data;
            post(message, callback);
        };
    }
    window[dialect.global] = bridge;

    if (dialect.signal.kind === "frame") {
        frame = document.createElement("iframe");
        frame.style.display = "none";
        frame.src = signalURL;
        document.documentElement.appendChild(frame);
    }

    bridge.registerHandler("_disableJavascriptAlertBoxSafetyTimeout", bridge.disableJavscriptAlertBoxSafetyTimeout);

    if (dialect.readyEvent) {
        var event = document.createEvent("Events");
        event.initEvent(dialect.readyEvent);
        event.bridge = bridge;
        document.dispatchEvent(event);
        if (!window[dialect.list]) return;
    }

    setTimeout(function () {
        // P5, P7: without a list this throws, and so does a failing callback, and the rest is lost.
        var list = window[dialect.list];
        delete window[dialect.list];
        for (var index = 0; index < list.length; index++) list[index](bridge);
    }, 0);
})();
