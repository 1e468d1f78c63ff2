import BenchmarkHarness
import JavaScriptEngine

/// The cost of an attached inspector.
@MainActor let inspectorCases = [
    BenchmarkCase(
        "inspect.attached",
        baseline: "the same hot code in a context without an inspector, with the same options of the engine",
        wanted: 0.95
    ) {
        let plain = try HotCode(JSContext())
        let context = try JSContext()
        // Before anything runs in it.
        try context.attachInspector(SilentClient())
        let attached = try HotCode(context)
        return Contest(
            plain: .synchronous { Outcome(try plain.run($0)) },
            ours: .synchronous { Outcome(try attached.run($0)) },
            expected: { Double($0) * HotCode.sum }
        )
    }
]

/// A function with a loop of arithmetic, calls and members.
private struct HotCode {
    /// The result of one call.
    static let sum = 4_995_000.0
    private let function: (Int) throws -> Double

    init(_ context: JSContext) throws {
        let source = """
            (function () {
                const step = (state, index) => { state.sum += index; return state; };
                return function (count) {
                    let total = 0;
                    for (let round = 0; round < count; round++) {
                        const state = { sum: 0 };
                        for (let index = 0; index < 1000; index++) step(state, index * 10);
                        total += state.sum;
                    }
                    return total;
                };
            })()
            """
        function = try JSFunction(context.evaluate(source, sourceURL: "hot.js")).typed()
    }

    func run(_ count: Int) throws -> Double { try function(count) }
}

/// A client that has not asked for anything.
private final class SilentClient: InspectorClient {
    func receive(_ event: InspectorEvent, from target: InspectorTarget) {}
}
