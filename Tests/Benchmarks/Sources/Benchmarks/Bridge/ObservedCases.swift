import BenchmarkHarness
import JavaScriptBridge
import Synchronization

/// Requests of a script while something observes them.
///
/// Both sides are ours: the ratio is 1 if the observer costs nothing.
@MainActor let observedCases = [
    observedCase("bridge.observed.trace", "the same bridge with its trace on, at the level of calls") {
        bridge in
        bridge.traceLevel = .calls
    },
    observedCase("bridge.observed.grants", "the same bridge with grants that allow the handlers") { bridge in
        var grants = BridgeGrants(fallback: .deny)
        grants.allow("*")
        try bridge.grants.set(grants)
    },
    observedCase(
        "bridge.observed.interceptor",
        "the same bridge with one interceptor, which passes on each call"
    ) { bridge in
        let registration = bridge.addInterceptor { call, next in try await next(call) }
        interceptors.withLock { $0.append(registration) }
    },
    observedCase(
        "bridge.observed.interceptor.other",
        "the same bridge with one interceptor of other handlers"
    ) { bridge in
        let registration = bridge.addInterceptor(matching: "other.*") { call, next in try await next(call) }
        interceptors.withLock { $0.append(registration) }
    },
]

// Kept until the process ends: an interceptor is active as long as its registration is retained.
private let interceptors = Mutex<[InterceptorRegistration]>([])

@MainActor
private func observedCase(
    _ name: String,
    _ difference: String,
    _ observe: @escaping @MainActor (Bridge) throws -> Void
) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline:
            "a script's requests of a synchronous Swift handler, 100 in flight, without observers; ours is "
            + difference,
        timeSource: .process,
        granularity: 100,
        wanted: 0.7
    ) {
        let plain = try await makeLoopingBridge()
        let observed = try await makeLoopingBridge()
        try observe(observed)
        return Contest(
            plain: .asynchronous { Outcome(try await plain.run("loop", $0)) },
            ours: .asynchronous { Outcome(try await observed.run("loop", $0)) },
            expected: Message.answerChecksum
        )
    }
}

@MainActor
private func makeLoopingBridge() async throws -> Bridge {
    var configuration = BridgeConfiguration()
    configuration.traceSink = { _ in }
    let script = """
        {
            \(MessageScript.texts)
            bridge.registerHandler("loop", async operations => {
                let sum = 0;
                const loop = async first => {
                    for (let index = first; index < operations; index += 100) {
                        const answer = await bridge.callHandler("answer", messageOf(index));
                        sum += checksumOf(answer);
                    }
                };
                await Promise.all(Array.from({ length: 100 }, (_, first) => loop(first)));
                return sum;
            });
        }
        """
    return try await makeAnsweringBridge(Message.self, script, configuration: configuration)
}
