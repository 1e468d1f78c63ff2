import BridgeConformance
import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// Properties of the text transport that no vector can express: threads, several bridges, values that JSON lacks.
@Suite struct TextTransportTests {
    /// A script's side of the wire that records the messages.
    private static let end = """
        window.WebViewJavascriptBridge = {
            _fetchQueue() { return "[]"; },
            _handleMessageFromObjC(text) { console.debug(text); },
        };
        """

    @Test("P41 P39 messages of each thread arrive in its order, and none is lost")
    func threads() async throws {
        let side = try OurNativeSide()
        let bridge = side.bridge
        try await side.perform(.load(script: Self.end))
        let (senders, messages) = (6, 200)
        DispatchQueue.concurrentPerform(iterations: senders) { sender in
            for number in 0..<messages {
                bridge.legacy.callHandler("s\(sender)", data: .integer(Int64(number)))
            }
        }
        await side.settle()
        let lines = side.takeObservations().lines
        #expect(lines.count == senders * messages)
        for sender in 0..<senders {
            let own = lines.filter { $0.contains("\"s\(sender)\"") }
            #expect(own == (0..<messages).map { "{\"handlerName\":\"s\(sender)\",\"data\":\($0)}" })
        }
    }

    @Test("P41 a thread that sends never waits for the engine while another thread holds it")
    func noBlocking() async throws {
        let side = try OurNativeSide()
        let bridge = side.bridge
        try await side.perform(.load(script: Self.end))
        try await bridge.runtime.withContext { _ in
            // If a send waited for this turn to end, the turn would wait forever for the send.
            let isSent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                bridge.legacy.callHandler("n", data: 1)
                isSent.signal()
            }
            isSent.wait()
        }
        await side.settle()
        #expect(side.takeObservations().lines == ["{\"handlerName\":\"n\",\"data\":1}"])
    }

    @Test("P74 P71 P73 log sink and level belong to one bridge")
    func logs() async throws {
        let (loud, quiet) = (try OurNativeSide(), try OurNativeSide())
        loud.bridge.enableLogging()
        loud.bridge.setLogMaxLength(30)
        for side in [loud, quiet] {
            try await side.perform(.load(script: Self.end))
            try await side.perform(.call("n", data: "\"a text of some length\"", callback: nil))
        }
        #expect(loud.takeObservations().log == ["WVJB SEND: {\"handlerName\":\"n\",\"data\":\"a t [...]"])
        #expect(quiet.takeObservations().log.isEmpty)
    }

    @Test("P70 P65 data that cannot be encoded is an error for its caller only")
    func encoding() async throws {
        struct Unwilling: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(
                    self,
                    EncodingError.Context(codingPath: [], debugDescription: "on purpose")
                )
            }
        }
        let side = try OurNativeSide()
        try await side.perform(.load(script: Self.end))
        await #expect(throws: (any Error).self) {
            try await side.bridge.callHandler("n", with: Unwilling(), timeout: .seconds(3600))
        }
        #expect(throws: (any Error).self) { try side.bridge.notify("n", with: Unwilling()) }
        side.bridge.legacy.callHandler("n", data: 1)
        await side.settle()
        #expect(side.takeObservations().lines == ["{\"handlerName\":\"n\",\"data\":1}"])
        #expect(side.bridge.pendingCallCount == 0)
    }

    @Test("P70 a number that JSON lacks is an error for its caller", arguments: [Double.nan, .infinity])
    func numbers(number: Double) async throws {
        let side = try OurNativeSide()
        let bridge = side.bridge
        try await side.perform(.load(script: Self.end))
        let call = Task {
            try await bridge.callHandler("n", with: [number], timeout: .seconds(3600))
        }
        await Task.yield()
        await side.settle()
        let lines = side.takeObservations().lines
        bridge.close()
        let outcome = await call.result
        #expect(lines.isEmpty)
        let error = #expect(throws: BridgeError.self) { try outcome.get() }
        #expect(error?.code == .encodeFailed)
    }

    @Test("R11 P63 a payload that looks like source text is text, in both directions")
    func sourceText() async throws {
        let hostile = "');window.isBroken=1;('\u{2028}\\');window.isBroken=1;//</script>${window.isBroken=1}`"
        let side = try OurNativeSide()
        try side.bridge.registerHandler("echo") { (text: String) in text }
        try await side.perform(
            .load(
                script: """
                    window.WebViewJavascriptBridge = {
                        queue: "[]",
                        _fetchQueue() { const text = this.queue; this.queue = "[]"; return text; },
                        _handleMessageFromObjC(text) {
                            const message = JSON.parse(text);
                            if (message.responseId) { console.debug(message.responseData); return; }
                            this.queue = JSON.stringify([{ handlerName: "echo", data: message.data, callbackId: "a" }]);
                            frame.src = "https://__wvjb_queue_message__";
                        },
                    };
                    var frame = document.createElement("iframe");
                    document.documentElement.appendChild(frame);
                    """
            )
        )
        side.bridge.legacy.callHandler(hostile, data: .string(hostile))
        await side.settle()
        #expect(side.takeObservations().lines == [hostile])
        let isBroken = try await side.bridge.runtime.evaluate("window.isBroken")
        #expect(isBroken == .undefined)
    }
}
