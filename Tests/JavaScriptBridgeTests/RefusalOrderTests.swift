import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// Requests that several rules refuse: the first rule of one list decides, on each road and with each observer.
@Suite(.noLeaks) struct RefusalOrderTests {
    /// The reasons to refuse a request, in the order in which they are checked.
    enum Reason: CaseIterable {
        case nameTooLong, denied, unknown, overloaded

        var code: String {
            switch self {
            case .nameTooLong: "limitExceeded"
            case .denied: "denied"
            case .unknown: "handlerNotFound"
            case .overloaded: "overloaded"
            }
        }
    }

    /// A way of a request to its handler.
    enum Road: CaseIterable {
        case typed, data, sameTurn, text, synchronous, synchronousInSameTurn

        /// A Boolean value that indicates whether the calls in progress are made in the turn of the request.
        var fillsItsTurn: Bool { self == .sameTurn || self == .synchronousInSameTurn }

        var isSynchronous: Bool { self == .synchronous || self == .synchronousInSameTurn }

        var transport: BridgeConfiguration.Transport { self == .text ? .text : .direct }
    }

    private static let sets = (0..<16).map { bits in
        Reason.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
    }

    @Test(
        "R22 P67 of several reasons to refuse a request, its sender gets the first of one list",
        arguments: Road.allCases,
        BridgeOrderTests.Observer.allCases
    )
    func order(road: Road, observer: BridgeOrderTests.Observer) async throws {
        for reasons in Self.sets {
            // A handler cannot have such a name.
            if reasons.contains(.nameTooLong), !reasons.contains(.unknown) { continue }
            let name = reasons.contains(.nameTooLong) ? String(repeating: "n", count: 100) : "target"
            let entered = Recorder<Int>()
            let bridge = try await Bridge.patient(road.transport, running: synchronousMode) {
                observer.observe(&$0)
                $0.limits.maximumNameBytes = 64
                $0.limits.maximumPendingCalls = 2
                if reasons.contains(.denied) { $0.grants.deny(NamePattern(name)) }
            }
            if observer == .log { bridge.enableLogging() }
            let token = observer == .interceptor ? bridge.addInterceptor { try await $1($0) } : nil
            if !reasons.contains(.unknown) {
                if road == .data {
                    try bridge.registerHandler(name) { (data: Value) in data }
                } else {
                    try bridge.registerHandler(name) { (number: Int) in number }
                }
            }
            try bridge.registerHandler("wait") { (number: Int) async throws in
                entered.add(number)
                try await Task.sleep(for: .seconds(3600))
            }
            // A request of another road may be first in the same turn, and the second finds the handler introduced.
            let fillers = reasons.contains(.overloaded) ? 2 : 0
            let early = road.fillsItsTurn ? 0 : fillers
            try await bridge.load(
                .text(
                    """
                    globalThis.fill = count => {
                        for (let index = 0; index < count; index++) bridge.callHandler("wait", index).catch(() => {});
                    };
                    globalThis.codeOf = async call => {
                        try { return "reply " + await call(); } catch (error) { return error.code; }
                    };
                    fill(\(early));
                    """,
                    name: "calls.js"
                )
            )
            await entered.wait(for: early)
            let call = road.isSynchronous ? "callHandlerSync" : "callHandler"
            let expected = reasons.first?.code ?? "reply 7"
            for _ in 0..<(road.fillsItsTurn ? 1 : 2) {
                let code = try await bridge.run(
                    "fill(\(fillers - early)); return await codeOf(() => bridge.\(call)('\(name)', 7));"
                )
                #expect(code == .string(expected), "\(reasons), \(road), \(observer)")
            }
            token?.remove()
            bridge.close()
        }
    }
}
