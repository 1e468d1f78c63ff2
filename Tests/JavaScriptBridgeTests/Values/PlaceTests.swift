import BridgeTesting
import Foundation
import TestSupport
import Testing

@testable import JavaScriptBridge

/// Extension values in the text transport: between two sides of this package, and with plain peers.
@Suite(.noLeaks) struct PlaceTests {
    struct File: Codable, Sendable, Equatable {
        var name: String
        var bytes: Data
        var date: Date
        var number: Int64
    }

    private static let file = File(
        name: "f",
        bytes: Data([1, 2, 3]),
        date: Date(timeIntervalSince1970: 1.5),
        number: .max
    )

    private func makeBridge(
        _ script: String,
        injects: Bool = true,
        _ policy: BridgeConfiguration.BinaryPolicy = .base64
    )
        async throws -> Bridge
    {
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configuration.injectsScript = injects
        configuration.binaryPolicy = policy
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text(script, name: "page.js"))
        return bridge
    }

    @Test(
        "2.3 bytes, dates and 64-bit integers arrive unchanged between two sides of the package, in both directions"
    )
    func roundTrip() async throws {
        let bridge = try await makeBridge(
            """
            var seen, answer;
            bridge.registerHandler("echo", (file) => {
                seen = [file.bytes instanceof Uint8Array, file.bytes.length, file.date instanceof Date, typeof file.number];
                return file;
            });
            """
        )
        #expect(try await bridge.callHandler("echo", with: Self.file, returning: File.self) == Self.file)
        #expect(try await bridge.runtime.evaluate("seen") == [true, 3, true, "bigint"])
        let got = Recorder<Value>()
        try bridge.registerHandler("take") { (value: Value) -> Value in
            got.add(value)
            return value
        }
        try await bridge.runtime.evaluate(
            """
            bridge.callHandler("take", {
                bytes: new Uint8Array([9]).buffer, nan: NaN, none: undefined, zero: -0, big: 2n ** 70n, $b: 0, date: new Date(7),
                map: new Map([["k", new Set([1])]]), pairs: new Map([[1, 2]]),
            }).then((value) => { answer = [value.bytes[0], value.nan, "none" in value, 1 / value.zero, String(value.big), value.$b]; },
                (error) => { answer = error.message; }); 0
            """
        )
        await got.wait(for: 1)
        let value = try #require(got.elements.first)
        #expect(value["bytes"] == .bytes(Data([9])))
        #expect(value["nan"].doubleValue?.isNaN == true)
        #expect(value["none"] == .undefined)
        #expect(value["big"] == .bigInt("1180591620717411303424"))
        #expect(value["$b"] == 0)
        #expect(value["date"] == .date(Date(timeIntervalSince1970: 0.007)))
        #expect(value["map"] == ["k": [1]])
        #expect(value["pairs"] == [[1, 2]])
        while try await bridge.runtime.evaluate("answer === undefined") == true {
            await _Concurrency.Task.yield()
        }
        let answer = try await bridge.runtime.evaluate("answer")
        #expect(answer[0] == 9)
        #expect(answer[1].doubleValue?.isNaN == true)
        #expect(answer[2] == true)
        #expect(answer[3] == .double(-.infinity))
        #expect(answer[4] == "1180591620717411303424")
        #expect(answer[5] == 0)
    }

    /// A page that records the messages and answers on command.
    private static let plainPage = """
        window.WebViewJavascriptBridge = {
            queue: [], lines: [],
            _fetchQueue() { const text = JSON.stringify(this.queue); this.queue = []; return text; },
            _handleMessageFromObjC(text) { this.lines.push(text); },
            send(message) { this.queue.push(message); frame.src = "https://__wvjb_queue_message__"; },
        };
        var frame = document.createElement("iframe");
        document.documentElement.appendChild(frame);
        """

    private func lines(_ bridge: Bridge) async throws -> [String] {
        for _ in 0..<3 { try await bridge.runtime.withContext { _ in } }
        return try await bridge.runtime.evaluate("WebViewJavascriptBridge.lines").arrayValue?.compactMap(
            \.stringValue
        ) ?? []
    }

    @Test(
        "2.3 I3 a plain page gets bytes by the host's policy, or the caller an error, and never an empty object",
        arguments: [
            (BridgeConfiguration.BinaryPolicy.base64, "\"AQID\"" as String?), (.numbers, "[1,2,3]"),
            (.fail, nil),
        ]
    )
    func plainPage(policy: BridgeConfiguration.BinaryPolicy, expected: String?) async throws {
        let bridge = try await makeBridge(Self.plainPage, injects: false, policy)
        await bridge.ready()
        if let expected {
            try bridge.notify("n", with: ["b": Data([1, 2, 3])])
            bridge.legacy.callHandler("v", data: .bytes(Data([1, 2, 3])))
            let sent = try await lines(bridge)
            #expect(
                sent == [
                    "{\"handlerName\":\"n\",\"data\":{\"b\":\(expected)}}",
                    "{\"handlerName\":\"v\",\"data\":\(expected)}",
                ]
            )
        } else {
            let error = #expect(throws: BridgeError.self) { try bridge.notify("n", with: ["b": Data([1])]) }
            #expect(error?.code == .encodeFailed)
            #expect(try await lines(bridge).isEmpty)
        }
    }

    @Test("2.3 W2 a reply has extension values only for a request that supports them")
    func replies() async throws {
        let bridge = try await makeBridge(Self.plainPage, injects: false)
        try bridge.registerHandler("file") { (_: Value) in ["b": Data([1, 2, 3])] }
        try await bridge.runtime.evaluate(
            """
            WebViewJavascriptBridge.send({ handlerName: "file", callbackId: "a", x: { acc: ["err", "bin"] } });
            WebViewJavascriptBridge.send({ handlerName: "file", callbackId: "b" }); 0
            """
        )
        #expect(
            try await lines(bridge) == [
                #"{"responseId":"a","responseData":{"b":{"$b":0}},"x":{"b":[{"k":"bytes","n":3,"c":["AQID"]}]}}"#,
                #"{"responseId":"b","responseData":{"b":"AQID"}}"#,
            ]
        )
        // It has announced support for them, so a request may contain them too.
        try bridge.notify("n", with: ["$b": 1])
        #expect(try await lines(bridge).last == #"{"handlerName":"n","data":{"$$b":1},"x":{"b":[]}}"#)
    }

    @Test("R2 an invalid array of extension values is reported to the caller, and reaches no handler")
    func malformed() async throws {
        let bridge = try await makeBridge(Self.plainPage, injects: false)
        try bridge.registerHandler("h") { (value: Value) -> Value in
            Issue.record("called with \(value)")
            return value
        }
        for (data, entries) in [
            ("{$b:0}", "[]"), ("{$b:-1}", "[{k:'undefined'}]"), ("{$b:0}", "[1]"),
            ("{$b:0}", "[{k:'bytes',n:9,c:['AQID']}]"),
            ("{$b:0}", "[{k:'bytes',n:1,c:['*']}]"), ("{$b:0}", "[{k:'set',n:1,v:[{$b:0}]}]"),
            ("[{$b:0},{$b:0}]", "[{k:'set',n:0,v:[]}]"), ("{$b:0}", "[{k:'bigint',v:'x'}]"),
            ("{$b:0}", "[{k:'map',n:1,v:[1]}]"),
        ] {
            try await bridge.runtime.evaluate(
                "WebViewJavascriptBridge.send({ handlerName: 'h', data: \(data), callbackId: 'a', x: { acc: ['err'], b: \(entries) } }); 0"
            )
            #expect(
                try await lines(bridge).last?.contains("\"code\":\"decodeFailed\"") == true,
                "\(data) \(entries)"
            )
        }
    }
}
