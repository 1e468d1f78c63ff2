/// A simulation of two contexts, each with a host's end and a script's end of a session, the network between them, and
/// a clock.
struct ScheduleSimulation {
    typealias MakeSession = (SessionSettings) -> any SessionUnderTest

    /// A message on its way.
    struct Parcel {
        var message: SessionMessage
        /// The number of the context that it belongs to, from its first.
        let generation: Int
        /// The host's epoch at that context, for the host's end.
        let epoch: UInt64?
    }

    /// An end of a session, with the knowledge of a program about it.
    ///
    /// It is a class, because each access to one of its many collections would copy a value. The copies took a fifth of
    /// the time of a schedule.
    final class End {
        var session: any SessionUnderTest
        var oracle: SessionOracle
        /// The messages on their way to this end.
        var inbox: [Parcel] = []
        /// The messages that this end received and may receive again, also in earlier contexts, the latest last.
        var old: [SessionMessage] = []
        var calls = SchedulePool()
        var requests = SchedulePool()
        /// The intercepted calls, which are also in `calls`.
        var held = SchedulePool()
        var notifications: [Int] = []
        /// The requests whose handlers begin later than they were dispatched.
        var beginning: [Int] = []
        /// The synchronous requests in progress, each nested in the one before.
        var synchronous: [SessionReference] = []
        /// The fast-path calls without a reply, each nested in the one before.
        var handed: [(id: SessionIdentifier, name: String, root: Int, account: Int?)] = []
        /// The fast-path requests in progress, each nested in the one before.
        var taken: [(parcel: Parcel, epoch: UInt64)] = []
        /// The events that the transport has not delivered yet, each begun in a context.
        var begunEvents: [(topic: String, number: UInt64, generation: Int, epoch: UInt64)] = []
        /// The calls of the other end whose results are retained, the latest last.
        var kept: [SessionIdentifier] = []
        /// The requests that wait for results, by their payloads, with the epochs in which they arrived.
        var pipelined: [Int: (message: SessionMessage, epoch: UInt64)] = [:]
        /// The items of a stream that have arrived and were not counted yet.
        var items: (stream: SessionReference, payloads: [Int])?
        /// The number of cancellations of calls that were never made.
        var cancelledAhead = 0
        var reading = SchedulePool()
        var sending = SchedulePool()
        /// The payloads with which calls began, to which their replies must belong.
        var rootsOfCalls: [SessionReference: Int] = [:]
        var rootsOfRequests: [SessionReference: Int] = [:]
        var sources: [SessionReference: (root: Int, serial: Int)] = [:]
        var streams: [SessionReference: (root: Int, serial: Int?, next: Int)] = [:]
        /// The number of sent items of each stream, by its serial number.
        var sent: [Int: Int] = [:]
        /// The latest grants.
        var grants: SessionGrants?
        var isThere: Bool
        var depth = 0

        init(session: any SessionUnderTest, oracle: SessionOracle, isThere: Bool) {
            self.session = session
            self.oracle = oracle
            self.isThere = isThere
        }
    }

    /// The meaning of a payload, at either end.
    enum Content: Equatable {
        case request(root: Int, name: String, context: Int)
        case reply(root: Int)
        case item(root: Int, serial: Int, index: Int)
        case event(topic: String, sender: Int)
        case progress(root: Int)
        case release
        case forged
    }

    let settings: SessionSettings
    let makeSession: MakeSession
    var events: ArraySlice<ScheduleEvent> = []
    var ends: [End] = []
    var generations = [0, 0]
    var epochs: [UInt64] = [0, 0]
    /// For each session, a Boolean value that indicates whether its host knows that another context may arrive.
    var awaitsContext = [true, true]
    /// The epoch of the last teardown of each context.
    var tornDown: [UInt64?] = [nil, nil]
    var contents: [Content] = []
    /// The context that a request was sent to, or came from.
    var generationsOfRequests: [Int: Int] = [:]
    var now = Duration.zero
    var lastSerial = 0
    var lastHandler = 0
    /// The operations that work is charged to, two of each context; an ended one is replaced.
    var operations = [1, 2, 3, 4]
    var lastOperation = 4
    /// A number that increases with every effect on an end, by an end, on a message on its way, or on the clock.
    var stirs = 0
    /// The number of events of each kind that had an effect.
    var happened: [ScheduleEvent.Kind: Int] = [:]
    var effectsDone = 0
    /// The log, one line for each step, where requested.
    var record: [String]?
    private(set) var violation: String?

    init(settings: SessionSettings, isRecording: Bool = false, makeSession: @escaping MakeSession) {
        self.settings = settings
        self.makeSession = makeSession
        if isRecording { record = [] }
        for index in 0..<4 { ends.append(newEnd(index)) }
    }

    /// Runs a schedule and then everything to its end; stops at the first broken rule.
    mutating func run(_ schedule: Schedule) {
        events = schedule.events[...]
        while violation == nil, let event = events.popFirst() { perform(event) }
        guard violation == nil else { return }
        finish()
    }

    func newEnd(_ index: Int) -> End {
        var settings = settings
        settings.seed &+= UInt64(index) &* 0x51_7CC1 &+ UInt64(generations[index / 2]) &* 0x2545_F491
        return End(
            session: makeSession(settings),
            oracle: SessionOracle(settings),
            isThere: index % 2 == 0
        )
    }

    // All messages arrive, all deadlines pass, all work ends: then nothing may remain.
    private mutating func finish() {
        note("the end of the schedule")
        for _ in 0..<3 {
            for index in ends.indices {
                drain(index, .max)
                while violation == nil, !ends[index].inbox.isEmpty { deliver(index, 0) }
            }
        }
        now += .seconds(3600)
        for index in ends.indices where ends[index].isThere {
            take(.expire(now: now), at: index)
            drain(index, .max)
        }
        for index in ends.indices where ends[index].isThere { endSession(index) }
    }

    /// Ends a session, of which nothing may remain.
    mutating func endSession(_ index: Int) {
        for payload in ends[index].notifications { take(.endNotification(payload: payload), at: index) }
        ends[index].notifications = []
        while let request = ends[index].synchronous.popLast() { take(.endSynchronous(request), at: index) }
        endInline(index)
        take(.close, at: index)
        drain(index, .max)
        if let violation = ends[index].oracle.violation { fail(violation, at: index) }
    }

    // MARK: - Inputs and effects

    @discardableResult
    mutating func take(_ input: SessionInput, at index: Int) -> SessionAnswer {
        stirs += 1
        let answer = ends[index].session.take(input)
        if record != nil { note("\(Self.names[index]) takes \(input) -> \(answer)") }
        let (statistics, queued) = ends[index].session.count()
        ends[index].oracle.saw(input, answer: answer, earlyCancellations: statistics.earlyCancellations)
        ends[index].oracle.compare(statistics, queued: queued)
        if let violation = ends[index].oracle.violation { fail(violation, at: index) }
        return answer
    }

    /// Performs effects, in whose middle a schedule may have events.
    mutating func drain(_ index: Int, _ count: Int) {
        ends[index].depth += 1
        defer { ends[index].depth -= 1 }
        beginHandlers(index)
        var left = count
        while left > 0, violation == nil {
            guard let effect = ends[index].session.nextEffect() else {
                ends[index].oracle.sawEnd()
                break
            }
            left -= 1
            stirs += 1
            effectsDone += 1
            if record != nil { note("\(Self.names[index]) does \(effect)") }
            let generation = generations[index / 2]
            ends[index].oracle.saw(effect)
            follow(effect, from: index)
            while violation == nil, let next = events.first, next.isNested, ends[index].depth < 3 {
                events.removeFirst()
                perform(next)
                // The session may have been replaced.
                if generations[index / 2] != generation { return }
            }
            begin(effect, at: index)
            ends[index].session.endEffect()
        }
        if let violation = ends[index].oracle.violation { fail(violation, at: index) }
    }

    // Most handlers begin immediately, and so do listeners. Others are tasks, which begin before the next effects of the
    // end.
    private mutating func begin(_ effect: SessionEffect, at index: Int) {
        if case .event(_, let payload?) = effect { take(.begin(payload: payload), at: index) }
        guard case .dispatch(_, _, _, let payload?, _) = effect else { return }
        if payload % 4 == 1 {
            ends[index].beginning.append(payload)
        } else {
            take(.begin(payload: payload), at: index)
        }
    }

    private mutating func beginHandlers(_ index: Int) {
        let payloads = ends[index].beginning
        ends[index].beginning = []
        for payload in payloads { take(.begin(payload: payload), at: index) }
    }

    mutating func fail(_ promise: String, at index: Int) {
        if violation == nil { violation = "\(promise) (\(Self.names[index]))" }
    }

    mutating func note(_ line: String) { record?.append(line) }

    static let names = ["a.host", "a.script", "b.host", "b.script"]

    mutating func newPayload(_ content: (Int) -> Content) -> Int {
        contents.append(content(contents.count))
        return contents.count - 1
    }

    /// Creates another payload with the same meaning, as the receiver of a message has its own.
    mutating func copy(_ payload: Int) -> Int {
        let content = contents[payload]
        return newPayload { _ in content }
    }
}

extension SessionUnderTest {
    /// Returns the counters of the session, and the length of its queue.
    ///
    /// It is mutating only because Swift copies a whole value out of its `any` for each property that is read.
    fileprivate mutating func count() -> (statistics: SessionStatistics, queued: Int) {
        (statistics, queuedMessageCount)
    }
}
