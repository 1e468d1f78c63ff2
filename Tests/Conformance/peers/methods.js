// A script's side that behaves as the source of DSBridge's was read: calls with their answers, by an object or a
// prompt. Written from the table in JavaScriptBridge.docc/Dialects.md.
(function () {
    if (window.dsBridge) return;
    var number = 0;
    var synchronous = {};
    var asynchronous = {};

    var bridge = window.dsBridge = {
        call: function (method, argument, callback) {
            if (typeof argument === "function") {
                callback = argument;
                argument = {};
            }
            var message = { data: argument === undefined ? null : argument };
            if (typeof callback === "function") {
                message._dscbstub = "dscb" + number++;
                window[message._dscbstub] = callback;
            }
            var text = JSON.stringify(message);
            var answer = window._dsbridge ? window._dsbridge.call(method, text) : window.prompt("_dsbridge=" + method, text);
            // A missing method and one that returns an empty text cannot be distinguished.
            return JSON.parse(answer || "{}").data;
        },
        register: function (name, method) { add(synchronous, name, method); },
        registerAsyn: function (name, method) { add(asynchronous, name, method); },
        hasNativeMethod: function (name, type) {
            return bridge.call("_dsb.hasNativeMethod", { name: name, type: type || "all" });
        },
    };

    // The names of an object's methods begin with the object's name.
    function add(table, name, method) {
        if (typeof method === "function") table[name] = method;
        else Object.keys(method).forEach(function (key) {
            if (typeof method[key] !== "function") return;
            table[name + "." + key] = function () { return method[key].apply(method, arguments); };
        });
    }

    bridge.register("_hasJavascriptMethod", function (name) { return !!(synchronous[name] || asynchronous[name]); });

    window._handleMessageFromNative = function (info) {
        var list = JSON.parse(info.data);
        var answer = { id: info.callbackId, complete: true };
        if (synchronous[info.method]) {
            answer.data = synchronous[info.method].apply(null, list);
            bridge.call("_dsb.returnValue", answer);
        } else if (asynchronous[info.method]) {
            list.push(function (data, complete) {
                answer.data = data;
                answer.complete = complete !== false;
                bridge.call("_dsb.returnValue", answer);
            });
            asynchronous[info.method].apply(null, list);
        }
    };
    setTimeout(function () { bridge.call("_dsb.dsinit"); }, 0);
})();
