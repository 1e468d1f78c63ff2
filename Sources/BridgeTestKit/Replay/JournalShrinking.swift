public import BridgeProtocol
internal import BridgeValues

/// A failure of a journal to look for.
public enum JournalFailure: Sendable {
    /// A script diverges from the journal: in every smaller journal in the same way as now.
    case divergence
    /// An error with this code crosses, or is not caught: in every smaller journal one with the message of an error in
    /// this one.
    case errorCode(String)
    /// A predicate on the report of a replay and on its entries.
    case test(@Sendable (JournalReplayReport, [JournalEntry]) -> Bool)
}

extension JournalReplay {
    /// Removes everything from a journal that its failure does not need: halves first, then smaller parts, then single
    /// steps.
    ///
    /// A step is an action of the host with all reactions of the script; actions of the host for a call of the script
    /// are removed together with that call. Ids that a script chooses are replaced by those of the new run. The result
    /// is a journal of its own, which fails in the same way when it is replayed.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - maximumRuns: The maximum number of replays.
    /// - Returns: The smaller journal; `nil` where this one does not have the failure.
    /// - Throws: The errors of ``run(first:onStep:)``; `unsupported` for a divergence in data that a smaller journal
    ///   renews: ids, timers, replies.
    /// - Complexity: Quadratic in the number of the host's actions, in the worst case, in replays.
    public func shrink(_ failure: JournalFailure, maximumRuns: Int = 2_000) async throws -> Journal? {
        var search = JournalSearch(replay: self, failure: failure, runsLeft: maximumRuns)
        return try await search.smallest()
    }
}

private struct JournalSearch {
    let replay: JournalReplay
    let failure: JournalFailure
    var runsLeft: Int
    /// The divergence, without ids.
    private var wanted: Divergence?
    /// A Boolean value that indicates whether the divergence is a clock reading of a script.
    private var comparesReadings = false
    /// The messages of the errors: removing steps may cause other errors with the same code.
    private var wantedMessages: Set<String>?

    private struct Divergence: Equatable {
        let expected: JournalEntry?
        let actual: JournalEntry?

        init(_ divergence: JournalDivergence) {
            expected = divergence.expected?.withoutIDs
            actual = divergence.actual?.withoutIDs
        }
    }

    init(replay: JournalReplay, failure: JournalFailure, runsLeft: Int) {
        self.replay = replay
        self.failure = failure
        self.runsLeft = runsLeft
    }

    private var mode: JournalPlayer.Mode {
        if case .divergence = failure { .renumbered } else { .free }
    }

    mutating func smallest() async throws -> Journal? {
        let entries = replay.journal.entries
        if case .divergence = failure, try await !findDivergence() { return nil }
        guard let whole = try await trace(of: entries) else {
            guard wanted != nil else { return nil }
            throw BridgeError(
                .unsupported,
                "The divergence is in an id, a timer or a reply of the host, which a smaller journal renews: it "
                    + "cannot be shrunk."
            )
        }
        let (beginning, all) = Self.steps(of: entries)
        var steps = all
        // Entries after a divergence were not compared.
        if let wanted, let cut = try await lastStep(beginning, steps, wanted) { steps = Array(steps[...cut]) }
        var smallest = whole
        var size = max(1, steps.count / 2)
        search: while !steps.isEmpty {
            var start = 0
            var hasShrunk = false
            while start < steps.count {
                guard runsLeft > 0 else { break search }
                var candidate = steps
                candidate.removeSubrange(start..<min(start + size, candidate.count))
                if let trace = try await trace(of: beginning + candidate.joined()) {
                    (steps, smallest, hasShrunk) = (candidate, trace, true)
                } else {
                    start += size
                }
            }
            if size > 1 { size /= 2 } else if !hasShrunk { break }
        }
        return Journal(header: replay.journal.header, entries: smallest)
    }

    // Stores the divergence of a replay as the wanted one; returns whether there is any.
    private mutating func findDivergence() async throws -> Bool {
        guard let divergence = try await replay.run().divergence else { return false }
        wanted = Divergence(divergence)
        comparesReadings = [divergence.expected, divergence.actual].contains { $0?.isReading == true }
        return true
    }

    // Returns the index of the step with the divergence.
    private func lastStep(
        _ beginning: [JournalEntry],
        _ steps: [[JournalEntry]],
        _ wanted: Divergence
    ) async throws -> Int? {
        let report = try await replay.run(
            replay.journal.entries,
            mode,
            comparingReadings: comparesReadings
        ).report
        guard var position = report.divergence?.position else { return nil }
        position -= beginning.count
        for (index, step) in steps.enumerated() {
            if position < step.count { return index }
            position -= step.count
        }
        return steps.indices.last
    }

    /// Returns the entries of a replay of these entries; `nil` if it does not have the failure.
    private mutating func trace(of entries: [JournalEntry]) async throws -> [JournalEntry]? {
        runsLeft -= 1
        let (report, trace) = try await replay.run(entries, mode, comparingReadings: comparesReadings)
        switch failure {
        case .divergence:
            return report.divergence.map(Divergence.init) == wanted ? trace : nil
        case .errorCode(let code):
            let messages = Set(
                trace.lazy.compactMap(\.error).filter { $0["code"].stringValue == code }.map(\.words)
            )
            let wanted = wantedMessages ?? messages
            wantedMessages = wanted
            return wanted.isDisjoint(with: messages) ? nil : trace
        case .test(let test): return test(report, trace) ? trace : nil
        }
    }

    /// Returns the entries that cannot be removed, up to the first context, and then each action of the host with its
    /// reactions.
    private static func steps(of entries: [JournalEntry]) -> (
        beginning: [JournalEntry], steps: [[JournalEntry]]
    ) {
        let first = entries.firstIndex { if case .context = $0 { true } else { false } } ?? entries.startIndex
        var start = min(first + 1, entries.count)
        // The functions of the data API belong to the context.
        if start < entries.count, case .data = entries[start] { start += 1 }
        var steps: [[JournalEntry]] = []
        var depth = 0
        for entry in entries[start...] {
            if steps.isEmpty || (entry.isCause && depth == 0) { steps.append([]) }
            steps[steps.count - 1].append(entry)
            switch entry {
            case .request, .dataCall: depth += 1
            case .answer, .dataReturn: depth = max(0, depth - 1)
            default: break
            }
        }
        return (Array(entries[..<start]), steps)
    }
}

extension Value {
    fileprivate var words: String { self["msg"].stringValue ?? "" }
}

extension JournalEntry {
    /// The entry without data that another run numbers differently.
    fileprivate var withoutIDs: JournalEntry {
        switch self {
        case .received(var message):
            message.id = nil
            message.stream = nil
            message.timeout = nil
            message.error = message.error.map { $0["code"] }
            return .received(message)
        case .evaluated(.failure(let record)): return .evaluated(.failure(record["msg"]))
        case .dataResult(.failure(let record)): return .dataResult(.failure(record["msg"]))
        case .date: return .date(milliseconds: 0, count: 1)
        case .clock: return .clock(milliseconds: 0, count: 1)
        default: return self
        }
    }
}
