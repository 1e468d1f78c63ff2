import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// Streams in both directions end, whatever happens to their bridge while they are read.
@Suite struct StreamEndingTests {
    enum Disturbance: CaseIterable {
        case reset, reload, close, closeRuntime, drop, interrupt, cancel, nothing

        /// A Boolean value that indicates whether the action ends the bridge.
        var isLast: Bool { self == .close || self == .closeRuntime || self == .drop }
    }

    private static let script = """
        bridge.registerHandler("count", async function* (n) { for (let i = 0; i < n; i++) yield i; });
        bridge.registerHandler("slow", async function* (n) {
            for (let i = 0; i < n; i++) { await new Promise(go => setTimeout(go, 0)); yield i; }
        });
        bridge.registerHandler("busy", async function* (n) {
            for (let i = 0; i < n; i++) { for (let j = 0; j < 20000; j++); yield i; }
        });
        bridge.registerHandler("mixed", async function* (n) {
            for (let i = 0; i < n; i++) { bridge.notify("note", i); yield i; }
        });
        bridge.registerHandler("sum", async name => {
            let sum = 0;
            for await (const n of bridge.openStream(name, 100)) sum += n;
            return sum;
        });
        0
        """

    @Test(
        "R5 R6 every stream ends under reset, reload, close, release, interrupt and cancellation at random",
        arguments: BridgeKind.allCases
    )
    func disturbed(kind: BridgeKind) async throws {
        let rounds = repetitions(2, underStress: 200)
        var generator = SeededGenerator.fromEnvironment("streams")
        let seeds = (0..<8).map { _ in UInt64.random(in: 0 ... .max, using: &generator) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in seeds {
                group.addTask {
                    var generator = SeededGenerator(seed: seed)
                    for _ in 0..<rounds { try await Self.round(kind, &generator) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func round(_ kind: BridgeKind, _ generator: inout SeededGenerator) async throws {
        var bridge: Bridge? = try await kind.makeBridge(script)
        try bridge?.registerHandler("note") { (_: Int) async throws in }
        try bridge?.registerHandler("numbers") { (n: Int) in
            AsyncStream<Int> { continuation in
                for number in 0..<n { continuation.yield(number) }
                continuation.finish()
            }
        }
        var readers: [Task<Void, any Error>] = []
        for _ in 0..<3 {
            guard let bridge else { break }
            let name = ["count", "slow", "busy", "mixed", "sum"].randomElement(using: &generator) ?? "count"
            let leavesAt =
                Bool.random(using: &generator) ? Int.random(in: 0..<100, using: &generator) : Int.max
            readers.append(Self.reader(of: bridge, name, leavesAt))
        }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            for _ in 0..<Int.random(in: 0..<200, using: &generator) { await Task.yield() }
            let disturbance = Disturbance.allCases.randomElement(using: &generator) ?? .nothing
            switch disturbance {
            case .reset: bridge?.reset()
            case .reload: try await bridge?.reload(rerunningScripts: true)
            case .close: bridge?.close()
            case .closeRuntime: bridge?.runtime.close()
            case .drop, .nothing: break
            case .interrupt: bridge?.runtime.interrupt(reason: "a test")
            case .cancel: readers.randomElement(using: &generator)?.cancel()
            }
            if disturbance.isLast {
                bridge = nil
                break
            }
            if let bridge { readers.append(Self.reader(of: bridge, "count", .max)) }
        }
        // Nothing else ends them.
        for reader in readers { _ = await reader.result }
        bridge?.close()
    }

    private static func reader(of bridge: Bridge, _ name: String, _ leavesAt: Int) -> Task<Void, any Error> {
        // Only a reader holds the stream, so that the bridge may be released.
        let opening = Task { [weak bridge] in
            guard let bridge else { throw CancellationError() }
            guard name != "sum" else {
                _ = try await bridge.callHandler("sum", with: "numbers", returning: Int.self)
                return BridgeStream<Int>?.none
            }
            return try await bridge.openStream(name, with: 200, of: Int.self, window: 8)
        }
        return Task {
            guard
                let stream = try await withTaskCancellationHandler(
                    operation: { try await opening.value },
                    onCancel: { opening.cancel() }
                )
            else { return }
            for try await number in stream where number >= leavesAt { break }
        }
    }
}
