// A script's side that behaves as the source of KKJSBridge's was read: modules and methods one way, events the other.
// Written from the table in the page Dialects.md. `window.plainPeerMistakes` names a mistake that its later
// versions do not make.
(function () {
    var mistakes = window.plainPeerMistakes || [];
    if (window.KKJSBridge) return;
    var number = 1;
    var waiting = {};
    var observers = {};

    window.KKJSBridge = {
        call: function (module, method, data, callback) {
            var message = { module: module || "default", method: method, data: data, callbackId: null };
            if (callback) {
                message.callbackId = "cb_" + message.module + "_" + method + "_" + (number++) + "_" + new Date().getTime();
                waiting[message.callbackId] = callback;
            }
            window.webkit.messageHandlers.KKJSBridgeMessage.postMessage(message);
        },
        syncCall: function (module, method, data) {
            var text = window.prompt("KKJSBridge", JSON.stringify({ module: module || "default", method: method, data: data }));
            return text || mistakes.indexOf("ends on nothing") >= 0 ? JSON.parse(text || "") : null;
        },
        on: function (name, callback) { (observers[name] = observers[name] || []).push(callback); },
        // Removes all observers of the event, not only the caller's.
        off: function (name) { if (observers[name]) observers[name].splice(0); },
        _handleMessageFromNative: function (text) {
            var message = JSON.parse(text);
            if (message.messageType === "callback") {
                var callback = waiting[message.callbackId];
                if (!callback) return;
                callback(message.data);
                delete waiting[message.callbackId];
            } else if (message.messageType === "event" && observers[message.eventName]) {
                observers[message.eventName].forEach(function (observer) { observer(message.data); });
            }
        },
    };
})();
