public import BridgeProtocol
internal import BridgeValues

/// What makes a journal one that fails.
public enum JournalFailure: Sendable {
    /// A script does not do what the journal says: the same that it does not do now, in every smaller journal.
    case divergence
    /// An error with this code crosses, or leaves a script: in every smaller journal one that is in this one, with its words.
    case errorCode(String)
    /// A test says so, of what came of a replay and of what crossed in it.
    case test(@Sendable (JournalReplayReport, [JournalEntry]) -> Bool)
}

extension JournalReplay {
    /// Takes out of a journal what its failure does not need: halves first, then smaller parts, then one by one.
    ///
    /// What goes is what the host has done, with all that the script did then; what the host did about a call of the script
    /// goes with that call. The ids that a script gives out become those that it gives out now. What is left is a journal
    /// of its own, which fails in the same way when it is replayed.
    ///
    /// - Parameters:
    ///   - failure: What is looked for.
    ///   - maximumRuns: How many replays this may take.
    /// - Returns: The smaller journal; `nil` where this one does not fail so.
    /// - Throws: What ``run(first:onStep:)`` throws; `unsupported` for a divergence that is only in what a smaller journal
    ///   has anew: ids, timers, answers.
    /// - Complexity: Quadratic in the number of things that the host did, at worst, in replays.
    public func shrink(_ failure: JournalFailure, maximumRuns: Int = 2_000) async throws -> Journal? {
        var search = JournalSearch(replay: self, failure: failure, runsLeft: maximumRuns)
        return try await search.smallest()
    }
}

private struct JournalSearch {
    let replay: JournalReplay
    let failure: JournalFailure
    var runsLeft: Int
    /// What diverges, apart from ids.
    private var wanted: Divergence?
    /// Whether that is where a script reads its clock.
    private var comparesReadings = false
    /// The words of the errors that are looked for: what was left out makes others with the same code.
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
                "What is not the same is an id, a timer or an answer of the host, which a smaller journal has anew: it "
                    + "cannot be shrunk."
            )
        }
        let (beginning, all) = Self.steps(of: entries)
        var steps = all
        // What comes after a divergence was not looked at.
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

    // What a replay tells of is what is looked for; gives whether there is any.
    private mutating func findDivergence() async throws -> Bool {
        guard let divergence = try await replay.run().divergence else { return false }
        wanted = Divergence(divergence)
        comparesReadings = [divergence.expected, divergence.actual].contains { $0?.isReading == true }
        return true
    }

    // The number of the step in which the divergence is.
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

    /// What crosses where these entries are replayed; `nil` where that does not fail.
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

    /// What cannot go, up to the first context, and then each thing that the host did with what came of it.
    private static func steps(of entries: [JournalEntry]) -> (
        beginning: [JournalEntry], steps: [[JournalEntry]]
    ) {
        let first = entries.firstIndex { if case .context = $0 { true } else { false } } ?? entries.startIndex
        var start = min(first + 1, entries.count)
        // What the context has goes with the context.
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
    /// The entry without what another run numbers in another way.
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
