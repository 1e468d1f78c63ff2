import BenchmarkHarness
import CBenchJavaScriptCore
import Foundation
import JavaScriptBridge

/// Requests of a script in the protocol of WebViewJavascriptBridge.
@MainActor let wireCases = [
    BenchmarkCase(
        "bridge.text",
        baseline:
            "a C callback with JSValueCreateJSONString, JSONDecoder, JSONEncoder, JSValueMakeFromJSONString; ours "
            + "is the text transport, one request at a time",
        granularity: callsPerTurn
    ) {
        let bridge = try await makeTextBridge()
        return Contest(
            plain: try PlainHandler().answers,
            ours: .synchronous { Outcome(try bridge.sumOfTurns($0)) },
            expected: Message.answerChecksum
        )
    },
    BenchmarkCase(
        "bridge.text.batch",
        baseline: "as bridge.text; ours is the text transport, 100 requests in flight",
        granularity: callsPerTurn
    ) {
        let bridge = try await makeTextBridge(inFlight: 100)
        return Contest(
            plain: try PlainHandler().answers,
            ours: .synchronous { Outcome(try bridge.sumOfTurns($0)) },
            expected: Message.answerChecksum
        )
    },
    BenchmarkCase(
        "bridge.text.legacy",
        baseline:
            "WebViewJavascriptBridge's way: fetch the queue by evaluating source text, JSONSerialization, eight "
            + "replacements, evaluate the message as source text, JSON.parse; ours is the text transport",
        granularity: callsPerTurn
    ) {
        let bridge = try await makeTextBridge()
        let legacy = try PlainWebViewJavascriptBridge()
        return Contest(
            plain: .synchronous { Outcome(try legacy.sum($0)) },
            ours: .synchronous { Outcome(try bridge.sumOfTurns($0)) },
            expected: Message.answerChecksum
        )
    },
]

@MainActor
private func makeTextBridge(inFlight: Int = 1) async throws -> Bridge {
    var configuration = BridgeConfiguration()
    configuration.transport = .text
    let bridge = try await makeAnsweringBridge(
        Message.self,
        MessageScript.requests(inFlight: inFlight),
        configuration: configuration
    )
    // Otherwise each message waits for a timer; all do so until the set-up callbacks have run (P26), which is a timer
    // too.
    try await bridge.runtime.evaluate(
        """
        WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
        globalThis.setUp = () => new Promise(resolve => setTimeout(resolve));
        """
    )
    _ = try await bridge.runtime.callAsync("setUp")
    return bridge
}

/// Both ends of WebViewJavascriptBridge, as far as a script's request and its reply need them, in plain calls of the C
/// API.
private final class PlainWebViewJavascriptBridge {
    private let context: PlainContext
    private let fetch: JSStringRef

    init() throws {
        context = try PlainContext()
        fetch = JSStringCreateWithUTF8CString("WebViewJavascriptBridge._fetchQueue();")
        let script = """
            {
                \(MessageScript.texts)
                let sendMessageQueue = [];
                let responseCallbacks = {};
                let uniqueId = 1;
                globalThis.sum = 0;
                globalThis.WebViewJavascriptBridge = {
                    callHandler(handlerName, data, responseCallback) {
                        const message = { handlerName, data };
                        if (responseCallback) {
                            const callbackId = "cb_" + uniqueId++ + "_" + new Date().getTime();
                            responseCallbacks[callbackId] = responseCallback;
                            message.callbackId = callbackId;
                        }
                        sendMessageQueue.push(message);
                    },
                    _fetchQueue() {
                        const text = JSON.stringify(sendMessageQueue);
                        sendMessageQueue = [];
                        return text;
                    },
                    _handleMessageFromObjC(messageJSON) {
                        const message = JSON.parse(messageJSON);
                        const responseCallback = responseCallbacks[message.responseId];
                        if (!responseCallback) return;
                        responseCallback(message.responseData);
                        delete responseCallbacks[message.responseId];
                    },
                };
                globalThis.ask = index => {
                    WebViewJavascriptBridge.callHandler("answer", messageOf(index), answer => {
                        sum += checksumOf(answer);
                    });
                };
                (function () {});
            }
            """
        _ = try context.function(script)
    }

    deinit { JSStringRelease(fetch) }

    func sum(_ operations: Int) throws -> Double {
        let ask = try context.function("ask")
        _ = try evaluate("sum = 0")
        for index in 0..<operations {
            var exception: JSValueRef?
            var argument = JSValueMakeNumber(context.ref, Double(index))
            JSObjectCallAsFunction(context.ref, ask, nil, 1, &argument, &exception)
            guard exception == nil else { throw PlainError("the script could not ask") }
            try flush()
        }
        return JSValueToNumber(context.ref, try evaluate("sum"), nil)
    }

    /// Fetches the queue, and answers its messages.
    private func flush() throws {
        var exception: JSValueRef?
        let fetched = JSEvaluateScript(context.ref, fetch, nil, nil, 1, &exception)
        guard let string = JSValueToStringCopy(context.ref, fetched, &exception) else {
            throw PlainError("the queue could not be fetched")
        }
        defer { JSStringRelease(string) }
        let text = String(
            decoding: UnsafeBufferPointer(
                start: JSStringGetCharactersPtr(string),
                count: JSStringGetLength(string)
            ),
            as: UTF16.self
        )
        let messages = try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
        guard let messages = messages as? [[String: Any]] else { throw PlainError("the queue is not a list") }
        for message in messages {
            guard let callbackID = message["callbackId"] as? String, let data = message["data"] else {
                throw PlainError("a message has no callback")
            }
            let response = ["responseId": callbackID, "responseData": try Self.answer(data)] as [String: Any]
            try dispatch(response)
        }
    }

    /// Returns the handler's answer to the dictionary that WebViewJavascriptBridge passes to it.
    private static func answer(_ data: Any) throws -> Any {
        guard let message = data as? [String: Any], let id = message["id"] as? Int,
            let method = message["method"] as? String, let channel = message["channel"] as? String,
            let priority = message["priority"] as? Double, let isUrgent = message["isUrgent"] as? Bool
        else { throw PlainError("a message is another") }
        return [
            "id": id + 1, "method": channel, "channel": method, "priority": priority * 2,
            "isUrgent": !isUrgent,
        ] as [String: Any]
    }

    private static let replacements = [
        ("\\", "\\\\"), ("\"", "\\\""), ("\'", "\\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\u{0C}", "\\f"),
        ("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029"),
    ]

    private func dispatch(_ message: [String: Any]) throws {
        var text = String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
        for (character, escaped) in Self.replacements {
            text = text.replacingOccurrences(of: character, with: escaped)
        }
        _ = try evaluate("WebViewJavascriptBridge._handleMessageFromObjC('\(text)');")
    }

    private func evaluate(_ source: String) throws -> JSValueRef? {
        let script = JSStringCreateWithUTF8CString(source)
        defer { JSStringRelease(script) }
        var exception: JSValueRef?
        let value = JSEvaluateScript(context.ref, script, nil, nil, 1, &exception)
        guard exception == nil else { throw PlainError("a message could not be evaluated") }
        return value
    }
}
