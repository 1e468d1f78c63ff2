public import BridgeProtocol
internal import BridgeValues
public import JavaScriptBridge
internal import Synchronization

/// A replay of a journal's scripts, without the program that recorded it.
///
/// ```swift
/// let journal = try Journal(contentsOfFile: "session.journal")
/// let report = try await JournalReplay(journal).run()
/// #expect(report.divergence == nil, "\(report)")
/// ```
///
/// The host repeats the journal in its order: messages, timers, scripts, clock readings, replies to synchronous
/// requests, and results of stores and queries. The scripts run for real, and each of their messages is compared with
/// the recorded one. The first difference is a ``JournalDivergence``: the script or the journal has changed, or the
/// script depends on something that the journal does not record.
public struct JournalReplay: Sendable {
    /// The journal.
    public var journal: Journal
    /// The dialects that the header may name; add those of `WebViewBridgeDialects` and your own.
    public var dialects: [BridgeDialect] = [.wvjb6]
    /// The maximum processor time of a turn.
    public var timeLimit: Duration? = .seconds(30)
    /// The receiver of the scripts' `console` output.
    public var consoleSink: (@Sendable (ConsoleMessage) -> Void)?

    /// Creates a replay of a journal.
    public init(_ journal: Journal) { self.journal = journal }

    /// Replays the journal, or its first entries.
    ///
    /// - Parameters:
    ///   - count: The number of entries; all by default. The report describes the moment between that entry and the
    ///     next, even if the script continues in the same turn.
    ///   - onStep: A closure that is called after each action of the host, with the number of replayed entries and the
    ///     tables of both sides.
    /// - Returns: The report.
    /// - Throws: ``BridgeError`` with `unsupported` for an unknown dialect, or with `limitExceeded` for data beyond the
    ///   limits of the header; ``JSException`` if the engine cannot create a context. Errors of scripts are in the
    ///   report.
    public func run(
        first count: Int? = nil,
        onStep: ((Int, JournalTables) -> Void)? = nil
    ) async throws -> JournalReplayReport {
        try await run(journal.entries, .exact, first: count, onStep: onStep).report
    }

    /// Replays entries in a mode, and also returns the entries of the run.
    func run(
        _ entries: [JournalEntry],
        _ mode: JournalPlayer.Mode,
        comparingReadings comparesReadings: Bool = false,
        first count: Int? = nil,
        onStep: ((Int, JournalTables) -> Void)? = nil
    ) async throws -> (report: JournalReplayReport, trace: [JournalEntry]) {
        let player = JournalPlayer(entries, of: journal, mode: mode, comparesReadings: comparesReadings)
        player.captureTables(at: count)
        let report = try await play(player, first: count, onStep: onStep).report
        return (report, player.trace)
    }

    /// Plays a journal to its end, or up to a number of entries.
    ///
    /// - Parameters:
    ///   - player: The player.
    ///   - count: The number of entries.
    ///   - settles: Whether delayed messages arrive at the end, and pending work ends at its deadline. Afterwards the
    ///     script side is asked whether it still replies.
    ///   - onStep: A closure that is called after each step.
    /// - Returns: The report, and whether the script side replied.
    /// - Throws: The errors of ``run(first:onStep:)``.
    func play(
        _ player: JournalPlayer,
        first count: Int? = nil,
        settles: Bool = false,
        onStep: ((Int, JournalTables) -> Void)? = nil
    ) async throws -> (report: JournalReplayReport, answers: Bool) {
        let errors = Mutex<[String]>([])
        var configuration = try BridgeConfiguration(
            replaying: journal.header,
            among: dialects,
            through: player
        )
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
        // Actions of the script beyond that number, in the last turn, are ignored.
        let isStopped = count.map { player.position > $0 } ?? false
        let divergence = player.divergence.flatMap { $0.position < count ?? .max ? $0 : nil }
        let now = try await tables(bridge, player)
        let report = JournalReplayReport(
            entryCount: isStopped && divergence == nil ? count ?? player.position : player.position,
            divergence: divergence,
            tables: isStopped && divergence == nil ? player.capturedTables ?? now : now,
            uncaughtErrors: errors.withLock { $0 },
            errorCodes: player.trace.errorCodes
        )
        return (report, answers)
    }

    // Does the pending work of faults after a step: another context, and replies that came before their requests.
    private func goOn(_ bridge: Bridge, _ player: JournalPlayer) async throws {
        if player.takeReload() { try await reload(bridge, player) }
        while player.owesMessages {
            try await turn(bridge) { try player.deliverOwed(in: $0) }
            if player.takeReload() { try await reload(bridge, player) }
        }
    }

    // A script that retries after each deadline has no end.
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

    // Returns the result of the body; `nil` where a script was terminated in it.
    @discardableResult
    private func turn<Result: Sendable>(
        _ bridge: Bridge,
        _ body: @Sendable (JSContext) throws -> Result
    ) async throws -> Result? {
        do {
            return try await bridge.runtime.withContext { try body($0) }
        } catch let error as JSException where error.isTermination {
            // The journal or the divergence has the termination.
            return nil
        } catch let error as BridgeError where error.code == .disconnected {
            // The engine then retires the context, if its tier requires that.
            return nil
        }
    }

    // Creates another context, with the scripts that have been loaded.
    private func reload(_ bridge: Bridge, _ player: JournalPlayer) async throws {
        let before = player.trace
        try await bridge.reload()
        try? await bridge.runtime.withContext { context in
            for case .script(let name, let line, let text) in before {
                do {
                    try context.evaluate(text, sourceURL: name, startingLine: line)
                } catch let error as JSException where !error.isTermination {
                    // No caller would receive the error. It is reported, unless the script also failed before.
                    if !before.contains(where: { $0.isFailedScript(error.message) }) {
                        context.reportUncaught(error)
                    }
                }
                player.host?.setUp(in: context)
            }
        }
    }

    // Sends the script side a request that every one of this package replies to.
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
            player.fetch()
        }
        return player.trace.contains { entry in
            guard case .received(let message) = entry else { return false }
            return message.kind == .response && message.id == request.id
        }
    }

    // Performs the host's actions in one turn until nothing waits. It may go beyond the requested entry, as the end of
    // a turn performs actions that the host recorded in its middle.
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

/// The report of a replay.
public struct JournalReplayReport: Sendable, Hashable {
    /// The number of replayed entries.
    public var entryCount: Int
    /// The first difference; `nil` where there was none.
    public var divergence: JournalDivergence?
    /// The tables of both sides at the end.
    public var tables: JournalTables
    /// The uncaught errors.
    public var uncaughtErrors: [String]
    /// The codes of the errors that crossed, each once, in the order of their first appearance.
    public var errorCodes: [String]
}

extension JournalReplayReport: CustomStringConvertible {
    /// The result in words, for the failure of a test.
    public var description: String {
        var lines = [divergence.map { "\($0)" } ?? "\(entryCount) entries, all as they were"]
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
    /// Returns whether a script ended with an error that has this message.
    fileprivate func isFailedScript(_ message: String) -> Bool {
        guard case .evaluated(.failure(let record)) = self else { return false }
        return record["msg"].stringValue == message
    }

    /// The record of the entry's error, if it has one.
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

/// A clock that does not advance: in a replay nothing happens by itself.
struct StoppedClock: MonotonicClock {
    private struct NoWakeUp: ScheduledWakeUp {
        func cancel() {}
    }

    var now: Duration { .zero }

    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp {
        NoWakeUp()
    }
}
