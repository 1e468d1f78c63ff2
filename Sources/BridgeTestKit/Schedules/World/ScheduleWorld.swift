/// Two contexts, each with a host's end and a script's end of a session, the ways between them, and a clock: where a
/// schedule happens.
struct ScheduleWorld {
    typealias MakeSession = (SessionSettings) -> any SessionUnderTest

    /// A message on its way.
    struct Parcel {
        var message: SessionMessage
        /// The context that it belongs to, counted from its first.
        let generation: Int
        /// The host's epoch at that context, for the host's end.
        let epoch: UInt64?
    }

    /// One end of a session, and what a program there knows of it.
    ///
    /// A class, as a value of so many collections would be copied whole by each look at one of them: a fifth of the time
    /// of a schedule.
    final class End {
        var session: any SessionUnderTest
        var oracle: SessionOracle
        /// What is on its way to this end.
        var inbox: [Parcel] = []
        /// What came to this end and may come again, also in earlier contexts, the latest last.
        var old: [SessionMessage] = []
        var calls = SchedulePool()
        var requests = SchedulePool()
        /// Calls in hand, which are among the calls too.
        var held = SchedulePool()
        var notifications: [Int] = []
        /// Requests whose handlers begin later than they were dispatched.
        var beginning: [Int] = []
        /// Who asked and waits, each while the one before waits.
        var synchronous: [SessionReference] = []
        /// Calls that were handed over and have no answer, each in the middle of the one before.
        var handed: [(id: SessionIdentifier, name: String, root: Int)] = []
        /// Requests that handlers work on without the session, each in the middle of the one before.
        var taken: [Parcel] = []
        /// Items of a stream that have come and were not counted yet.
        var items: (stream: SessionReference, payloads: [Int])?
        /// How many cancellations came of calls that were never made.
        var cancelledAhead = 0
        var reading = SchedulePool()
        var sending = SchedulePool()
        /// The payloads that calls began with: what their answers must belong to.
        var rootsOfCalls: [SessionReference: Int] = [:]
        var rootsOfRequests: [SessionReference: Int] = [:]
        var sources: [SessionReference: (root: Int, serial: Int)] = [:]
        var streams: [SessionReference: (root: Int, serial: Int?, next: Int)] = [:]
        /// Counts the items that were sent of each stream, by its serial.
        var sent: [Int: Int] = [:]
        /// What was set last.
        var grants: SessionGrants?
        var isThere: Bool
        var depth = 0

        init(session: any SessionUnderTest, oracle: SessionOracle, isThere: Bool) {
            self.session = session
            self.oracle = oracle
            self.isThere = isThere
        }
    }

    /// What a payload is, wherever it goes.
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
    /// Whether the host knows that another context may come.
    var awaitsContext = [true, true]
    /// What the last teardown of each context began.
    var tornDown: [UInt64?] = [nil, nil]
    var contents: [Content] = []
    /// The context that a request was sent to, or came from.
    var generationsOfRequests: [Int: Int] = [:]
    var now = Duration.zero
    var lastSerial = 0
    var lastHandler = 0
    /// Rises with everything that is done to an end, by an end, to a message on its way, or to the clock.
    var stirs = 0
    /// How often each kind of event happened, and was not idle.
    var happened: [ScheduleEvent.Kind: Int] = [:]
    var effectsDone = 0
    /// What happened, one line each, where it is wanted.
    var record: [String]?
    private(set) var violation: String?

    init(settings: SessionSettings, isRecording: Bool = false, makeSession: @escaping MakeSession) {
        self.settings = settings
        self.makeSession = makeSession
        if isRecording { record = [] }
        for index in 0..<4 { ends.append(newEnd(index)) }
    }

    /// Runs a schedule and then everything to its end; stops at the first promise that is broken.
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

    // What is on its way arrives, all deadlines come, all work ends: then nothing may be left.
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

    /// Ends a session: then nothing may be left of it.
    mutating func endSession(_ index: Int) {
        for payload in ends[index].notifications { take(.endNotification(payload: payload), at: index) }
        ends[index].notifications = []
        while let request = ends[index].synchronous.popLast() { take(.endSynchronous(request), at: index) }
        endAtOnce(index)
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
        let (census, queued) = ends[index].session.count()
        ends[index].oracle.saw(input, answer: answer, earlyCancellations: census.earlyCancellations)
        ends[index].oracle.compare(census, queued: queued)
        if let violation = ends[index].oracle.violation { fail(violation, at: index) }
        return answer
    }

    /// Does effects, in whose middle a schedule may have put events.
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
                // The end itself may be another by now.
                if generations[index / 2] != generation { return }
            }
            begin(effect, at: index)
            ends[index].session.endEffect()
        }
        if let violation = ends[index].oracle.violation { fail(violation, at: index) }
    }

    // Most handlers have begun once they were run. Others are tasks, which begin before the end does something next.
    private mutating func begin(_ effect: SessionEffect, at index: Int) {
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

    /// Another payload with the same in it, as who receives a message has its own.
    mutating func copy(_ payload: Int) -> Int {
        let content = contents[payload]
        return newPayload { _ in content }
    }
}

extension SessionUnderTest {
    /// What the session counts, and its queue.
    ///
    /// Mutating, although it changes nothing: Swift copies a whole value out of its `any` for each property that is read.
    fileprivate mutating func count() -> (census: SessionCensus, queued: Int) { (census, queuedMessageCount) }
}
