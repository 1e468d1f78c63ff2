// A script's side of the protocol that behaves as the ancestor's was observed to, mistakes included: the numbers are the
// assertions that it was written from. It stands in for WebViewJavascriptBridge 6 where the real one is not at hand.
// `window.plainPeerVersion = 5` before it is run spells the signal as version 5 does.
(function () {
    // P2, P3: a second injection does nothing at all.
    if (window.WebViewJavascriptBridge) return;
    // P9
    if (!window.onerror) {
        window.onerror = function (message, url, line) {
            console.log("WebViewJavascriptBridge: ERROR:" + message + "@" + url + ":" + line);
        };
    }

    var signalURL = window.plainPeerVersion === 5
        ? "wvjbscheme://__WVJB_QUEUE_MESSAGE__"
        : "https://__wvjb_queue_message__";
    var frame;
    var outgoing = [];
    // P59: objects as tables, so that the names of Object.prototype are found in them.
    var handlerTable = {};
    var waiting = {};
    var number = 1;
    var isTimed = true;

    function post(message, callback) {
        // P51: anything that is true is taken for a callback. P20: only then a number is used.
        if (callback) {
            message.callbackId = "cb_" + (number++) + "_" + new Date().getTime();
            waiting[message.callbackId] = callback;
        }
        // P40: the message itself, read when it is fetched.
        outgoing.push(message);
        frame.src = signalURL;
    }

    function dispatch(text) {
        // P35: an error of the parser goes to whoever called this.
        var message = JSON.parse(text);
        // P17: what is there, by its truth.
        if (message.responseId) {
            var callback = waiting[message.responseId];
            if (!callback) return;
            // P45: the entry goes only after the callback came back.
            callback(message.responseData);
            delete waiting[message.responseId];
            return;
        }
        // P48: without an id there is no function.
        var reply;
        if (message.callbackId) {
            reply = function (data) {
                post({ handlerName: message.handlerName, responseId: message.callbackId, responseData: data });
            };
        }
        // P34, P60: looked up now, by the text of whatever the name is.
        var handler = handlerTable[message.handlerName];
        if (!handler) {
            console.log("WebViewJavascriptBridge: WARNING: no handler for message from ObjC:", message);
            return;
        }
        handler(message.data, reply);
    }

    var bridge = window.WebViewJavascriptBridge = {
        registerHandler: function (name, handler) { handlerTable[name] = handler; },
        callHandler: function (name, data, callback) {
            // P12
            if (arguments.length === 2 && typeof data === "function") {
                callback = data;
                data = null;
            }
            post({ handlerName: name, data: data }, callback);
        },
        disableJavscriptAlertBoxSafetyTimeout: function () { isTimed = false; },
        _fetchQueue: function () {
            // P65: the queue is emptied after it was written, so never if it cannot be.
            var text = JSON.stringify(outgoing);
            outgoing = [];
            return text;
        },
        _handleMessageFromObjC: function (text) {
            // P38: what is synchronous does not wait for the timers before it.
            if (isTimed) setTimeout(function () { dispatch(text); });
            else dispatch(text);
        },
    };

    frame = document.createElement("iframe");
    frame.style.display = "none";
    frame.src = signalURL;
    document.documentElement.appendChild(frame);

    bridge.registerHandler("_disableJavascriptAlertBoxSafetyTimeout", bridge.disableJavscriptAlertBoxSafetyTimeout);

    setTimeout(function () {
        // P5, P7: without a list this throws, and so does a callback, and the rest is lost.
        var list = window.WVJBCallbacks;
        delete window.WVJBCallbacks;
        for (var index = 0; index < list.length; index++) list[index](bridge);
    }, 0);
})();
