public import BridgeProtocol
internal import BridgeValues
internal import JavaScriptBridge

/// The reaction of scripts to faults in the messages of a journal.
public struct FaultReport: Sendable, Hashable {
    /// The faults that have occurred; the same ones give the same report.
    public var faults: [Fault]
    /// The uncaught errors that did not occur without faults; one that occurs more often is repeated by the difference.
    public var uncaughtErrors: [String]
    /// The codes of errors that crossed and did not without faults.
    public var errorCodes: [String]
    /// The handlers of the host's calls that were lost with a context.
    public var lostCalls: [String]
    /// The handlers of the script's calls that are still pending at the end, without a reply or a deadline, and were
    /// not without faults.
    public var waitingCalls: [String]
    /// The pending work of both sides at the end: calls that will receive no reply.
    public var tables: JournalTables
    /// A Boolean value that indicates whether the script side still replies, if it is that of this package.
    public var answers: Bool
    /// The events of the run, as a journal.
    public var journal: Journal
}

extension FaultReport: CustomStringConvertible {
    /// The consequences of the faults, and the faults themselves.
    public var description: String {
        var lines = [
            "faults: "
                + (faults.isEmpty ? "none occurred" : faults.map(\.description).joined(separator: " "))
        ]
        lines += uncaughtErrors.map { "uncaught: \(Printable.entry($0))" }
        if !errorCodes.isEmpty {
            lines.append("errors that crossed: \(errorCodes.map(Printable.text).joined(separator: ", "))")
        }
        lines += lostCalls.map { "the host lost \"\(Printable.text($0))\" with its context" }
        lines += waitingCalls.map { "the script waits for \"\(Printable.text($0))\"" }
        lines += tables.hostCalls.map { "the host waits for \"\(Printable.text($0.handler))\"" }
        if !answers { lines.append("the script side no longer replies") }
        return lines.joined(separator: "\n")
    }
}

extension JournalTables {
    /// The handlers of the script's pending calls, as the script side reports them.
    fileprivate var scriptCalls: [String] {
        (script["pending"].arrayValue ?? []).map { $0["handler"].stringValue ?? "" }
    }
}

extension [String] {
    /// Returns the multiset difference to other strings.
    fileprivate func without(_ others: [String]) -> [String] {
        var rest = others.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return filter { text in
            guard let count = rest[text], count > 0 else { return true }
            rest[text] = count - 1
            return false
        }
    }
}

extension JournalReplay {
    /// Replays the journal with faults in its messages.
    ///
    /// Nothing is compared: the host repeats its recorded actions as far as it receives their causes, and the scripts
    /// react freely. After the end of the journal, delayed messages arrive, and pending work ends at its deadline. The
    /// same journal and the same faults give the same report.
    ///
    /// - Throws: The errors of ``run(first:onStep:)``.
    public func run(with faults: [Fault]) async throws -> FaultReport {
        let plain = try await play(JournalPlayer(journal.entries, of: journal, mode: .free), settles: true)
            .report
        let player = makePlayer(faults)
        let (report, answers) = try await play(player, settles: true)
        return FaultReport(
            faults: player.faults?.done ?? [],
            uncaughtErrors: report.uncaughtErrors.without(plain.uncaughtErrors),
            errorCodes: report.errorCodes.filter { !plain.errorCodes.contains($0) },
            lostCalls: player.faults?.lostCalls.map(\.handler) ?? [],
            waitingCalls: report.tables.scriptCalls.without(plain.tables.scriptCalls),
            tables: report.tables,
            answers: answers,
            journal: Journal(header: journal.header, entries: player.trace)
        )
    }

    /// The number of messages in the journal, in both directions together, which may have faults.
    public var messageCount: Int {
        journal.entries.count { entry in
            switch entry {
            case .sent, .received: true
            default: false
            }
        }
    }

    private func makePlayer(_ faults: [Fault]) -> JournalPlayer {
        JournalPlayer(journal.entries, of: journal, mode: .free, faults: faults)
    }
}
