import BridgeTesting
import BridgeValues
import JavaScriptBridge
import Testing

/// Configurations with the extreme values of their types: none of them traps.
@Suite struct NumericEdgeTests {
    static let numbers = [Int.max, 1, 0, -1, .min]
    static let durations: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.max) * 18, .nanoseconds(1), .zero, .seconds(-1),
        .seconds(Int64.min),
    ]

    private static var limits: [WritableKeyPath<BridgeLimits, Int>] {
        [
            \.maximumDepth, \.maximumNodes, \.maximumMessageLength, \.maximumNameBytes, \.maximumPendingCalls,
            \.maximumQueuedMessages, \.maximumNotifications, \.maximumStreams, \.maximumTopics,
            \.maximumReferences,
        ]
    }

    @Test("these tests cover every number of the limits")
    func completeness() {
        #expect(Mirror(reflecting: BridgeLimits()).children.count == Self.limits.count)
    }

    /// Makes calls, notifications, streams, events and references in both directions; errors are as good as results.
    private func exercise(_ configuration: BridgeConfiguration) async {
        guard let bridge = try? Bridge(configuration: configuration) else { return }
        _ = try? bridge.registerHandler("echo") { (value: Value) in value }
        _ = try? bridge.registerHandler("call") { (function: BridgeFunction) async throws -> Int in
            try await function(1)
        }
        _ = bridge.on("topic") { (_: Value) in }
        _ = try? await bridge.load(
            .text(
                """
                bridge.registerHandler("echo", data => data);
                bridge.registerHandler("items", function* () { yield 1; yield 2; });
                bridge.on("topic", () => {});
                bridge.emit("topic", 1);
                bridge.notify("echo", [1]);
                bridge.callHandler("echo", [1, [2]]).catch(() => {});
                bridge.callHandler("call", x => x).catch(() => {});
                """,
                name: "page.js"
            )
        )
        _ = try? await bridge.callHandler("echo", with: [1, 2], returning: [Int].self)
        try? bridge.notify("echo", with: 1)
        // Under a limit that lets neither an item nor an error pass, a reader waits until the bridge is closed.
        let stream = try? await bridge.openStream("items", of: Int.self)
        let reading = Task {
            while let item = try? await stream?.first(where: { _ in true }) { _ = item }
        }
        _ = try? await bridge.withContext {
            try bridge.callHandler("echo", with: 1, returning: Int.self, in: $0)
        }
        bridge.close()
        await reading.value
    }

    @Test("an extreme value of a type is a limit of a bridge like any other", arguments: numbers)
    func limitNumbers(number: Int) async {
        for transport in [BridgeConfiguration.Transport.direct, .text] {
            for path in Self.limits {
                var configuration = BridgeConfiguration()
                configuration.transport = transport
                configuration.limits[keyPath: path] = number
                // Under some limits no reply can come, and a call ends at its deadline.
                configuration.defaultTimeout = .milliseconds(200)
                await exercise(configuration)
            }
        }
    }

    @Test("R23 a timeout is any duration: that of a bridge, of a call, and of a denial", arguments: durations)
    func timeouts(duration: Duration) async throws {
        for transport in [BridgeConfiguration.Transport.direct, .text] {
            var configuration = BridgeConfiguration()
            configuration.transport = transport
            configuration.defaultTimeout = duration
            await exercise(configuration)
            let bridge = try await Bridge.patient(
                transport,
                running: "bridge.registerHandler('echo', data => data)"
            )
            let reply = try? await bridge.callHandler("echo", with: 5, returning: Int.self, timeout: duration)
            if duration > .seconds(1) { #expect(reply == 5) }
            bridge.grants.deny("echo", for: duration)
            bridge.close()
        }
    }

    @Test("a rate counts with any valid numbers")
    func rates() async {
        for count in [1, Int.max] {
            for period in [Duration.nanoseconds(1), .seconds(Int64.max), .seconds(Int64.max) * 18] {
                for burst in [1, Int.max] {
                    var configuration = BridgeConfiguration()
                    let limits = GrantLimits(
                        rate: GrantLimits.Rate(count, per: period, burst: burst),
                        maximumConcurrentCalls: burst,
                        maximumPayloadBytes: count
                    )
                    configuration.grants.allow("*", limits: limits)
                    await exercise(configuration)
                }
            }
        }
    }

    @Test("a histogram accepts any duration", arguments: durations)
    func histogram(duration: Duration) {
        var histogram = LatencyHistogram()
        for _ in 0..<3 { histogram.record(duration) }
        #expect(histogram.count == 3)
        #expect(histogram.percentile(0.99) >= .zero && histogram.mean >= .zero)
    }
}
