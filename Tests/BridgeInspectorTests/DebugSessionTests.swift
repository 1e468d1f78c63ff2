import BridgeValues
import Foundation
import Testing

@testable import BridgeInspector

/// The translation between the two protocols, without a socket and an engine.
@Suite struct DebugSessionTests {
    /// A session with one context, whose messages and commands are recorded.
    private final class Fixture {
        var messages: [Value] = []
        var commands: [Value] = []
        var isClosed = false
        private(set) var context: InspectedContext!
        private(set) var session: DebugSession!
        private var number = 0

        init() {
            context = InspectedContext(
                id: 1,
                run: { [unowned self] in commands.append(JSONText.value(of: $0) ?? .undefined) }
            )
            session = DebugSession(
                contexts: [context],
                host: DebugSessionHost(
                    send: { [unowned self] in messages.append($0) },
                    attach: { ($0 == "secret", nil) },
                    close: { [unowned self] in isClosed = true }
                )
            )
        }

        func request(_ command: String, _ arguments: Value = [:]) -> Value {
            number += 1
            session.receive([
                "type": "request", "seq": Value(number), "command": .string(command), "arguments": arguments,
            ])
            return messages.last { $0["request_seq"].int == number } ?? .undefined
        }

        /// The last state of the engine's breakpoints that was set.
        var active: Bool? {
            commands.last { $0["method"] == "Debugger.setBreakpointsActive" }?["params"]["active"].boolValue
        }

        func respond(to method: String, _ result: Value) {
            guard let command = commands.last(where: { $0["method"].stringValue == method }) else { return }
            session.receive(response: ["id": command["id"], "result": result], from: context)
        }
    }

    @Test("messages are numbered, and a message that is not a request is ignored")
    func numbering() {
        let fixture = Fixture()
        fixture.session.receive(["type": "event", "seq": 1, "event": "initialized"])
        fixture.session.receive([:])
        #expect(fixture.messages.isEmpty)
        _ = fixture.request("initialize")
        _ = fixture.request("attach", ["token": "secret"])
        #expect(fixture.messages.map { $0["seq"].int } == Array(1...fixture.messages.count))
        fixture.session.receive(["type": "request", "seq": 9])
        #expect(fixture.messages.last?["request_seq"] == 9)
        #expect(fixture.messages.last?["message"] == "the request has no command")
    }

    @Test("nothing reaches the engine before the token, and a wrong one ends the session")
    func token() {
        let fixture = Fixture()
        #expect(fixture.request("evaluate", ["expression": "1"])["success"] == false)
        #expect(fixture.request("attach", ["token": "wrong"])["success"] == false)
        #expect(fixture.isClosed)
        #expect(fixture.commands.isEmpty)
        #expect(fixture.request("attach", ["token": "secret"]) == .undefined)
    }

    @Test("pending commands are limited")
    func limit() {
        let fixture = Fixture()
        _ = fixture.request("attach", ["token": "secret"])
        for _ in 0..<DebugSession.maximumPendingCount {
            #expect(fixture.request("evaluate", ["expression": "1"]) == .undefined)
        }
        let refused = fixture.request("evaluate", ["expression": "1"])
        #expect(refused["message"].stringValue == "too many pending commands (limit 10000)")
    }

    @Test("a breakpoint that is removed before the engine has set it is removed then")
    func lateRemoval() {
        let fixture = Fixture()
        _ = fixture.request("attach", ["token": "secret"])
        let source: Value = ["path": "/a.js"]
        _ = fixture.request("setBreakpoints", ["source": source, "breakpoints": [["line": 4]]])
        _ = fixture.request("setBreakpoints", ["source": source, "breakpoints": []])
        fixture.respond(to: "Debugger.setBreakpointByUrl", ["breakpointId": "b", "locations": []])
        #expect(fixture.commands.last?["method"] == "Debugger.removeBreakpoint")
        #expect(fixture.commands.last?["params"]["breakpointId"] == "b")
    }

    @Test("a context that is closed answers the requests that wait for it")
    func closing() {
        let fixture = Fixture()
        _ = fixture.request("attach", ["token": "secret"])
        #expect(fixture.request("evaluate", ["expression": "1"]) == .undefined)
        fixture.session.remove(fixture.context)
        let answer = fixture.messages.last { $0["command"] == "evaluate" }
        #expect(answer?["message"] == "the context was closed")
    }

    @Test("breakpoints are active while a client is attached, and not before")
    func activity() {
        let fixture = Fixture()
        _ = fixture.request("initialize")
        #expect(fixture.active == nil)
        _ = fixture.request("attach", ["token": "secret"])
        #expect(fixture.active == true)
        fixture.session.close()
        #expect(fixture.active == false)
    }

    @Test("a restart is refused where the program gave no function for it")
    func restart() {
        let fixture = Fixture()
        #expect(fixture.request("initialize")["body"]["supportsRestartRequest"] == false)
        _ = fixture.request("attach", ["token": "secret"])
        #expect(fixture.request("restart")["success"] == false)
    }

    @Test("a session that ends resets the engine")
    func end() {
        let fixture = Fixture()
        _ = fixture.request("attach", ["token": "secret"])
        fixture.commands = []
        _ = fixture.request("disconnect")
        let methods = fixture.commands.compactMap { $0["method"].stringValue }
        #expect(methods.contains("Debugger.setPauseOnDebuggerStatements"))
        #expect(methods.last == "Debugger.resume")
        #expect(fixture.active == false)
        #expect(fixture.isClosed)
    }

    @Test("a step that ends in the package's own scripts continues to the script's")
    func ownScripts() {
        let fixture = Fixture()
        _ = fixture.request("attach", ["token": "secret"])
        _ = fixture.context.add(["scriptId": "1", "url": "jsbridge:internal"])
        _ = fixture.context.add(["scriptId": "2", "url": "app:///a.js"])
        func frames(_ ids: String...) -> Value {
            .array(ids.map { ["callFrameId": "f", "location": ["scriptId": .string($0), "lineNumber": 1]] })
        }
        func lastMethod(_ frames: Value) -> String? {
            let parameters: Value = ["reason": "other", "callFrames": frames]
            fixture.session.receive(event: "Debugger.paused", parameters, from: fixture.context)
            return fixture.commands.last?["method"].stringValue
        }
        #expect(lastMethod(frames("1", "2")) == "Debugger.stepOut")
        #expect(lastMethod(frames("1")) == "Debugger.resume")
        _ = fixture.request("pause", ["threadId": 1])
        #expect(lastMethod(frames("1")) == "Debugger.stepInto")
        #expect(!fixture.messages.contains { $0["event"] == "stopped" })
        _ = lastMethod(frames("2", "1"))
        #expect(fixture.messages.last?["body"]["reason"] == "pause")
        let stack = fixture.request("stackTrace", ["threadId": 1])["body"]["stackFrames"].arrayValue
        #expect(stack?.count == 1)
        #expect(stack?.first?["source"]["sourceReference"] == 2)
    }

    @Test("the configuration of the example attaches with the token that it asks for")
    func example() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Examples/Debugging")
        let text = try String(
            contentsOf: folder.appendingPathComponent(".vscode/launch.json"),
            encoding: .utf8
        )
        let launch = try #require(JSONText.value(of: text))
        let configuration = try #require(launch["configurations"][0].objectValue)
        #expect(configuration["debugServer"] == 9229)
        #expect(configuration["token"] == .string("${input:\(launch["inputs"][0]["id"].stringValue ?? "")}"))
        let package = try String(
            contentsOf: folder.appendingPathComponent("extension/package.json"),
            encoding: .utf8
        )
        let type = JSONText.value(of: package)?["contributes"]["debuggers"][0]["type"]
        #expect(type == configuration["type"])
        var arguments = configuration
        arguments["token"] = "secret"
        let fixture = Fixture()
        let request = try #require(configuration["request"]?.stringValue)
        #expect(fixture.request(request, .object(arguments))["success"] == true)
    }

    @Test("a path matches every name of its script, and no other")
    func paths() throws {
        let expression = try Regex(ScriptPath.expression(of: "/home/a b/x.(1).js", in: "/home"))
        for name in ["/home/a b/x.(1).js", "file:///home/a%20b/x.(1).js", "a b/x.(1).js", "./a b/x.(1).js"] {
            #expect(try expression.wholeMatch(in: name) != nil, "\(name)")
        }
        for name in ["/home/a b/x_(1).js", "x.(1).js", "/other/home/a b/x.(1).js", "a b/x.(1).jsx"] {
            #expect(try expression.wholeMatch(in: name) == nil, "\(name)")
        }
        #expect(ScriptPath.path(ofScript: "file:///a%20b/c.js") == "/a b/c.js")
        #expect(ScriptPath.path(ofScript: "/a/../b.js") == "/b.js")
        #expect(ScriptPath.path(ofScript: "app:///a.js") == nil)
        #expect(ScriptPath.path(ofScript: "<eval>") == nil)
        #expect(ScriptPath.path(ofScript: "") == nil)
    }

    @Test("messages arrive in any pieces")
    func pieces() throws {
        let bytes = MessageReader.frame(["a": 1]) + MessageReader.frame(["b": "é"])
        for size in 1...bytes.count {
            var reader = MessageReader(maximumMessageBytes: 100)
            var found: [Value] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.append(bytes[start..<min(bytes.count, start + size)])
                while let message = try reader.next() { found.append(message) }
            }
            #expect(found == [["a": 1], ["b": "é"]])
        }
    }
}
