import BridgeTesting
import BridgeValues
import Dispatch
import Foundation
import JavaScriptBridge
import Synchronization
import Testing

/// The rules under load: a part in every run, all of it if `JSBRIDGE_STRESS` is set.
@Suite("Load", .serialized)
struct LoadTests {
    private static let isProof = ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] != nil

    // Calls have no deadline: with a real clock, other work of the machine would make them fail.
    private static var configuration: BridgeConfiguration {
        var configuration = BridgeConfiguration()
        configuration.defaultTimeout = nil
        return configuration
    }

    private static func makeBridge(
        _ transport: BridgeConfiguration.Transport = .direct,
        running script: String = "",
        _ change: (inout BridgeConfiguration) -> Void
    ) async throws -> Bridge {
        var configuration = configuration
        configuration.transport = transport
        change(&configuration)
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text(script, name: "page.js"))
        return bridge
    }

    @Test(
        "R5 R6 10,000 pending calls end in a second, each with `disconnected`, each once",
        .enabled(if: TimeUse.isKnown, "this kernel does not tell how long threads wait for a processor")
    )
    func teardown() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            for transport in [BridgeConfiguration.Transport.direct, .text] {
                try await LoadTests.tearDownCallsOfSwift(transport)
                try await LoadTests.tearDownCallsOfScript(transport)
            }
        }
        print(String(decoding: result.standardOutputContent, as: UTF8.self))
    }

    private static let pendingCount = 10_000

    private static func tearDownCallsOfSwift(_ transport: BridgeConfiguration.Transport) async throws {
        let script = #"bridge.registerHandler("never", () => new Promise(() => {}));"#
        let bridge = try await makeBridge(transport, running: script) {
            $0.executionLimits.maximumPendingPromises = 2 * pendingCount
        }
        let codes = Recorder<BridgeErrorCode?>()
        for number in 0..<pendingCount {
            Task {
                do {
                    try await bridge.callHandler("never", with: number)
                    codes.add(nil)
                } catch {
                    codes.add((error as? BridgeError)?.code)
                }
            }
        }
        while bridge.pendingCallCount < pendingCount { await Task.yield() }
        try await tearDown(bridge, "calls of Swift, \(transport)") { await codes.wait(for: pendingCount) }
        #expect(codes.elements.count == pendingCount && codes.elements.allSatisfy { $0 == .disconnected })
        #expect(bridge.pendingCallCount == 0)
    }

    private static func tearDownCallsOfScript(_ transport: BridgeConfiguration.Transport) async throws {
        let printed = Recorder<String>()
        let bridge = try await makeBridge(transport) {
            $0.executionLimits.maximumPendingPromises = 2 * pendingCount
            $0.consoleSink = { printed.add($0.text) }
        }
        let (begun, ended) = (Recorder<Int>(), Recorder<Int>())
        try bridge.registerHandler("never") { (number: Int) async throws in
            begun.add(number)
            // Waits until its task is cancelled.
            for await _ in AsyncStream<Int>.makeStream().stream {}
            ended.add(number)
        }
        // Otherwise each text message waits for a timer, which a closed bridge does not have.
        let script = """
            \(transport == .text ? "WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();" : "")
            const codes = {};
            let settled = 0;
            for (let n = 0; n < \(pendingCount); n++) {
                bridge.callHandler("never", n).then(() => "an answer", error => error.code).then(code => {
                    codes[code] = (codes[code] ?? 0) + 1;
                    if (++settled === \(pendingCount)) console.log(JSON.stringify(codes));
                });
            }
            """
        try await bridge.load(.text(script, name: "calls.js"))
        await begun.wait(for: pendingCount)
        try await tearDown(bridge, "calls of a script, \(transport)") {
            await printed.wait(for: 1)
            await ended.wait(for: pendingCount)
        }
        #expect(printed.elements == [#"{"disconnected":\#(pendingCount)}"#])
        #expect(Set(ended.elements) == Set(0..<pendingCount) && ended.elements.count == pendingCount)
    }

    /// Closes a bridge and waits until every caller is notified.
    ///
    /// The machine may have other work, so that not all elapsed time counts. The time in which runnable threads of this
    /// process had no processor is excluded. The rest is work, or waiting for events.
    private static func tearDown(
        _ bridge: Bridge,
        _ what: String,
        _ allKnow: () async -> Void
    ) async throws {
        let start = try TimeUse.Moment()
        let closing = try TimeUse.ofThread { bridge.close() }
        await allKnow()
        let use = try TimeUse(since: start)
        print("load: \(pendingCount) pending \(what), torn down in \(use); closing took \(closing)")
        #expect(use.own < teardownLimit, "\(use)")
        // Other threads work meanwhile, which hides whether the closing thread waits.
        #expect(closing.idle < teardownLimit, "it waited: \(closing)")
    }

    @Test("R27 R30 bridges are created, called and closed from four threads, without leaks", .noLeaks)
    func cycles() async throws {
        let count = Self.isProof ? 10_000 : 200
        let failures = Recorder<String>()
        let memory = MemoryFifths(count: count)
        let done = Mutex(0)
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in
            let left = Mutex(4)
            for number in 0..<4 {
                Thread.detachNewThread {
                    for cycle in 0..<(count / 4) {
                        do { try Self.cycle(number * count + cycle) } catch { failures.add("\(error)") }
                        done.withLock { done in
                            done += 1
                            if memory.isDue(after: done) { memory.note() }
                        }
                    }
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { continuation.resume() }
                }
            }
        }
        let growth = memory.growth.formatted(.percent.precision(.fractionLength(1)))
        print("load: \(count) cycles in \(ContinuousClock.now - start), \(memory), last fifth \(growth)")
        #expect(failures.elements.isEmpty)
        // 10,000 contexts at the same time would need gigabytes; the engine's own heaps retain some megabytes.
        if Self.isProof { #expect(memory.growth < 0.1, "\(memory)") }
    }

    /// The maximum time to end 10,000 calls; code without optimization takes several times as long.
    private static var teardownLimit: Duration {
        #if DEBUG
            .seconds(4)
        #else
            .seconds(1)
        #endif
    }

    private static func cycle(_ number: Int) throws {
        let bridge = try Bridge(configuration: configuration)
        defer { bridge.close() }
        try bridge.legacy.registerHandler("double") { data, reply in
            if case .integer(let number) = data { reply(.integer(2 * number)) }
        }
        let answer = Mutex<Value>(.undefined)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let script = "bridge.registerHandler('ask', n => bridge.callHandler('double', n))"
            do { _ = try await bridge.load(.text(script, name: "page.js")) } catch {
                answer.withLock { $0 = .string("\(error)") }
            }
            isDone.signal()
        }
        isDone.wait()
        bridge.legacy.callHandler("ask", data: .integer(Int64(number))) { value in
            answer.withLock { $0 = value }
            isDone.signal()
        }
        isDone.wait()
        let value = answer.withLock { $0 }
        guard value == .integer(Int64(2 * number)) else {
            throw BridgeError(.internal, "\(number) came back as \(value)")
        }
    }

    @Test("R22 the queue of a busy engine is bounded: notifications, calls and events are `overloaded`")
    func boundedQueue() async throws {
        let script =
            "globalThis.n = 0; bridge.registerHandler('count', () => { n += 1; }); bridge.on('topic', () => {});"
        let bridge = try await Self.makeBridge(running: script) { $0.limits.maximumQueuedMessages = 5 }
        // Inside a turn no message is delivered.
        try await bridge.withContext { _ in
            for number in 0..<5 { try bridge.notify("count", with: number) }
            let notified = #expect(throws: BridgeError.self) { try bridge.notify("count", with: 5) }
            #expect(notified?.code == .overloaded)
            let emitted = #expect(throws: BridgeError.self) { try bridge.emit("topic", with: 1) }
            #expect(emitted?.code == .overloaded)
        }
        // The accepted messages arrive, and then there is space again.
        #expect(try await bridge.callHandler("count", returning: Value?.self) == nil)
        let count = try await bridge.withContext { try $0.globalObject.forProperty("n").toInt64() }
        #expect(count == 6)
        bridge.close()
    }

    @Test(
        "R22 a flood of messages to a slow handler is accepted or refused, one by one, with constant memory"
    )
    func flood() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            try await LoadTests.sendFlood()
        }
        print(String(decoding: result.standardOutputContent, as: UTF8.self))
    }

    // In a process of its own, because its memory is measured and other tests run in parallel.
    private static func sendFlood() async throws {
        let count = Self.isProof ? 10_000_000 : 200_000
        let script = """
            globalThis.received = 0;
            globalThis.sum = 0;
            bridge.registerHandler("slow", n => {
                received += 1;
                for (let i = 0; i < 20000; i++) sum += Math.sqrt(i + n);
            });
            """
        let bridge = try await makeBridge(running: script) { $0.limits.maximumQueuedMessages = 1_000 }
        let memory = MemoryFifths(count: count)
        var (taken, refused, received) = (0, 0, 0)
        let start = ContinuousClock.now
        for number in 0..<count {
            do {
                try bridge.notify("slow", with: number)
                taken += 1
            } catch let error as BridgeError where error.code == .overloaded {
                refused += 1
            }
            // Memory is compared when the queue is empty. The queue is ordered, so that this follows all accepted
            // messages.
            guard memory.isDue(after: number + 1) else { continue }
            while received < taken {
                let value = try await bridge.withContext {
                    try $0.globalObject.forProperty("received").toValue()
                }
                guard case .integer(let count) = value else {
                    throw BridgeError(.internal, "received is \(value)")
                }
                let now = Int(count)
                #expect(now >= received)
                received = now
            }
            memory.note()
        }
        let time = ContinuousClock.now - start
        print("load: \(count) sends in \(time), \(taken) taken, \(refused) refused, \(memory)")
        #expect(taken + refused == count)
        #expect(received == taken)
        #expect(refused > 0)
        #expect(memory.leak < 8 && memory.growthInMegabytes < 32, "\(memory)")
        bridge.close()
    }

    @Test(
        "R22 a script's flood of messages to a slow Swift handler is handled or dropped, with constant memory"
    )
    func floodFromScript() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            try await LoadTests.sendFloodFromScript()
        }
        print(String(decoding: result.standardOutputContent, as: UTF8.self))
    }

    private static func sendFloodFromScript() async throws {
        let (batch, room) = (10_000, 1_000)
        let batches = (Self.isProof ? 10_000_000 : 200_000) / batch
        let lines = Recorder<String>()
        let bridge = try await makeBridge {
            $0.limits.maximumNotifications = room
            $0.logSink = { lines.add($0.text) }
        }
        let work = Mutex((begun: 0, done: 0, late: 0))
        let gate = Recorder<Int>()
        try bridge.registerHandler("slow") { (number: Int) async throws in
            let round = number / batch
            work.withLock { work in
                work.begun += 1
                // The first ones of each round are accepted; those beyond the limit are dropped.
                if number % batch >= room { work.late += 1 }
            }
            await gate.wait(for: round + 1)
            work.withLock { $0.done += 1 }
        }
        let memory = MemoryFifths(count: batches * batch)
        let start = ContinuousClock.now
        for round in 0..<batches {
            let first = round * batch
            try await bridge.runtime.evaluate(
                "for (let n = \(first); n < \(first + batch); n++) bridge.notify('slow', n); 0"
            )
            gate.add(round)
            while work.withLock({ $0.done < (round + 1) * room }) { await Task.yield() }
            if memory.isDue(after: first + batch) { memory.note() }
        }
        let (begun, _, late) = work.withLock { $0 }
        print(
            "load: \(batches * batch) sends of a script in \(ContinuousClock.now - start), \(begun) worked on, \(memory)"
        )
        #expect(begun == batches * room && late == 0)
        // Reported once, twice, four times, and so on: a flood does not fill the log.
        #expect(lines.elements.contains { $0.contains("overloaded") })
        #expect(lines.elements.count < 100)
        #expect(memory.leak < 8 && memory.growthInMegabytes < 32, "\(memory)")
        bridge.close()
    }

    @Test("R22 traced calls leak nothing, and neither do payloads that are too deep")
    func floodOfTraces() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            try await LoadTests.callTraced()
            try LoadTests.encodeTooDeep()
        }
        print(String(decoding: result.standardOutputContent, as: UTF8.self))
    }

    private static func callTraced() async throws {
        let count = Self.isProof ? 1_000_000 : 20_000
        let traced = Atomic(0)
        let bridge = try await makeBridge(running: "bridge.registerHandler('twice', n => n * 2);") {
            $0.traceLevel = .calls
            $0.traceSink = { _ in traced.add(1, ordering: .relaxed) }
        }
        let memory = MemoryFifths(count: count)
        for number in 0..<count {
            let answer = try await bridge.callHandler("twice", with: number, returning: Int.self)
            #expect(answer == 2 * number)
            if memory.isDue(after: number + 1) { memory.note() }
        }
        print("load: \(count) traced calls, \(memory)")
        #expect(traced.load(ordering: .relaxed) >= 3 * count)
        #expect(memory.leak < 8, "\(memory)")
        bridge.close()
    }

    private struct Tree: Codable {
        var children: [Tree]
    }

    private static func encodeTooDeep() throws {
        let count = Self.isProof ? 100_000 : 2_000
        var limits = ExecutionLimits()
        limits.maximumDepth = 10
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        var tree = Tree(children: [])
        for _ in 0..<20 { tree = Tree(children: [tree]) }
        let memory = MemoryFifths(count: count)
        for number in 0..<count {
            #expect(throws: BridgeError.self) { try JSValue(encoding: tree, in: context) }
            if memory.isDue(after: number + 1) { memory.note() }
        }
        print("load: \(count) payloads that are too deep, \(memory)")
        #expect(memory.leak < 8, "\(memory)")
    }
}
