import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// The calls that are made for one another, on both sides.
@Suite(.noLeaks) struct CallTraceTests {
    private func makeBridge(_ transport: BridgeConfiguration.Transport, traces: Bool) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.tracesCalls = traces
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text(
                """
                var traces = [];
                bridge.registerHandler("outer", async (data, reply, call) => {
                    traces.push(call.trace && { ...call.trace });
                    return await bridge.callHandler("inner", data);
                });
                bridge.registerHandler("last", (data, reply, call) => { traces.push(call.trace && { ...call.trace }); return data; });
                """,
                name: "page.js"
            )
        )
        return bridge
    }

    @Test(
        "2.3 a trace is passed from Swift to a script and back, with the call for which each call is made",
        arguments: [
            BridgeConfiguration.Transport.direct, .text,
        ]
    )
    func nested(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport, traces: true)
        let seen = Recorder<BridgeTrace?>()
        try bridge.registerHandler("inner") { [weak bridge] (number: Int) async throws -> Int in
            seen.add(BridgeCall.current?.trace)
            return try await bridge?.callHandler("last", with: number, returning: Int.self) ?? 0
        }
        for round in 1...3 {
            #expect(try await bridge.callHandler("outer", with: round, returning: Int.self) == round)
        }
        let traces = try await bridge.runtime.evaluate("traces").arrayValue ?? []
        try #require(traces.count == 6 && seen.elements.count == 3)
        for round in 0..<3 {
            let (outer, last) = (traces[round * 2], traces[round * 2 + 1])
            let inner = try #require(seen.elements[round])
            #expect(outer["id"].stringValue?.utf8.count == 32)
            #expect(outer["parent"] == .undefined)
            #expect(inner.id == outer["id"].stringValue)
            #expect(inner.parent?.isEmpty == false)
            #expect(last["id"].stringValue == inner.id)
            #expect(last["parent"].stringValue?.isEmpty == false)
            #expect(last["parent"].stringValue != inner.parent || transport == .direct)
        }
        #expect(Set(seen.elements.compactMap { $0?.id }).count == 3)
    }

    @Test(
        "2.3 without tracing no call has a trace",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func off(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport, traces: false)
        let seen = Recorder<Bool>()
        try bridge.registerHandler("inner") { (number: Int) async -> Int in
            seen.add(BridgeCall.current != nil && BridgeCall.current?.trace == nil)
            return number
        }
        #expect(try await bridge.callHandler("outer", with: 1, returning: Int.self) == 1)
        #expect(seen.elements == [true])
        #expect(try await bridge.runtime.evaluate("traces") == [.undefined])
    }
}
