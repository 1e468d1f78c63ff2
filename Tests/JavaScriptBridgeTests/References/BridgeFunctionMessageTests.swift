import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// Functions in the payloads of a bridge's calls and handlers, in the direct transport.
@Suite(.noLeaks) struct BridgeFunctionMessageTests {
    struct Download: Codable, Sendable {
        var name: String
        var onDone: BridgeFunction
    }

    @Test("a script's function is a property of a request, from the first one on, and is called later")
    func requests() async throws {
        let bridge = try await Bridge.patient(running: "var seen = [], last;")
        try bridge.registerHandler("download") { (download: Download) async throws -> Int in
            try await download.onDone("\(download.name) 1")
            return try await download.onDone("\(download.name) 2")
        }
        for name in ["a", "b", "c"] {
            try await bridge.runtime.evaluate(
                """
                last = undefined;
                bridge.callHandler("download", { name: "\(name)", onDone: async (text) => seen.push(text) })
                    .then(count => { last = count; }, error => { last = error.code + error.message; });
                0
                """
            )
            _ = try await bridge.defined("last")
        }
        #expect(try await bridge.runtime.evaluate("seen") == ["a 1", "a 2", "b 1", "b 2", "c 1", "c 2"])
        #expect(try await bridge.runtime.evaluate("last") == 6)
    }

    @Test("a function is the whole request, also of a notification")
    func bareFunctions() async throws {
        let bridge = try await Bridge.patient(running: "var seen = [];")
        let results = Recorder<Int>()
        try bridge.registerHandler("each") { (function: BridgeFunction) async throws in
            results.add(try await function(results.elements.count))
        }
        try await bridge.runtime.evaluate(
            "for (let i = 0; i < 3; i++) bridge.notify('each', (n) => i * 10); 0"
        )
        await results.wait(for: 3)
        #expect(results.elements.sorted() == [0, 10, 20])
    }

    @Test("a Swift function is a property of a call's data and of a handler's result")
    func functionsOfSwift() async throws {
        let bridge = try await Bridge.patient(
            running: """
                var result;
                bridge.registerHandler("run", async (task) => await task.onDone("from " + task.name));
                bridge.registerHandler("bare", async (f) => await f("bare"));
                """
        )
        let double = BridgeFunction(named: "double") { (text: String) in text + text }
        let reply = try await bridge.callHandler(
            "run",
            with: Download(name: "s", onDone: double),
            returning: String.self
        )
        #expect(reply == "from sfrom s")
        #expect(try await bridge.callHandler("bare", with: double, returning: String.self) == "barebare")
        try bridge.registerHandler("make") { (name: String) in Download(name: name, onDone: double) }
        try await bridge.runtime.evaluate(
            "bridge.callHandler('make', 'x').then(task => task.onDone('y')).then(text => { result = text; }, e => { result = e.message; }); 0"
        )
        #expect(try await bridge.defined("result") == "yy")
    }

    @Test("a script's handler answers with a function, which lives as long as Swift holds it")
    func replies() async throws {
        let bridge = try await Bridge.patient(
            running:
                "var count = 0; bridge.registerHandler('counter', () => ({ name: 'c', onDone: () => ++count }));"
        )
        var download: Download? = try await bridge.callHandler("counter", returning: Download.self)
        try await bridge.runtime.collectGarbage()
        #expect(try await download?.onDone() == 1)
        #expect(try await download?.onDone() == 2)
        download = nil
    }

    @Test("P28 a function whose context is gone fails by name")
    func broken() async throws {
        let bridge = try await Bridge.patient(
            running: "bridge.registerHandler('counter', () => ({ name: 'c', onDone: () => 1 }));"
        )
        let download = try await bridge.callHandler("counter", returning: Download.self)
        try await bridge.reload()
        let error = await #expect(throws: BridgeError.self) { try await download.onDone() as Int }
        #expect(error?.code == .disconnected)
    }
}
