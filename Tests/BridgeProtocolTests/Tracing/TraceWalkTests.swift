import BridgeValues
import TestSupport
import Testing

@testable import BridgeProtocol

/// Random sessions, whose traces must always be consistent.
@Suite("Tracing: random sessions") struct TraceWalkTests {
    /// A session, its recorder, and the engine that its work waits for.
    private struct Course {
        var machine: SessionMachine
        var recorder = TraceRecorder(levels: TraceLevels(.calls), start: .zero)
        var generator: SeededGenerator
        var now = Duration.zero
        var engine: [SessionAction] = []
        var calls: [OutgoingCallID] = []
        var requests: [IncomingCallID] = []
        var lastID = 0

        init(_ generator: SeededGenerator) throws {
            self.generator = generator
            machine = try .live(limits: BridgeLimits(), handlers: ["a", "b"])
        }

        mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

        mutating func step() throws {
            now += .microseconds(number(0..<50))
            switch number(0..<14) {
            case 0, 1, 2:
                let reply = [ReplyKind.none, .legacy, .full][number(0..<3)]
                let deadline: Duration? = number(0..<2) == 0 ? nil : now + .microseconds(number(0..<500))
                if let call = try? machine.call("s\(number(0..<3))", reply: reply, deadline: deadline) {
                    calls.append(call)
                }
            case 3, 4, 5:
                // An id may occur twice, and belong to no call.
                lastID += number(0..<3)
                machine.receiveRequest(
                    ["a", "b", "none"][number(0..<3)],
                    id: number(0..<4) == 0 ? nil : "cb_\(lastID)",
                    acceptsErrors: number(0..<2) == 0
                )
            case 6, 7: machine.receiveResponse(.text("objc_cb_\(number(1..<200))"))
            case 8:
                if let call = calls.randomElement(using: &generator) { machine.cancel(call) }
            case 9, 10:
                guard let request = requests.randomElement(using: &generator) else { break }
                let error = BridgeError(.handlerFailed, "no")
                machine.reply(to: request, with: number(0..<3) == 0 ? .failure(error) : .payload(nil))
            case 11: machine.expire(now: now)
            case 12:
                guard number(0..<10) == 0 else { break }
                machine.contextLost()
                engine = []
                if number(0..<2) == 0 { machine.injected() }
            default:
                machine.peerReady()
                if number(0..<40) == 0 { machine.reset() }
            }
            while let action = machine.nextAction() {
                recorder.note(action, of: machine, waiting: engine.count, at: now)
                switch action {
                case .send, .dispatch: engine.append(action)
                default: break
                }
            }
            for _ in 0..<number(0..<3) where !engine.isEmpty { work() }
        }

        mutating func work() {
            now += .microseconds(number(0..<5))
            switch engine.removeFirst() {
            case .send(let message): recorder.handOver(message, at: now)
            case .dispatch(_, let request):
                recorder.begin(request, at: now)
                machine.noteBegun(request.order)
                if let id = request.id { requests.append(id) }
            default: break
            }
        }

        /// Ends all work.
        mutating func end() {
            machine.peerReady()
            for request in requests { machine.reply(to: request, with: .payload(nil)) }
            machine.close()
            while let action = machine.nextAction() {
                recorder.note(action, of: machine, waiting: 0, at: now)
                if case .send = action { engine.append(action) }
            }
            while !engine.isEmpty { work() }
        }
    }

    @Test(
        "each call is made once and ends at most once, in that order, and no number is negative",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func adds(seed: UInt64) throws {
        var course = try Course(SeededGenerator(seed: SeededGenerator.givenSeed ?? seed))
        for _ in 0..<1_000 {
            try course.step()
            for handler in course.recorder.statistics.handlers {
                #expect(handler.depth >= 0 && handler.depth <= handler.maximumDepth, "seed \(seed)")
                #expect(handler.latency.count <= handler.callCount, "seed \(seed)")
            }
        }
        course.end()
        let events = course.recorder.events
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }, "seed \(seed)")
        for (number, events) in Dictionary(grouping: events.filter { $0.call != nil }, by: \.call) {
            let kinds = events.map(\.kind)
            #expect(
                kinds.first == .call || kinds == [.refused],
                "seed \(seed), call \(number ?? 0): \(kinds)"
            )
            for kind in [TraceEvent.Kind.call, .begin, .reply, .end] {
                #expect(kinds.count { $0 == kind } <= 1, "seed \(seed), call \(number ?? 0): \(kinds)")
            }
            #expect(kinds.last == .end || !kinds.contains(.end), "seed \(seed): \(kinds)")
            #expect(Set(events.map(\.origin)).count == 1)
            // Calls of Swift always end.
            if events[0].origin == .swift, events[0].id != nil {
                #expect(kinds.contains(.end), "seed \(seed)")
            }
        }
        let made = events.count { $0.kind == .call || $0.kind == .refused }
        let counted = course.recorder.statistics.handlers.reduce(0) { $0 + $1.callCount }
        #expect(made == counted, "seed \(seed)")
        #expect(made > 200)
    }
}
