import BridgeTesting
import Foundation
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

/// The end of a bridge whose runtime is closed while calls are pending.
@Suite struct RuntimeClosingTests {
    /// A case of the table: the pending work, the kind of bridge, and the way in which the runtime is closed.
    struct Case: Sendable, CustomTestStringConvertible {
        let wait: Wait
        let kind: BridgeKind
        let way: Way

        static let all = Wait.allCases.flatMap { wait in
            BridgeKind.allCases.flatMap { kind in Way.allCases.map { Case(wait: wait, kind: kind, way: $0) } }
        }

        var testDescription: String { "R6 \(wait), \(kind.testDescription), \(way)" }
    }

    /// The way in which the runtime is closed.
    enum Way: String, CaseIterable {
        case fromOutside
        case fromAnotherThreadWhileScriptRuns
        case insideHandler
        case insideCallback
        case afterBridge

        func close(_ bridge: Bridge, _ page: Page) async throws {
            switch self {
            case .fromOutside: bridge.runtime.close()
            case .afterBridge:
                bridge.close()
                bridge.runtime.close()
            case .insideHandler:
                try await bridge.runtime.evaluate("bridge.notify('close'); 0")
            case .insideCallback:
                bridge.legacy.callHandler("echo", data: 1) { _ in bridge.runtime.close() }
            case .fromAnotherThreadWhileScriptRuns:
                await page.runEndlessScript(in: bridge) { bridge.runtime.close() }
            }
        }
    }

    /// The observations of a bridge in these tests.
    struct Page: Sendable {
        let log = Recorder<String>()
        let stopped = Recorder<Void>()
        /// The promises that the engine has made for the callers.
        let promises = Recorder<Void>()
        /// The semaphore that is signalled when the endless script runs.
        let running = DispatchSemaphore(value: 0)

        static let script = """
            const never = () => new Promise(() => {});
            bridge.registerHandler("echo", data => data);
            bridge.registerHandler("never", never);
            bridge.registerHandler("give", () => [never, bridge.reference({ never })]);
            bridge.registerHandler("silent", async function* () { await never(); });
            bridge.registerHandler("once", async function* () { yield 1; await never(); });
            bridge.registerHandler("ask", name => { bridge.callHandler(name, 1).catch(() => {}); return 1; });
            bridge.registerHandler("read", name => {
                (async () => { for await (const item of bridge.openStream(name, 1)) await never(); })().catch(() => {});
                return 1;
            });
            globalThis.never = () => { console.log("waiting"); return never(); }; 0
            """

        /// Runs an endless script and calls a body while it runs; returns when the script was stopped.
        ///
        /// Both on new threads: those that tasks share, of which a small machine has two, may all be blocked by waiters
        /// for the script's turn.
        func runEndlessScript(in bridge: Bridge, until stop: @escaping @Sendable () -> Void) async {
            Thread.detachNewThread {
                _ = try? bridge.runtime.withContextAndWait { context in
                    try context.evaluate("console.log('running'); for (;;) {}").toValue()
                }
                stopped.add(())
            }
            Thread.detachNewThread {
                running.wait()
                stop()
            }
            await stopped.wait(for: 1)
        }

        func makeBridge(_ kind: BridgeKind, _ change: (inout BridgeConfiguration) -> Void = { _ in })
            async throws -> Bridge
        {
            try await kind.makeBridge(Self.script) {
                $0.consoleSink = {
                    if $0.text == "waiting" { promises.add(()) }
                    if $0.text == "running" { running.signal() }
                }
                $0.logSink = { log.add($0.text) }
                change(&$0)
            }
        }
    }

    /// A pending operation, and the way in which its end is observed.
    enum Wait: String, CaseIterable {
        case call, callOfNothing, callWithProgress, callInInterceptor, callBeforeScript, callback
        case function, method, pipelined
        case opening, stream, streamAfterItem
        case event, state
        case promise, awaitedBody
        case handler, producer

        /// Begins to wait.
        ///
        /// - Returns: A task with the code of the error that ended the wait; `nil` if a sequence has ended.
        func begin(_ bridge: Bridge, _ page: Page) async throws -> Task<BridgeErrorCode?, Never> {
            let waiting = Recorder<Void>()
            func waits(_ body: @escaping @Sendable () async throws -> Void) -> Task<BridgeErrorCode?, Never> {
                Task { await code(of: Task { try await body() }) }
            }
            let task: Task<BridgeErrorCode?, Never>
            switch self {
            case .call, .callBeforeScript: task = waits { try await bridge.callHandler("never", with: 1) }
            case .callOfNothing: task = waits { try await bridge.callHandler("never") }
            case .callWithProgress:
                task = waits {
                    _ = try await bridge.callHandler("never", with: 1, returning: Int.self) { (_: Int) in }
                }
            case .callInInterceptor:
                let interceptor = bridge.addInterceptor { call, next in try await next(call) }
                task = waits {
                    defer { withExtendedLifetime(interceptor) {} }
                    try await bridge.callHandler("never", with: 1)
                }
            case .callback:
                bridge.legacy.callHandler("never", data: 1) { _ in page.stopped.add(()) }
                // A callback receives no error: the log does.
                task = Task {
                    while !page.log.elements.contains(where: { $0.contains("disconnected") }) {
                        await Task.yield()
                    }
                    return .disconnected
                }
            case .function:
                let given = try await bridge.callHandler("give", returning: Value.self)
                let function = try ValueDecoder().decode(BridgeFunction.self, from: given[0])
                task = waits { try await function(1) }
            case .method:
                let given = try await bridge.callHandler("give", returning: Value.self)
                let object = try ValueDecoder().decode(BridgeObject.self, from: given[1])
                task = waits { try await object.call("never") }
            case .pipelined:
                let result = try bridge.pipeline("never", with: 1)
                task = waits { _ = try await result.value(as: Int.self) }
            case .opening: task = waits { _ = try await bridge.openStream("never", of: Int.self) }
            case .stream:
                let stream = try await bridge.openStream("silent", of: Int.self)
                task = waits { for try await _ in stream {} }
            case .streamAfterItem:
                let stream = try await bridge.openStream("once", of: Int.self)
                task = waits { for try await _ in stream { waiting.add(()) } }
                await waiting.wait(for: 1)
            case .event:
                let events = bridge.events("topic", of: Int.self)
                task = waits { for await _ in events {} }
            case .state:
                let states = bridge.states
                task = waits { for await _ in states {} }
            case .promise:
                task = waits { _ = try await bridge.runtime.callAsync("never") }
                await page.promises.wait(for: 1)
            case .awaitedBody:
                task = waits {
                    _ = try await bridge.runtime.awaitPromise { try $0.globalObject.invokeMethod("never") }
                }
                await page.promises.wait(for: 1)
            case .handler:
                let ended = Recorder<Void>()
                try bridge.registerHandler("slow") { (_: Value) async throws -> Int in
                    waiting.add(())
                    defer { ended.add(()) }
                    try await Task.sleep(for: .seconds(3600))
                    return 1
                }
                try await bridge.callHandler("ask", with: "slow")
                await waiting.wait(for: 1)
                task = Task {
                    await ended.wait(for: 1)
                    return nil
                }
            case .producer:
                let ended = Recorder<Void>()
                try bridge.registerHandler("items") { (_: Value) in
                    AsyncStream<Int> { continuation in
                        continuation.onTermination = { _ in ended.add(()) }
                        continuation.yield(1)
                        waiting.add(())
                    }
                }
                try await bridge.callHandler("read", with: "items")
                await waiting.wait(for: 1)
                task = Task {
                    await ended.wait(for: 1)
                    return nil
                }
            }
            while isCall, bridge.pendingCallCount < 1 { await Task.yield() }
            return task
        }

        private var isCall: Bool {
            switch self {
            case .call, .callOfNothing, .callWithProgress, .callInInterceptor, .callBeforeScript, .callback,
                .function, .method, .pipelined, .opening:
                true
            default: false
            }
        }

        var expected: BridgeErrorCode? {
            switch self {
            case .event, .state, .handler, .producer: nil
            default: .disconnected
            }
        }
    }

    @Test("R6 all pending operations are notified when the runtime is closed", arguments: Case.all)
    func table(_ item: Case) async throws {
        let page = Page()
        let bridge =
            item.wait == .callBeforeScript
            ? try await item.kind.makeBridge()
            : try await page.makeBridge(item.kind)
        // Without a script nothing could close it.
        let way = item.wait == .callBeforeScript && item.way != .afterBridge ? .fromOutside : item.way
        try bridge.registerHandler("close") { (_: Value) in bridge.runtime.close() }
        let task = try await item.wait.begin(bridge, page)
        // In an interceptor, or in a handler's task, this task ends with the runtime as well.
        do { try await way.close(bridge, page) } catch let error as JSException where error.isTermination {}
        #expect(await task.value == item.wait.expected)
        #expect(bridge.state == .dead)
        #expect(bridge.pendingCallCount == 0)
        #expect(await code(of: Task { try await bridge.callHandler("echo", with: 1) }) == .disconnected)
        #expect(await code(of: Task { try await bridge.load(.text("1", name: "b.js")) }) == .disconnected)
        #expect(await code(of: Task { try await bridge.reload() }) == .disconnected)
        #expect(await code(of: Task { _ = try await bridge.runtime.callAsync("never") }) == .disconnected)
    }

    @Test(
        "R6 a call whose script runs when the runtime is closed gets `disconnected`, not the end of that script",
        arguments: BridgeKind.allCases
    )
    func runningCall(kind: BridgeKind) async throws {
        let closing = Mutex<Bridge?>(nil)
        let bridge = try await kind.makeBridge(
            "bridge.registerHandler('spin', () => { console.log('running'); for (;;) {} });"
        ) {
            $0.consoleSink = { _ in
                Thread.detachNewThread { closing.withLock { $0.take() }?.runtime.close() }
            }
        }
        closing.withLock { $0 = bridge }
        #expect(await code(of: Task { try await bridge.callHandler("spin", with: 1) }) == .disconnected)
    }

    @Test(
        "R6 a callback gets the result that arrived before the runtime was closed",
        arguments: BridgeKind.allCases
    )
    func callbackWithResult(kind: BridgeKind) async throws {
        let page = Page()
        let bridge = try await page.makeBridge(kind)
        let results = Recorder<Value>()
        // Both replies arrive in one turn, which the first callback ends.
        bridge.legacy.callHandler("echo", data: 1) { value in
            results.add(value)
            bridge.runtime.close()
        }
        bridge.legacy.callHandler("echo", data: 2) { results.add($0) }
        // The other callback has its result already, or the log reports that it gets none.
        var isLogged: Bool { page.log.elements.contains { $0.contains("disconnected") } }
        while results.elements.count < 2, !isLogged { await Task.yield() }
        #expect(results.elements == (isLogged ? [1] : [1, 2]))
        #expect(await code(of: Task { try await bridge.callHandler("echo", with: 1) }) == .disconnected)
    }

    @Test("R6 10,000 calls settle when the runtime is closed, each once", arguments: BridgeKind.allCases)
    func manyCalls(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(pageScript) {
            $0.limits.maximumPendingCalls = 20_000
            $0.limits.maximumQueuedMessages = 20_000
            $0.executionLimits.maximumPendingPromises = 20_000
        }
        let codes = Recorder<BridgeErrorCode?>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    codes.add(await code(of: Task { try await bridge.callHandler("never", with: number) }))
                }
            }
            while bridge.pendingCallCount < 10_000 { await Task.yield() }
            bridge.runtime.close()
            await group.waitForAll()
        }
        #expect(codes.elements.count == 10_000 && codes.elements.allSatisfy { $0 == .disconnected })
    }

    @Test(
        "R6 R20 pending operations settle with `terminated` when the script is stopped permanently",
        arguments: Wait.allCases.filter { $0.expected != nil && $0 != .callBeforeScript && $0 != .callback },
        BridgeKind.allCases
    )
    func retirement(wait: Wait, kind: BridgeKind) async throws {
        let page = Page()
        let bridge = try await page.makeBridge(kind) {
            $0.executionLimits.terminationPolicy = .retires
            $0.executionLimits.processorTime = nil
        }
        let task = try await wait.begin(bridge, page)
        await page.runEndlessScript(in: bridge) { bridge.runtime.interrupt(reason: "a test") }
        let ended = await task.value
        // An await of the engine itself throws the engine's own exception.
        #expect(ended == .terminated || ended == nil && (wait == .promise || wait == .awaitedBody))
        #expect(bridge.state == .dead)
    }

    @Test("a closed runtime's turn that was about to begin runs nothing", arguments: BridgeKind.allCases)
    func turnThatBegins(kind: BridgeKind) async throws {
        for _ in 0..<50 {
            let page = Page()
            let bridge = try await page.makeBridge(kind)
            let ended = Recorder<Void>()
            let begun = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                begun.signal()
                _ = try? bridge.runtime.withContextAndWait { context in
                    try context.evaluate("for (;;) {}").toValue()
                }
                ended.add(())
            }
            let promise = Task { _ = try await bridge.runtime.callAsync("never") }
            // On a new thread: waiters for the script's turn may block all threads that tasks share.
            Thread.detachNewThread {
                begun.wait()
                bridge.runtime.close()
            }
            await ended.wait(for: 1)
            #expect(await code(of: promise) == .disconnected)
        }
    }
}
