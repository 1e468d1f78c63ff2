internal import BridgeValues
internal import Dispatch
internal import JavaScriptBridge
internal import JavaScriptEngine
internal import Synchronization

/// A target with a whole bridge, whose page sends any text.
enum DispatchFuzz {
    /// Sends a text from the page, and after it a call that must receive a reply: the bridge must work after any text.
    static func problem(_ units: [UInt16]) -> String? {
        do { return try page.withLock { try $0.problem(units) } } catch { return "the page failed: \(error)" }
    }

    private static let page = Mutex(Page())

    private struct Page {
        private var bridge: Bridge?
        private var runs = 0

        mutating func problem(_ units: [UInt16]) throws -> String? {
            // Handlers and callers must not accumulate memory over a million runs.
            if runs % 20_000 == 0 {
                bridge?.close()
                bridge = try makeBridge()
            }
            runs += 1
            guard let bridge else { return nil }
            let number = runs
            try bridge.runtime.withContextAndWait { context in
                let text = try JSValue(.illFormedString(units), in: context)
                _ = try context.globalObject.invokeMethod("peer", withArguments: [text])
            }
            try bridge.runtime.withContextAndWait { context in
                let probe = #"[{"handlerName":"probe","callbackId":"probe \#(number)","data":\#(number)}]"#
                let text = try JSValue(.string(probe), in: context)
                _ = try context.globalObject.invokeMethod("peer", withArguments: [text])
            }
            for _ in 0..<20 {
                let isAnswered = try bridge.runtime.withContextAndWait { context in
                    try context.globalObject.forProperty("answered").toValue() == .integer(Int64(number))
                }
                if isAnswered { return nil }
            }
            return "the bridge no longer replies"
        }

        private func makeBridge() throws -> Bridge {
            var configuration = BridgeConfiguration()
            configuration.transport = .text
            configuration.injectsScript = false
            configuration.logSink = { _ in }
            configuration.consoleSink = { _ in }
            configuration.uncaughtErrorHandler = { _ in }
            configuration.limits.maximumDepth = 64
            configuration.limits.maximumPendingCalls = 1_000
            let bridge = try Bridge(configuration: configuration)
            try bridge.legacy.registerHandler("probe") { data, reply in reply(data) }
            try bridge.legacy.registerHandler("echo") { data, reply in reply(data) }
            try bridge.legacy.registerHandler("silent") { _, _ in }
            try bridge.legacy.registerHandler("twice") { data, reply in
                reply(data)
                reply(data)
            }
            try bridge.legacy.registerHandler("back") { [weak bridge] data, reply in
                bridge?.legacy.callHandler("page", data: data) { reply($0) }
            }
            try bridge.registerHandler("fail") { (data: Value) throws -> Value in
                throw BridgeError("fuzz.failed", "it failed")
            }
            try bridge.registerHandler("typed") { (data: [String: Double]) throws -> Double in
                data.values.reduce(0, +)
            }
            // The input of a fuzzer runs on a thread that may block.
            let isLoaded = DispatchSemaphore(value: 0)
            let failure = Mutex<(any Error)?>(nil)
            Task {
                do { try await bridge.load(.text(Self.script, name: "page.js")) } catch {
                    failure.withLock { $0 = error }
                }
                isLoaded.signal()
            }
            isLoaded.wait()
            if let failure = failure.withLock({ $0 }) { throw failure }
            return bridge
        }

        /// The script of a peer that does nothing by itself but reply to the calls of the other side.
        private static let script = """
            let queue = "[]";
            let answered = 0;
            Object.defineProperty(globalThis, "answered", { get: () => answered });
            const frame = document.createElement("iframe");
            document.documentElement.appendChild(frame);
            window.peer = text => {
                queue = text;
                frame.src = "https://__wvjb_queue_message__/" + Math.random();
            };
            window.WebViewJavascriptBridge = {
                _fetchQueue() {
                    const text = queue;
                    queue = "[]";
                    return text;
                },
                _handleMessageFromObjC(text) {
                    const message = typeof text === "string" ? JSON.parse(text) : text;
                    if (/^probe /.test(message.responseId)) answered = message.responseData;
                    if (message.callbackId) peer(JSON.stringify([{ responseId: message.callbackId, responseData: 1 }]));
                },
            };
            """
    }
}
