public import BridgeProtocol
internal import BridgeValues
public import JavaScriptBridge
internal import Synchronization

/// Runs the scripts of a journal again, without the program that it was recorded in.
///
/// ```swift
/// let journal = try Journal(contentsOfFile: "session.journal")
/// let report = try await JournalReplay(journal).run()
/// #expect(report.divergence == nil, "\(report)")
/// ```
///
/// The host answers from the journal, in its order: messages, timers, scripts, readings of clocks, answers to synchronous
/// requests, what stores and queries say. The scripts run for real, and every message they send is compared with the recorded one. The first that is not
/// the same is a ``JournalDivergence``: the script has changed, the journal has, or something decides what the script does
/// that the journal does not have.
public struct JournalReplay: Sendable {
    /// What is replayed.
    public var journal: Journal
    /// How much processor time a turn may take.
    public var timeLimit: Duration? = .seconds(30)
    /// Where `console` of the scripts writes.
    public var consoleSink: (@Sendable (ConsoleMessage) -> Void)?

    /// Makes a replay of a journal.
    public init(_ journal: Journal) { self.journal = journal }

    /// Replays the journal, or its first crossings.
    ///
    /// - Parameters:
    ///   - count: How many crossings; all by default. The report is of the moment between that one and the next, also
    ///     where the script goes on in the same turn.
    ///   - onStep: Called after each thing that the host did, with how many crossings are done and what both sides have in
    ///     hand then.
    /// - Returns: What came of it.
    /// - Throws: ``BridgeError`` with `unsupported` for a dialect that is not known, with `limitExceeded` for what
    ///   the limits of the header do not let through; ``JSException`` where the engine makes no context. What scripts throw
    ///   is in the report.
    public func run(
        first count: Int? = nil,
        onStep: ((Int, JournalTables) -> Void)? = nil
    ) async throws -> JournalReplayReport {
        try await run(journal.entries, .exact, first: count, onStep: onStep).report
    }

    /// Replays entries in any way, and gives what has crossed now too.
    func run(
        _ entries: [JournalEntry],
        _ mode: JournalPlayer.Mode,
        comparingReadings comparesReadings: Bool = false,
        first count: Int? = nil,
        onStep: ((Int, JournalTables) -> Void)? = nil
    ) async throws -> (report: JournalReplayReport, trace: [JournalEntry]) {
        let player = JournalPlayer(entries, of: journal, mode: mode, comparesReadings: comparesReadings)
        player.stop = count
        let report = try await play(player, first: count, onStep: onStep).report
        return (report, player.trace)
    }

    /// Plays a journal to its end, or so far.
    ///
    /// - Parameters:
    ///   - player: What does it.
    ///   - count: How far.
    ///   - settles: Whether what is on its way at the end comes then, and what waits for longer than the journal ends at its
    ///     deadline; the script's side is asked afterwards whether it still answers.
    ///   - onStep: Called after each step.
    /// - Returns: What came of it, and whether the script's side answered.
    /// - Throws: What ``run(first:onStep:)`` throws.
    func play(
        _ player: JournalPlayer,
        first count: Int? = nil,
        settles: Bool = false,
        onStep: ((Int, JournalTables) -> Void)? = nil
    ) async throws -> (report: JournalReplayReport, answers: Bool) {
        let errors = Mutex<[String]>([])
        var configuration = try BridgeConfiguration(replaying: journal.header, through: player)
        configuration.executionLimits = ExecutionLimits(processorTime: timeLimit)
        configuration.clock = StoppedClock()
        configuration.consoleSink = consoleSink
        configuration.uncaughtErrorHandler = { error in errors.withLock { $0.append(error.description) } }
        configuration.logSink = { _ in }
        let bridge = try Bridge(configuration: configuration) { try player.installData(in: $0) }
        defer { bridge.close() }
        let end = min(count ?? player.entries.count, player.entries.count)
        while player.divergence == nil {
            player.skipMissing()
            guard let next = player.next, player.position < end, player.divergence == nil, next.isCause else {
                break
            }
            if case .context = next {
                try await bridge.reload()
            } else {
                try await step(bridge, player)
            }
            try await goOn(bridge, player)
            if let onStep { onStep(player.position, try await tables(bridge, player)) }
        }
        if player.position < end || count == nil { player.checkNothingIsMissing() }
        if settles { try await settle(bridge, player) }
        let answers = settles ? try await probe(bridge, player) : true
        // What the script did beyond, in the turn that was the last, is not asked for.
        let isStopped = count.map { player.position > $0 } ?? false
        let divergence = player.divergence.flatMap { $0.position < count ?? .max ? $0 : nil }
        let now = try await tables(bridge, player)
        let report = JournalReplayReport(
            crossings: isStopped && divergence == nil ? count ?? player.position : player.position,
            divergence: divergence,
            tables: isStopped && divergence == nil ? player.tablesAtStop ?? now : now,
            uncaughtErrors: errors.withLock { $0 },
            errorCodes: player.trace.errorCodes
        )
        return (report, answers)
    }

    // What faults have left to be done after a step: another context, and answers that came before their requests.
    private func goOn(_ bridge: Bridge, _ player: JournalPlayer) async throws {
        if player.takeReload() { try await reload(bridge, player) }
        while player.owesMessages {
            try await turn(bridge) { try player.deliverOwed(in: $0) }
            if player.takeReload() { try await reload(bridge, player) }
        }
    }

    // A script that asks again after each deadline has no end.
    private static let maximumSettlings = 1_000

    private func settle(_ bridge: Bridge, _ player: JournalPlayer) async throws {
        for _ in 0..<Self.maximumSettlings {
            let didSomething = try await turn(bridge) { context in
                try player.deliverHeld(in: context) || player.fireDeadline(in: context)
            }
            try await goOn(bridge, player)
            guard didSomething == true else { return }
        }
    }

    // What the body gives; `nil` where a script was stopped in it.
    @discardableResult
    private func turn<Result: Sendable>(
        _ bridge: Bridge,
        _ body: @Sendable (JSContext) throws -> Result
    ) async throws -> Result? {
        do {
            return try await bridge.runtime.withContext { try body($0) }
        } catch let error as JSException where error.isTermination {
            // As the journal says, or the divergence does.
            return nil
        } catch let error as BridgeError where error.code == .disconnected {
            // The engine retires a context after that, where its tier says so.
            return nil
        }
    }

    // Another context, with the scripts that have been loaded.
    private func reload(_ bridge: Bridge, _ player: JournalPlayer) async throws {
        let before = player.trace
        try await bridge.reload()
        try? await bridge.runtime.withContext { context in
            for case .script(let name, let line, let text) in before {
                do {
                    try context.evaluate(text, sourceURL: name, startingLine: line)
                } catch let error as JSException where !error.isTermination {
                    // Nobody is there who would hear of it, unless it is what came of the script before.
                    if !before.contains(where: { $0.isFailedScript(error.message) }) {
                        context.reportUncaught(error)
                    }
                }
                player.host?.setUp(in: context)
            }
        }
    }

    // Asks the script's side for what every one of ours answers.
    private func probe(_ bridge: Bridge, _ player: JournalPlayer) async throws -> Bool {
        guard journal.header.injectsScript, journal.header.dialect == BridgeDialect.wvjb6.name else {
            return true
        }
        var probe = JournalMessage(.request)
        probe.handlerName = "_wvjb.describe"
        probe.id = journal.header.transport == "direct" ? .integer(Value.maximumSafeInteger) : "replay_probe"
        probe.accepts = ["err"]
        let request = probe
        try? await bridge.runtime.withContext { context in
            try player.deliver(request, in: context)
            player.fetch(in: context)
        }
        return player.trace.contains { entry in
            guard case .received(let message) = entry else { return false }
            return message.kind == .response && message.id == request.id
        }
    }

    // What the host did in one turn, up to where nothing waits any more: also beyond where it is to stop, since the end of a
    // turn does what the host did in the middle of it only afterwards.
    private func step(_ bridge: Bridge, _ player: JournalPlayer) async throws {
        try await turn(bridge) { context in
            while player.divergence == nil, let next = player.next, next.isCause {
                if case .context = next { break }
                if try player.perform(in: context) { break }
            }
        }
    }

    private func tables(_ bridge: Bridge, _ player: JournalPlayer) async throws -> JournalTables {
        (try? await bridge.runtime.withContext { context in player.tables(in: context) })
            ?? player.tables(in: nil)
    }
}

/// What came of a replay.
public struct JournalReplayReport: Sendable, Hashable {
    /// How many crossings were replayed.
    public var crossings: Int
    /// The first place at which the script did something else; `nil` where all was the same.
    public var divergence: JournalDivergence?
    /// What both sides had in hand at the end.
    public var tables: JournalTables
    /// The errors that no script has caught.
    public var uncaughtErrors: [String]
    /// The codes of the errors that crossed, each once, in the order in which they came.
    public var errorCodes: [String]
}

extension JournalReplayReport: CustomStringConvertible {
    /// What came of it, for who reads a test's failure.
    public var description: String {
        var lines = [divergence.map { "\($0)" } ?? "\(crossings) crossings, all as they were"]
        lines += uncaughtErrors.map { "uncaught: \(Printable.entry($0))" }
        return lines.joined(separator: "\n")
    }
}

extension [JournalEntry] {
    fileprivate var errorCodes: [String] {
        reduce(into: []) { codes, entry in
            if let code = entry.error?["code"].stringValue, !codes.contains(code) { codes.append(code) }
        }
    }
}

extension JournalEntry {
    /// Whether a script ended with an error of these words.
    fileprivate func isFailedScript(_ message: String) -> Bool {
        guard case .evaluated(.failure(let record)) = self else { return false }
        return record["msg"].stringValue == message
    }

    /// The record of the error that crosses, where it is one.
    var error: Value? {
        switch self {
        case .sent(let message), .received(let message): message.error
        case .answer(.failure(let record)), .evaluated(.failure(let record)),
            .dataReturn(.failure(let record)),
            .dataResult(.failure(let record)):
            record
        default: nil
        }
    }
}

/// A clock that stands still: in a replay nothing happens by itself.
struct StoppedClock: MonotonicClock {
    private struct NoWakeUp: ScheduledWakeUp {
        func cancel() {}
    }

    var now: Duration { .zero }

    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp {
        NoWakeUp()
    }
}
