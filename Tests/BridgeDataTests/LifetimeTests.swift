import BridgeData
import BridgeTesting
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Synchronization
import TestSupport
import Testing

/// Returns the strong reference count of an object in Swift's runtime.
@_silgen_name("swift_retainCount")
private func swiftRetainCount(_ object: UnsafeMutableRawPointer) -> UInt

@Suite struct LifetimeTests {
    private final class Canary: Sendable {}

    @Test(
        "L3 a bridge without references is released with its context, handlers and live queries with listeners"
    )
    func bridgeGoes() async throws {
        weak var bridge: Bridge?
        weak var canary: Canary?
        weak var store: SQLiteStore?
        try await {
            let held = Canary()
            canary = held
            let opened = try SQLiteStore(location: .memory)
            store = opened
            let made = try Bridge(
                configuration: .patient,
                data: DataConfiguration(stores: ["default": opened])
            )
            bridge = made
            try made.registerHandler("hold") { (_: Value) -> Value in
                _ = held
                return .null
            }
            try await made.load(
                .text(
                    """
                    const store = bridge.store();
                    store.createEntity("x", { n: "integer" });
                    const query = store.fetch("x", { sort: "n" });
                    query.onChange(() => {});
                    bridge.registerHandler("back", x => x);
                    bridge.callHandler("hold");
                    store.insert("x", { n: 1 });
                    """,
                    name: "x.js"
                )
            )
            #expect(try await made.callHandler("back", with: 5, returning: Int.self) == 5)
        }()
        // The runtime's last job may still be ending.
        #expect(await waitUntil { bridge == nil })
        #expect(await waitUntil { canary == nil })
        #expect(await waitUntil { store == nil })
    }

    /// Runs a script with a store of a thousand rows, which counts its observers.
    private func run(_ script: String) async throws -> (results: [Value], store: ObservedStore) {
        let store = ObservedStore(try SQLiteStore(location: .memory))
        let results = Recorder<Value>()
        let data = DataConfiguration(stores: ["default": store])
        var configuration = BridgeConfiguration.patient
        // Ten thousand rounds take more than a script's thirty seconds under a sanitizer.
        configuration.executionLimits.processorTime = nil
        let bridge = try Bridge(configuration: configuration, data: data)
        try bridge.registerHandler("report") { (value: Value) in results.add(value) }
        try bridge.registerHandler("observers") { (_: Value) in store.observers }
        let head = """
            const report = value => bridge.notify('report', value);
            const store = bridge.store();
            store.createEntity("x", { n: "integer" });
            store.transaction(() => { for (let n = 0; n < 100; n++) store.insert("x", { n }); });

            """
        try await bridge.load(.text(head + script, name: "test.js"))
        await bridge.waitUntilIdle()
        return (results.elements, store)
    }

    @Test("L2 a closed query is a dead handle: every method throws an error with the reason")
    func deadHandle() async throws {
        let (results, store) = try await run(
            """
            const query = store.fetch("x", { sort: "n" });
            query.onChange(() => report("heard"));
            query.close();
            query.close();
            const message = body => { try { body(); return "nothing"; } catch (error) { return error.message; } };
            report([
                () => query.count, () => query.version, () => query.numberOfSections, () => query.numberOfItems(0),
                () => query.section(0), () => query.window(0), () => query.item(0, 0), () => query.indexOf(1),
                () => query.snapshot(), () => [...query], () => query.onChange(() => {}), () => query.saveState(),
                () => query.restoreState({}),
            ].map(message));
            store.insert("x", { n: 1 });
            """
        )
        #expect(results == [.array(Array(repeating: "the query was closed", count: 13))])
        #expect(store.observers == 0)
    }

    private final class Counted: Sendable {
        let onEnd: @Sendable () -> Void
        init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
        deinit { onEnd() }
    }

    @Test(
        "L4 a script's handle is one retain of its object, in any number of variables, until it is collected"
    )
    func oneRetain() async throws {
        let bridge = try Bridge(configuration: .patient)
        let ends = Recorder<Bool>()
        let counts = try await bridge.withContext { context in
            let object = Unmanaged.passRetained(Counted { ends.add(true) })
            let count = { swiftRetainCount(object.toOpaque()) }
            try context.globalObject.setValue(
                JSValue(object: object.takeUnretainedValue(), in: context),
                forProperty: "held"
            )
            // The script's reference is the only one now.
            object.release()
            var counts = [count()]
            try context.evaluate("globalThis.other = held; globalThis.list = [held, other];")
            counts.append(count())
            return counts
        }
        #expect(counts == [1, 1])
        #expect(ends.elements.isEmpty)
        try await bridge.runtime.evaluate("held = other = list = undefined; 0")
        for _ in 0..<500 where ends.elements.isEmpty { try await bridge.runtime.collectGarbage() }
        #expect(ends.elements == [true])
    }

    @Test(
        "L4 disposing of a query releases its rows at the call, the collector the rest; 10,000 rounds leave nothing"
    )
    func handles() async throws {
        // Every query refers to its bridge's clock, and so does its observation of the store, so they are counted
        // there.
        let clock = ManualClock()
        let store = ObservedStore(try SQLiteStore(location: .memory))
        var configuration = BridgeConfiguration.patient
        configuration.clock = clock
        let bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": store])
        )
        func count(after script: String) async throws -> Int {
            try await bridge.withContext { context in
                try context.evaluate(script)
                return Int(swiftRetainCount(Unmanaged.passUnretained(clock).toOpaque()))
            }
        }
        func collect(to baseline: Int) async throws -> Int {
            var now = Int.max
            for _ in 0..<500 where now > baseline {
                try await bridge.runtime.collectGarbage()
                now = try await count(after: "0")
            }
            return now
        }
        let baseline = try await count(
            after: """
                const store = bridge.store();
                store.createEntity("x", { n: "integer" });
                store.fetch("x", { sort: "n" }).close();
                globalThis.queries = undefined;
                """
        )
        let began = try await collect(to: 0)
        #expect(began <= baseline)
        let open = try await count(
            after: "queries = Array.from({ length: 10 }, () => store.fetch('x', { sort: 'n' })); 0"
        )
        #expect(open > began && (open - began) % 10 == 0 && store.observers == 10)
        #expect(try await count(after: "globalThis.again = queries.map(query => query); 0") == open)
        // A dead handle still has its one retain, and nothing else.
        #expect(try await count(after: "for (const query of again) query.dispose(); 0") == began + 10)
        #expect(store.observers == 0)
        _ = try await count(after: "queries = again = undefined; 0")
        #expect(try await collect(to: began) == began)
        _ = try await count(
            after: """
                for (let round = 0; round < 10000; round++) {
                    const query = store.fetch("x", { sort: "n" });
                    query.onChange(() => {});
                    query.dispose();
                }
                """
        )
        #expect(store.observers == 0)
        #expect(try await collect(to: began) == began)
        // A script that never disposes of its queries.
        _ = try await count(after: "for (let n = 0; n < 100; n++) store.fetch('x', { sort: 'n' }); 0")
        #expect(try await collect(to: began) == began)
        #expect(store.observers == 0)
    }

    @Test("L4 L5 ten thousand rounds of creating, observing and closing a query return to the baseline")
    func rounds() async throws {
        let (results, store) = try await run(
            """
            const kept = store.fetch("x", { sort: "n" });
            kept.onChange(() => {}); kept.unref();
            (async () => {
                const before = await bridge.callHandler("observers");
                for (let round = 0; round < 10000; round++) {
                    const query = store.fetch("x", { sort: "n" });
                    const stop = query.onChange(() => {});
                    if (round % 2) stop();
                    query.close();
                }
                report([before, await bridge.callHandler("observers")]);
                kept.close();
            })();
            """
        )
        #expect(results == [[1, 1]])
        #expect(store.observers == 0)
        #expect(store.mostObservers == 2)
    }
}

/// A store that counts its observers.
private final class ObservedStore: Store {
    private let store: SQLiteStore
    private let counts = Mutex((now: 0, most: 0))

    init(_ store: SQLiteStore) { self.store = store }

    var observers: Int { counts.withLock { $0.now } }
    var mostObservers: Int { counts.withLock { $0.most } }

    var identifier: UUID { store.identifier }
    var entities: [String: EntityDescription] { store.entities }
    func createEntity(_ entity: EntityDescription) throws { try store.createEntity(entity) }
    func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
        try store.read(body)
    }
    func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result {
        try store.write(body)
    }

    func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation {
        let observation = store.observe(observer)
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        let isOver = Mutex(false)
        return StoreObservation { [weak self] in
            observation.cancel()
            // Cancelled and then released: counted once.
            let isFirst = isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            if isFirst { self?.counts.withLock { $0.now -= 1 } }
        }
    }
}
