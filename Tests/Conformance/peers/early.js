// A script's side of the protocol in the form that WebViewJavascriptBridge had before version 6: responses have no
// handler name, errors of handlers are caught and logged, and the safety timeout cannot be switched off.
// `window.earlyPeerVersion` is 4 for 4.0.2 to 4.1.5 (`init`, `send`, a default handler, the event), or 5 for 5.0.0 and
// 5.0.1 (the set-up list).
(function () {
    if (window.WebViewJavascriptBridge) return;
    var isFour = window.earlyPeerVersion === 4;
    var signalURL = "wvjbscheme://__WVJB_QUEUE_MESSAGE__";
    var outgoing = [];
    var early = isFour ? [] : null;
    var handlers = {};
    var callbacks = {};
    var number = 1;
    var defaultHandler;
    var frame;

    function post(message, callback) {
        if (callback) {
            message.callbackId = "cb_" + (number++) + "_" + new Date().getTime();
            callbacks[message.callbackId] = callback;
        }
        outgoing.push(message);
        frame.src = signalURL;
    }

    function answer(message) {
        var callback = callbacks[message.responseId];
        if (!callback) return;
        callback(message.responseData);
        delete callbacks[message.responseId];
    }

    function handle(message) {
        var reply;
        if (message.callbackId) {
            var id = message.callbackId;
            reply = function (data) { post({ responseId: id, responseData: data }); };
        }
        var handler = isFour && !message.handlerName ? defaultHandler : handlers[message.handlerName];
        try {
            handler(message.data, reply);
        } catch (error) {
            console.log("WebViewJavascriptBridge: WARNING: javascript handler threw.", message, error);
        }
        if (!isFour && !handler) console.log("WebViewJavascriptBridge: WARNING: no handler for message from ObjC:", message);
    }

    function receive(text) {
        setTimeout(function () {
            var message = JSON.parse(text);
            if (message.responseId) answer(message);
            else handle(message);
        });
    }

    var bridge = window.WebViewJavascriptBridge = {
        registerHandler: function (name, handler) { handlers[name] = handler; },
        callHandler: function (name, data, callback) {
            if (!isFour && arguments.length === 2 && typeof data === "function") {
                callback = data;
                data = null;
            }
            post({ handlerName: name, data: data }, callback);
        },
        _fetchQueue: function () {
            var text = JSON.stringify(outgoing);
            outgoing = [];
            return text;
        },
        _handleMessageFromObjC: function (text) {
            if (early) early.push(text);
            else receive(text);
        },
    };
    if (isFour) {
        bridge.init = function (handler) {
            if (defaultHandler) throw new Error("WebViewJavascriptBridge.init called twice");
            defaultHandler = handler;
            var texts = early;
            early = null;
            texts.forEach(receive);
        };
        bridge.send = function (data, callback) { post({ data: data }, callback); };
    }

    frame = document.createElement("iframe");
    frame.style.display = "none";
    frame.src = signalURL;
    document.documentElement.appendChild(frame);

    if (isFour) {
        var event = document.createEvent("Events");
        event.initEvent("WebViewJavascriptBridgeReady");
        event.bridge = bridge;
        document.dispatchEvent(event);
        return;
    }
    setTimeout(function () {
        var list = window.WVJBCallbacks;
        delete window.WVJBCallbacks;
        for (var index = 0; index < list.length; index++) list[index](bridge);
    }, 0);
})();
