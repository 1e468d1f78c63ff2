import BenchmarkHarness
import JavaScriptBridge

/// Other forms of a message, compared with a call of `callHandler` by the same bridge.
///
/// Both sides are ours: the ratio is 1 if a form costs as much as a call.
@MainActor let formCases = [
    scriptForm("bridge.value.js", "a handler of a Value", "data", wanted: 0.7),
    scriptForm("bridge.legacy.js", "WebViewJavascriptBridge.callHandler with a callback", "legacy"),
    scriptForm("bridge.function.js", "a function of Swift that the script holds", "function"),
    scriptForm("bridge.pipelined.js", "pipeline, whose value it awaits", "pipelined"),
    scriptForm("bridge.progress.js", "a handler that reports progress once", "progress"),
    scriptForm("bridge.stream.js", "openStream, and reads an item per operation", "stream"),
    scriptForm("bridge.stream.js.value", "openStream, and reads a Value per operation", "streamOfValues"),
    swiftForm("bridge.value.native", "callHandler with and for a Value", wanted: 0.7) { bridge, _, index in
        let data = Value.integer(Int64(index))
        return try await bridge.callHandler("increment", with: data, returning: Value.self).doubleValue
            ?? .nan
    },
    swiftForm("bridge.legacy.native", "legacy.callHandler with a callback") { bridge, _, index in
        await withCheckedContinuation { continuation in
            bridge.legacy.callHandler("increment", data: .integer(Int64(index))) { reply in
                continuation.resume(returning: reply.doubleValue ?? .nan)
            }
        }
    },
    swiftForm("bridge.function.native", "a function of the script that Swift holds") {
        bridge,
        function,
        index in
        Double(try await function(index, returning: Int.self))
    },
    swiftForm("bridge.pipelined.native", "pipeline, whose value it awaits") { bridge, _, index in
        Double(try await bridge.pipeline("increment", with: index).value(as: Int.self))
    },
    swiftForm("bridge.progress.native", "callHandler with onProgress of a handler that reports once") {
        bridge,
        _,
        index in
        Double(
            try await bridge.callHandler("reports", with: index, returning: Int.self) { (_: Int) in }
        )
    },
]

@MainActor
private func scriptForm(
    _ name: String,
    _ form: String,
    _ loop: String,
    wanted: Double = 0.5
) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "a script's requests of a synchronous Swift handler, 100 in flight; ours uses \(form)",
        timeSource: .process,
        granularity: 100,
        wanted: wanted
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: .asynchronous { Outcome(try await bridge.sum(of: "call", $0)) },
            ours: .asynchronous { Outcome(try await bridge.sum(of: loop, $0)) },
            expected: { sumOfIndices($0) + Double($0) }
        )
    }
}

@MainActor
private func swiftForm(
    _ name: String,
    _ form: String,
    wanted: Double = 0.5,
    _ call: @escaping @Sendable (Bridge, BridgeFunction, Int) async throws -> Double
) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline:
            "a task awaits callHandler of a script's handler, one call after another; ours uses \(form)",
        timeSource: .process,
        wanted: wanted
    ) {
        let bridge = try await makeBridge()
        let function = try await bridge.callHandler("function", returning: BridgeFunction.self)
        return Contest(
            plain: .asynchronous { operations in
                var sum = 0.0
                for index in 0..<operations {
                    sum += Double(try await bridge.callHandler("increment", with: index, returning: Int.self))
                }
                return Outcome(sum)
            },
            ours: .asynchronous { operations in
                var sum = 0.0
                for index in 0..<operations { sum += try await call(bridge, function, index) }
                return Outcome(sum)
            },
            expected: { sumOfIndices($0) + Double($0) }
        )
    }
}

extension Bridge {
    /// Returns the sum of the answers to a script's calls in one form.
    fileprivate func sum(of form: String, _ operations: Int) async throws -> Double {
        try await callHandler(
            "loop",
            with: [.string(form), .integer(Int64(operations))] as Value,
            returning: Double.self,
            timeout: .seconds(600)
        )
    }
}

@MainActor
private func makeBridge() async throws -> Bridge {
    let bridge = try Bridge()
    try bridge.registerHandler("typed") { (number: Int) in number + 1 }
    try bridge.registerHandler("data") { (data: Value) in Value.integer((data.integerValue ?? 0) + 1) }
    try bridge.registerHandler("reporting") { (number: Int) async throws -> Int in
        try BridgeCall.current?.reportProgress(number)
        return number + 1
    }
    try bridge.registerHandler("get") { (_: Value) in
        BridgeFunction(named: "increment") { (number: Int) in number + 1 }
    }
    try bridge.legacy.registerHandler("legacy") { data, reply in reply(.integer((data.integerValue ?? 0) + 1))
    }
    try bridge.registerHandler("items") { (count: Int) in Items(count: count) { $0 } }
    try bridge.registerHandler("values") { (count: Int) in Items(count: count) { Value.integer(Int64($0)) } }
    let script = """
        bridge.registerHandler("increment", number => number + 1);
        bridge.registerHandler("reports", (number, reply, call) => { call.progress(number); return number + 1; });
        bridge.registerHandler("function", () => number => number + 1);
        const held = bridge.callHandler("get");
        const options = { onProgress: () => {} };
        const forms = {
            call: index => bridge.callHandler("typed", index),
            data: index => bridge.callHandler("data", index),
            legacy: index => new Promise(resolve => { WebViewJavascriptBridge.callHandler("legacy", index, resolve); }),
            pipelined: index => bridge.pipeline("typed", index),
            progress: index => bridge.callHandler("reporting", index, options),
        };
        const read = async (name, operations) => {
            let sum = 0;
            for await (const item of bridge.openStream(name, operations)) sum += item;
            return sum;
        };
        bridge.registerHandler("loop", async ([name, operations]) => {
            if (name === "stream") return read("items", operations);
            if (name === "streamOfValues") return read("values", operations);
            const form = name === "function" ? await held : forms[name];
            let sum = 0;
            const loop = async first => {
                for (let index = first; index < operations; index += 100) {
                    const number = await form(index);
                    sum += number;
                }
            };
            await Promise.all(Array.from({ length: 100 }, (_, first) => loop(first)));
            return sum;
        });
        """
    try await bridge.load(.text(script, name: "benchmark.js"))
    return bridge
}

/// The numbers from 1 to a count.
private struct Items<Element: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let count: Int
    let make: @Sendable (Int) -> Element
    private var last = 0

    init(count: Int, _ make: @escaping @Sendable (Int) -> Element) {
        self.count = count
        self.make = make
    }

    func makeAsyncIterator() -> Self { self }

    mutating func next() async -> Element? {
        guard last < count else { return nil }
        last += 1
        return make(last)
    }
}
