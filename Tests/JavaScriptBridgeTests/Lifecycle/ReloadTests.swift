import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// The effects of replacing a context.
@Suite(.noLeaks) struct ReloadTests {
    @Test(
        "P28 R6 calls before a reload settle once with `disconnected`, in order; calls after it reach the new context",
        arguments: BridgeKind.allCases
    )
    func calls(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(pageScript)
        let settled = Recorder<Int>()
        let before = (0..<100).map { number in
            Task {
                defer { settled.add(number) }
                return try await bridge.callHandler("never", with: number)
            }
        }
        while bridge.pendingCallCount < 100 { await Task.yield() }
        async let reloaded: Void = bridge.reload()
        while bridge.epoch == 0 { await Task.yield() }
        // Now in any case, whether the new context exists already or not.
        let after = (0..<100).map { number in
            Task { try await bridge.callHandler("echo", with: number, returning: Int.self) }
        }
        try await reloaded
        #expect(bridge.state == .injected)
        for call in before { #expect(await code(of: call) == .disconnected) }
        #expect(settled.elements.sorted() == Array(0..<100))
        while bridge.pendingCallCount < 100 { await Task.yield() }
        try await bridge.load(.text(pageScript, name: "next.js"))
        #expect(bridge.state == .live && bridge.epoch == 1)
        for (number, call) in after.enumerated() { #expect(try await call.value == number) }
        #expect(bridge.pendingCallCount == 0)
    }

    @Test(
        "P25 P27 messages sent during a reload arrive in order, also those of a handler while it is drained",
        arguments: BridgeKind.allCases
    )
    func startUpQueue(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(pageScript)
        let seen = Recorder<String>()
        try bridge.registerHandler("seen") { [weak bridge] (text: String) in
            seen.add(text)
            if text == "1" { try bridge?.notify("note", with: "inside") }
        }
        async let reloaded: Void = bridge.reload()
        while bridge.epoch == 0 { await Task.yield() }
        for number in 0..<50 { try bridge.notify("note", with: "\(number)") }
        try await reloaded
        for number in 50..<100 { try bridge.notify("note", with: "\(number)") }
        try await bridge.load(
            .text("bridge.registerHandler('note', text => bridge.notify('seen', text))", name: "next.js")
        )
        await seen.wait(for: 101)
        let expected: [String] = (0..<100).map { "\($0)" } + ["inside"]
        #expect(seen.elements == expected)
    }

    @Test("the states of a bridge are reported in order, each once", arguments: BridgeKind.allCases)
    func states(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge()
        let states = bridge.states
        #expect(bridge.state == .injected && bridge.epoch == 0)
        try await bridge.load(.text("1", name: "a.js"))
        try await bridge.reload()
        try await bridge.load(.text("2", name: "b.js"))
        try await bridge.reload(rerunningScripts: true)
        #expect(bridge.epoch == 2)
        bridge.close()
        var seen: [BridgeState] = []
        for await state in states { seen.append(state) }
        let expected: [BridgeState] = [
            .injected, .live, .tearingDown, .injected, .live, .tearingDown, .injected, .live, .dead,
        ]
        #expect(seen == expected)
        #expect(bridge.state == .dead)
        var late = bridge.states.makeAsyncIterator()
        #expect(await late.next() == .dead)
        #expect(await late.next() == nil)
    }

    @Test(
        "nothing of the old context continues: globals, handlers, listeners, timers, promises",
        arguments: BridgeKind.allCases
    )
    func cleanSlate(kind: BridgeKind) async throws {
        let clock = ManualClock()
        let bridge = try await kind.makeBridge {
            $0.clock = clock
            $0.transport = .direct
        }
        let fired = Recorder<String>()
        try bridge.registerHandler("fired") { (text: String) in fired.add(text) }
        let script = """
            var count = (globalThis.count ?? 0) + 1;
            setTimeout(() => bridge.notify("fired", "timer " + count), 1000);
            bridge.on("topic", () => bridge.notify("fired", "event"));
            bridge.registerHandler("count", () => count);
            """
        try await bridge.load(.text(script, name: "old.js"))
        let promise = Task { try await bridge.runtime.evaluateAndWait("new Promise(() => {})") }
        let value = try await bridge.withContext { JSHolder(try $0.evaluate("({ n: 1 })")) }
        try await bridge.withContext { _ in }
        try await bridge.reload()
        clock.advance(by: .seconds(10))
        #expect(try bridge.emit("topic", with: 1) == false)
        try await bridge.load(.text("bridge.registerHandler('new', () => typeof count)", name: "new.js"))
        #expect(try await bridge.callHandler("new", returning: String.self) == "undefined")
        let missing = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("count", with: 1)
        }
        #expect(missing?.code == .handlerNotFound)
        #expect(fired.elements.isEmpty)
        promise.cancel()
        #expect(await code(of: promise) == .disconnected || promise.isCancelled)
        // A value of the old context throws, but does no harm.
        _ = try await bridge.withContext { _ in
            #expect(throws: JSException.self) { try value.value.forProperty("n") }
        }
    }

    @Test("the memory of the old context is released", arguments: BridgeKind.allCases)
    func memory(kind: BridgeKind) async throws {
        let tracker = LeakTracker()
        try await tracker.observeTask {
            let bridge = try await kind.makeBridge()
            for _ in 0..<5 {
                try await bridge.load(
                    .text("globalThis.all = Array.from({ length: 1e5 }, (_, n) => ({ n })); 1", name: "m.js")
                )
                try await bridge.reload()
                #expect(tracker.liveCount(of: "context") == 1)
            }
        }
    }

    @Test(
        "scripts run again in their order, with files as they are now, without failed ones",
        arguments: BridgeKind.allCases
    )
    func rerunning(kind: BridgeKind) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("reload-\(UUID()).js")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("bridge.notify('ran', 'file, first')".utf8).write(to: file)
        let bridge = try await kind.makeBridge()
        let ran = Recorder<String>()
        try bridge.registerHandler("ran") { (text: String) in ran.add(text) }
        try await bridge.load(.text("var n = 1; bridge.notify('ran', 'text')", name: "a.js"))
        await #expect(throws: JSException.self) {
            try await bridge.load(.text("bridge.notify('ran', 'failed'); throw 1", name: "f.js"))
        }
        try await bridge.load(.file(file.path))
        try await bridge.load(
            .text("if (globalThis.again === undefined && n !== 1) throw new Error('n')", name: "c.js")
        )
        await ran.wait(for: 3)
        try Data("bridge.notify('ran', 'file, second'); n = 2".utf8).write(to: file)
        // The third finds what the second has changed: its error is this call's, and the bridge is live.
        let error = await #expect(throws: JSException.self) {
            try await bridge.reload(rerunningScripts: true)
        }
        #expect(error?.sourceURL == "c.js")
        #expect(bridge.state == .live)
        await ran.wait(for: 5)
        #expect(ran.elements == ["text", "failed", "file, first", "text", "file, second"])
        try FileManager.default.removeItem(at: file)
        let gone = await #expect(throws: BridgeError.self) { try await bridge.reload(rerunningScripts: true) }
        #expect(gone?.code == .scriptFailed)
        #expect(bridge.state == .live && bridge.epoch == 1, "nothing has changed")
        try await bridge.reload()
        try await bridge.reload(rerunningScripts: true)
        #expect(bridge.state == .injected, "a reload without them forgets the scripts")
    }

    @Test("the number of remembered scripts is bounded, and a reload reports it")
    func overfull() async throws {
        let bridge = try await BridgeKind.allCases[0].makeBridge()
        for number in 0...1000 { try await bridge.load(.text("\(number)", name: "n.js")) }
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.reload(rerunningScripts: true)
        }
        #expect(error?.code == .limitExceeded)
        #expect(bridge.epoch == 0)
        try await bridge.reload()
        try await bridge.load(.text("1", name: "n.js"))
        try await bridge.reload(rerunningScripts: true)
        #expect(bridge.state == .live)
    }

    @Test(
        "R20 a reload restores a bridge whose script was stopped permanently",
        arguments: BridgeKind.allCases
    )
    func retired(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(
            pageScript + "\nbridge.registerHandler('spin', () => { for (;;) {} })"
        ) {
            $0.executionLimits = .constrained
            $0.executionLimits.processorTime = .milliseconds(250)
            // The tier denies every name that is not granted.
            $0.grants.allow("swift")
        }
        let calls = Recorder<Int>()
        try bridge.registerHandler("swift") { (number: Int) in
            calls.add(number)
            return number
        }
        let waiting = Task { try await bridge.callHandler("never", with: 1) }
        while bridge.pendingCallCount < 1 { await Task.yield() }
        let spinning = Task { try await bridge.callHandler("spin", with: 1) }
        #expect(await code(of: spinning) == .terminated)
        #expect(await code(of: waiting) == .terminated)
        #expect(bridge.state == .dead)
        let refused = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("echo", with: 1)
        }
        #expect(refused?.code == .disconnected)
        try await bridge.reload(rerunningScripts: true)
        #expect(bridge.state == .live)
        #expect(try await bridge.callHandler("echo", with: 7, returning: Int.self) == 7)
        try await bridge.load(.text("bridge.notify('swift', 3)", name: "n.js"))
        await calls.wait(for: 1)
        #expect(calls.elements == [3])
    }

    @Test("a closed bridge is not reloaded", arguments: BridgeKind.allCases)
    func closed(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(pageScript)
        bridge.close()
        let error = await #expect(throws: BridgeError.self) { try await bridge.reload() }
        #expect(error?.code == .disconnected)
        #expect(bridge.state == .dead)
    }
}

/// A value that a test takes out of its turn on purpose.
// @unchecked Sendable because the test uses it inside turns only.
private struct JSHolder: @unchecked Sendable {
    let value: JSValue

    init(_ value: JSValue) { self.value = value }
}

extension JavaScriptRuntime {
    fileprivate nonisolated func evaluateAndWait(_ script: String) async throws -> Value {
        try await awaitPromise { try $0.evaluate(script) }
    }
}
