import BridgeTestKit
import BridgeValues
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

@testable import BridgeInspector
@testable import JavaScriptEngine

/// Scripts that run, pause and end while a client is attached.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct ExecutionTests {
    @Test("an endless loop is paused, inspected and ended by a changed variable")
    func endlessLoop() async {
        await #expect(processExitsWith: .success) {
            // The engine of this process starts without its optimizing compilers.
            let program = try DebuggedProgram([
                "spin.js": """
                let goesOn = true;
                let count = 0;
                console.log('begins');
                while (goesOn) { count += 1; }
                """
            ])
            try #require(!InspectorSupport.usesOptimizingCompilers)
            let load = program.load("spin.js")
            // The loop is hot before a client attaches.
            #expect(await waitUntil { program.printed == ["begins"] })
            let client = try await onThread { try program.client() }
            try await onThread {
                let id = try client.request("threads")["threads"].arrayValue?.first?["id"] ?? 0
                try client.request("pause", ["threadId": id])
                let thread = try client.stopped("pause")
                #expect(try client.stack(thread) == ["global code spin.js:4"])
                let frame = try client.frames(thread)[0]
                #expect(Int(try client.evaluate("count", in: frame)).map { $0 > 0 } == true)
                #expect(try client.evaluate("goesOn = false", in: frame) == "false")
                try client.request("continue", ["threadId": thread])
            }
            try await load.value
            program.close()
        }
    }

    @Test("two machines are paused at the same time, and each continues alone")
    func twoMachines() async throws {
        let server = try DebugServer()
        let text = "let name = 'NAME';\ndebugger;\nconsole.log(name);"
        let programs = try ["one", "two"].map { name in
            try DebuggedProgram(
                ["\(name).js": text.replacing("NAME", with: name)],
                server: server
            )
        }
        let client = try await onThread { try programs[0].client() }
        let loads = [programs[0].load("one.js"), programs[1].load("two.js")]
        try await onThread {
            let threads = [try client.stopped("breakpoint"), try client.stopped("breakpoint")]
            #expect(Set(threads).count == 2)
            let names = try threads.map { try client.evaluate("name", in: try client.frames($0)[0]) }
            #expect(Set(names) == ["\"one\"", "\"two\""])
            try client.request("continue", ["threadId": threads[1]])
            _ = try client.event("output")
            #expect(try client.frames(threads[0]).count == 1)
            try client.request("continue", ["threadId": threads[0]])
        }
        for load in loads { try await load.value }
        for program in programs { program.bridge.close() }
        server.close()
    }

    @Test(
        "a client that goes away at a breakpoint lets the script continue",
        arguments: ["hang up", "disconnect"]
    )
    func departure(way: String) async throws {
        let program = try DebuggedProgram([
            "stop.js": "for (let i = 0; i < 3; i++) debugger;\nconsole.log('end');"
        ])
        let client = try await onThread { try program.client() }
        let load = program.load("stop.js")
        try await onThread {
            _ = try client.stopped("breakpoint")
            if way == "disconnect" { try client.request("disconnect") } else { client.hangUp() }
        }
        try await load.value
        #expect(program.printed == ["end"])
        // The next client finds the script as it is.
        let next = try await onThread { try program.client() }
        let again = program.load("stop.js")
        try await onThread {
            let thread = try next.stopped("breakpoint")
            #expect(try next.stack(thread) == ["global code stop.js:1"])
            try next.request("disconnect")
        }
        try await again.value
        program.close()
    }

    @Test("closing the runtime ends a paused script, and the server notifies the client")
    func closing() async throws {
        let program = try DebuggedProgram(["stop.js": "debugger;\nconsole.log('after');"])
        let client = try await onThread { try program.client() }
        let load = program.load("stop.js")
        let thread = try await onThread { try client.stopped("breakpoint") }
        program.bridge.runtime.close()
        try await onThread {
            let end = try client.event("thread") { $0["reason"] == "exited" }
            #expect(end["threadId"] == thread)
            #expect(try client.request("threads")["threads"] == [])
            #expect(try client.failure("evaluate", ["expression": "1"]) == "no script has been loaded")
        }
        await #expect(throws: (any Error).self) { try await load.value }
        #expect(program.printed == [])
        program.close()
    }

    @Test(
        "closing the server with an exit status lets a paused script continue, and ends the client's session"
    )
    func closingServer() async throws {
        let program = try DebuggedProgram(["stop.js": "debugger;\nconsole.log('after');"])
        let client = try await onThread { try program.client() }
        let load = program.load("stop.js")
        _ = try await onThread { try client.stopped("breakpoint") }
        program.server.close(exitCode: 3)
        try await onThread {
            #expect(try client.event("exited")["exitCode"] == 3)
            _ = try client.event("terminated")
            try client.readToEnd()
        }
        try await load.value
        program.close()
    }

    @Test("a signal that ends the process is announced to a client, after what it has not read yet")
    func announcedEnd() async throws {
        let text =
            "for (let i = 0; i < 200; i++) console.log('x'.repeat(1 << 16));\ndebugger;\nconsole.log('after');"
        let program = try DebuggedProgram(["stop.js": text])
        let client = try await onThread { try program.client() }
        let load = program.load("stop.js")
        while program.printed.count < 200 { await Task.yield() }
        // 13 MB are more than a socket takes.
        #expect(try await onThread { program.server.announceEnd(within: 0) } == false)
        try await onThread { _ = try client.event("terminated") }
        #expect(try await onThread { program.server.announceEnd() })
        try await onThread {
            let thread = try client.stopped("breakpoint")
            _ = try client.event("terminated")
            #expect(program.printed.count == 200, "the script is still paused")
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }

    @Test("the time at a breakpoint does not count for the limits of a turn")
    func limits() async throws {
        let server = try DebugServer()
        let clock = ManualClock()
        var configuration = BridgeConfiguration()
        configuration.isolation = .thread
        configuration.inspector = server
        configuration.clock = clock
        configuration.executionLimits.wallTime = .seconds(5)
        let bridge = try Bridge(configuration: configuration)
        let client = try await onThread {
            let client = try DebugClient(port: server.port)
            try client.attach(server.token)
            return client
        }
        let run = Task { try await bridge.withContext { try $0.evaluate("debugger; 7").toValue() } }
        try await onThread {
            let thread = try client.stopped("breakpoint")
            let frame = try client.frames(thread)[0]
            // The answer comes from the wait at the breakpoint, which has begun.
            #expect(try client.evaluate("6 * 7", in: frame) == "42")
            clock.advance(by: .seconds(60))
            #expect(try client.evaluate("6 * 7", in: frame) == "42")
            try client.request("continue", ["threadId": thread])
        }
        #expect(try await run.value == 7)
        bridge.close()
        server.close()
    }

    @Test("a context that replaces another one has the breakpoints too")
    func replacement() async {
        await #expect(processExitsWith: .success) {
            // The engine of this process starts without its optimizing compilers, which a second context needs.
            let program = try DebuggedProgram(["stop.js": "let a = 1;\na += 1;"])
            let client = try await onThread {
                let client = try program.client()
                try client.setBreakpoints(program.path("stop.js"), [["line": 2]])
                return client
            }
            let first = program.load("stop.js")
            let id = try await onThread {
                let thread = try client.stopped("breakpoint")
                try client.request("continue", ["threadId": thread])
                return thread
            }
            try await first.value
            let reload = Task { try await program.bridge.reload(rerunningScripts: true) }
            try await onThread {
                let thread = try client.stopped("breakpoint")
                #expect(thread != id)
                try client.request("continue", ["threadId": thread])
            }
            try await reload.value
            program.close()
        }
    }

    @Test("a client that may end the program does")
    func termination() async throws {
        let flag = EndFlag()
        let server = try DebugServer(terminate: { flag.end() })
        try await onThread {
            let client = try DebugClient(port: server.port)
            #expect(try client.request("initialize")["supportsTerminateRequest"] == true)
            #expect(try client.failure("terminate").contains("needs 'attach'"))
            try client.attach(server.token)
            try client.request("terminate")
        }
        #expect(flag.isSet)
        server.close()
    }
}

private final class EndFlag: Sendable {
    private let isEnded = Mutex(false)
    func end() { isEnded.withLock { $0 = true } }
    var isSet: Bool { isEnded.withLock { $0 } }
}
