import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Testing

@testable import BridgeInspector

/// The port of a debug server, which any process of the machine and any web page in a browser can reach.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct ServerTests {
    /// Bytes that a client sends before it has attached; each must end the connection.
    private static let refusedBytes: [(name: String, bytes: String)] = [
        ("a request of a web page", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
        (
            "a request of a web page with a message as its body",
            "POST / HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 2\r\n\r\n{}"
        ),
        (
            "an upgrade to a WebSocket",
            "GET / HTTP/1.1\r\nUpgrade: websocket\r\nOrigin: http://evil.test\r\n\r\n"
        ),
        ("a second header", "Content-Length: 2\r\nHost: evil.test\r\n\r\n{}"),
        ("garbage", "\u{0}\u{1}\u{2}garbage"),
        ("a negative length", "Content-Length: -1\r\n\r\n"),
        ("a length without digits", "Content-Length: \r\n\r\n"),
        ("a length in another base", "Content-Length: 0x10\r\n\r\n"),
        ("a length that overflows", "Content-Length: 99999999999999999999\r\n\r\n"),
        ("a message that is too long", "Content-Length: 1000000\r\n\r\n"),
        ("a header without an end", "Content-Length: 1" + String(repeating: "1", count: 200)),
        ("a message that is not JSON", "Content-Length: 3\r\n\r\n{a}"),
        ("a message that is not an object", "Content-Length: 2\r\n\r\n[]"),
        (
            "a message that is deeper than the limit",
            {
                let text = String(repeating: "[", count: 5000)
                return "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
            }()
        ),
    ]

    @Test(
        "R37 refuses bytes that are not the protocol's, and stays usable",
        arguments: refusedBytes.map(\.name)
    )
    func refusal(name: String) async throws {
        let bytes = Self.refusedBytes.first { $0.name == name }?.bytes ?? ""
        let program = try DebuggedProgram([:])
        try await onThread {
            let client = try DebugClient(port: program.server.port)
            client.sendBytes(bytes.utf8)
            try client.readToEnd()
            #expect(!client.hasEvent("initialized"))
            _ = try program.client()
        }
        program.close()
    }

    @Test(
        "R37 refuses every request before the token, and a wrong token ends the connection",
        arguments: [
            "", "x", String(repeating: "0", count: 64), String(repeating: "0", count: 63), "é",
            String(repeating: "0", count: 60_000),
        ]
    )
    func token(token: String) async throws {
        let program = try DebuggedProgram([:])
        try await onThread {
            let client = try DebugClient(port: program.server.port)
            try client.request("initialize")
            for command in [
                "threads", "evaluate", "setBreakpoints", "configurationDone", "pause", "terminate",
            ] {
                #expect(try client.failure(command, ["expression": "1"]).contains("needs 'attach'"))
            }
            #expect(try client.failure("attach", ["token": .string(token)]).contains("'token'"))
            try client.readToEnd()
            let other = try DebugClient(port: program.server.port)
            #expect(try other.failure("launch", [:]).contains("'token'"))
            let right = try DebugClient(port: program.server.port)
            #expect(try right.failure("attach", ["token": 1]).contains("'token'"))
        }
        program.close()
    }

    @Test("R37 every run has another token of 256 bits, which no description contains")
    func tokens() {
        let tokens = (0..<100).map { _ in DebugToken() }
        #expect(Set(tokens.map(\.string)).count == 100)
        #expect(tokens.allSatisfy { $0.string.utf8.count == 64 })
        #expect("\(tokens[0])" == "DebugToken")
        #expect(tokens[0].matches(tokens[0].string))
        #expect(!tokens[0].matches(tokens[0].string + "0"))
        #expect(!tokens[0].matches(String(tokens[0].string.dropLast())))
        #expect(!tokens[0].matches(""))
    }

    @Test("R37 a second client is refused with the reason, and can attach after the first")
    func secondClient() async throws {
        let program = try DebuggedProgram([:])
        try await onThread {
            let first = try program.client()
            let second = try DebugClient(port: program.server.port)
            let reason = try second.failure("attach", ["token": .string(program.server.token.string)])
            #expect(reason == "another client is attached; only one can be")
            try second.readToEnd()
            #expect(try first.request("threads")["threads"].arrayValue?.count == 1)
            #expect(try first.failure("attach", ["token": "x"]) == "the client is attached")
            try first.request("disconnect")
            try first.readToEnd()
            _ = try program.client()
        }
        program.close()
    }

    @Test("R37 connections without a token keep no client away")
    func manyConnections() async throws {
        let program = try DebuggedProgram([:])
        try await onThread {
            let first = try program.client()
            let idle = try (0..<40).map { _ in try DebugClient(port: program.server.port) }
            for client in idle { client.sendBytes("Content-Len".utf8) }
            try idle[0].readToEnd()
            // The attached client is not dropped, and another one is answered.
            #expect(try first.request("threads")["threads"].arrayValue?.count == 1)
            let second = try DebugClient(port: program.server.port)
            #expect(
                try second.failure("attach", ["token": .string(program.server.token.string)]).contains(
                    "another"
                )
            )
        }
        program.close()
    }

    @Test("R37 a client that attaches among connections that are dropped is answered")
    func crowd() async throws {
        let program = try DebuggedProgram([:])
        try await onThread {
            for _ in 0..<10 {
                let idle = try (0..<30).map { _ in try DebugClient(port: program.server.port) }
                for client in idle { client.sendBytes("C".utf8) }
                let client = try program.client()
                #expect(try client.request("threads")["threads"].arrayValue?.count == 1)
                try client.request("disconnect")
                try client.readToEnd()
            }
        }
        program.close()
    }

    @Test("R37 the port is open on the loopback interface alone")
    func loopback() async throws {
        let server = try DebugServer()
        let file = try #require(FileHandle(forReadingAtPath: "/proc/net/tcp"))
        let table = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
        let port = ":" + String(format: "%04X", server.port) + " "
        let listening = table.split(separator: "\n").filter { $0.contains(port) && $0.contains(" 0A ") }
        #expect(listening.count == 1)
        #expect(listening.allSatisfy { $0.contains("0100007F\(port)") })
        server.close()
    }

    @Test("a port that is in use is an error that names it")
    func usedPort() throws {
        let server = try DebugServer()
        let used = #expect(throws: DebugServerError.self) { _ = try DebugServer(port: server.port) }
        #expect(used?.description.contains("cannot listen on port \(server.port)") == true)
        let wrong = #expect(throws: DebugServerError.self) { _ = try DebugServer(port: 70_000) }
        #expect(wrong?.description == "the port 70000 is not between 0 and 65535")
        server.close()
    }

    @Test("half a frame of an attached client changes nothing, and its end ends the session")
    func halfFrame() async throws {
        let program = try DebuggedProgram(["stop.js": "debugger;\nconsole.log('end');"])
        let client = try await onThread { try program.client() }
        let load = program.load("stop.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            let frame = MessageReader.frame([
                "seq": 99, "type": "request", "command": "evaluate", "arguments": ["expression": "1"],
            ])
            client.sendBytes(frame.prefix(frame.count / 2))
            client.hangUp()
            _ = thread
        }
        try await load.value
        #expect(program.printed == ["end"])
        program.close()
    }

    @Test("garbage of an attached client ends its session with the reason, and the script continues")
    func garbage() async throws {
        let program = try DebuggedProgram(["stop.js": "debugger;\nconsole.log('end');"])
        let client = try await onThread { try program.client() }
        let load = program.load("stop.js")
        try await onThread {
            _ = try client.stopped("breakpoint")
            client.sendBytes("nonsense".utf8)
            let output = try client.event("output") { $0["category"] == "important" }
            #expect(output["output"].stringValue?.contains("Content-Length") == true)
            try client.readToEnd()
        }
        try await load.value
        program.close()
    }

    @Test("requests that are unknown or have wrong arguments are errors, and the session continues")
    func wrongRequests() async throws {
        let program = try DebuggedProgram([:])
        try await onThread {
            let client = try program.client()
            #expect(try client.failure("gotoTargets") == "the request 'gotoTargets' is not supported")
            for command in ["setBreakpoints", "stackTrace", "scopes", "variables", "setVariable", "evaluate"]
            {
                for arguments: Value in [[:], [1], "x", ["threadId": "x", "frameId": [1], "source": 1]] {
                    #expect(try client.response(command, arguments)["success"] == false)
                }
            }
            client.sendBytes(MessageReader.frame(["type": "request"]))
            client.sendBytes(MessageReader.frame(["type": "response", "seq": 1, "command": "threads"]))
            #expect(try client.request("threads")["threads"].arrayValue?.count == 1)
        }
        program.close()
    }
}
