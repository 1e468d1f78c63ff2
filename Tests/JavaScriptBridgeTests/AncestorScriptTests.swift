import BridgeTesting
import JavaScriptBridge
import Testing

/// The text transport against scripts that speak the ancestor's protocol by themselves.
@Suite(.noLeaks) struct AncestorScriptTests {
    /// A script's side of the protocol as the ancestor's is observed to behave: written for this test from
    /// the wire's description.
    static let plainPeer = """
        ;(function () {
            if (window.WebViewJavascriptBridge) { return; }
            var queue = [], handlers = {}, callbacks = {}, number = 1, frame;
            function post(message, callback) {
                if (callback) {
                    message.callbackId = 'cb_' + number++ + '_' + new Date().getTime();
                    callbacks[message.callbackId] = callback;
                }
                queue.push(message);
                frame.src = 'https://__wvjb_queue_message__';
            }
            window.WebViewJavascriptBridge = {
                registerHandler: function (name, handler) { handlers[name] = handler; },
                callHandler: function (name, data, callback) {
                    if (arguments.length == 2 && typeof data == 'function') { callback = data; data = null; }
                    post({ handlerName: name, data: data }, callback);
                },
                disableJavscriptAlertBoxSafetyTimeout: function () {},
                _fetchQueue: function () { var text = JSON.stringify(queue); queue = []; return text; },
                _handleMessageFromObjC: function (text) {
                    setTimeout(function () {
                        var message = JSON.parse(text);
                        if (message.responseId) {
                            var callback = callbacks[message.responseId];
                            if (!callback) { return; }
                            callback(message.responseData);
                            delete callbacks[message.responseId];
                            return;
                        }
                        var reply;
                        if (message.callbackId) {
                            reply = function (data) { post({ handlerName: message.handlerName, responseId: message.callbackId, responseData: data }); };
                        }
                        handlers[message.handlerName](message.data, reply);
                    });
                }
            };
            frame = document.createElement('iframe');
            frame.style.display = 'none';
            frame.src = 'https://__wvjb_queue_message__';
            document.documentElement.appendChild(frame);
            setTimeout(function () {
                var list = window.WVJBCallbacks;
                delete window.WVJBCallbacks;
                for (var i = 0; i < list.length; i++) { list[i](WebViewJavascriptBridge); }
            }, 0);
        })();
        """

    /// The set-up snippet of pages, in the form of version 6.
    static let setUp = """
        function setUpBridge(callback) {
            if (window.WebViewJavascriptBridge) { return callback(window.WebViewJavascriptBridge); }
            if (window.WVJBCallbacks) { return window.WVJBCallbacks.push(callback); }
            window.WVJBCallbacks = [callback];
            var frame = document.createElement('iframe');
            frame.style.display = 'none';
            frame.src = 'https://__bridge_loaded__';
            document.documentElement.appendChild(frame);
            setTimeout(function () { document.documentElement.removeChild(frame); }, 0);
        }
        setUpBridge(function (bridge) {
            bridge.registerHandler('double', function (data, reply) { reply({ twice: data.n * 2 }); });
            bridge.callHandler('greet', { name: 'page' }, function (answer) { bridge.callHandler('seen', answer); });
        });
        """

    @Test(
        "P8 P10 P22 a page with its own script and set-up snippet talks with Swift both ways, unmodified",
        arguments: [true, false]
    )
    func page(injectsScript: Bool) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configuration.injectsScript = injectsScript
        let bridge = try Bridge(configuration: configuration)
        let seen = Recorder<Value>()
        try bridge.registerHandler("greet") { data, reply in reply(["hello": data["name"]]) }
        try bridge.registerHandler("seen") { (value: Value) in seen.add(value) }
        let early = Recorder<Value>()
        bridge.callHandler("double", data: ["n": 21]) { early.add($0) }
        // The page's own script runs first, then the ancestor's is injected, as a web view does on the load
        // signal.
        try await bridge.load(.text(Self.setUp + (injectsScript ? "" : Self.plainPeer), name: "page.js"))
        await bridge.waitUntilIdle()
        #expect(seen.elements == [["hello": "page"]])
        #expect(early.elements == [["twice": 42]])
    }
}
