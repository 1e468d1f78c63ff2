public import BridgeProtocol
internal import BridgeValues
internal import JavaScriptBridge

/// What scripts make of it where messages of a journal go wrong.
public struct FaultReport: Sendable, Hashable {
    /// The faults that have come about; the same ones give the same report.
    public var faults: [Fault]
    /// The errors that no script has caught and that were not there without faults; one that comes more often than it did
    /// stands here as many times as it comes more.
    public var uncaughtErrors: [String]
    /// The codes of errors that crossed and did not without faults.
    public var errorCodes: [String]
    /// The handlers of the host's calls that were lost with a context.
    public var lostCalls: [String]
    /// The handlers of the script's calls that wait at the end and did not without faults, as nobody answers them and no
    /// deadline ends them.
    public var waitingCalls: [String]
    /// What both sides had in hand at the end: calls that nobody answers any more.
    public var tables: JournalTables
    /// Whether the script's side still answers, where it is ours.
    public var answers: Bool
    /// What crossed, as a journal.
    public var journal: Journal
}

extension FaultReport: CustomStringConvertible {
    /// What came of the faults, and the faults themselves.
    public var description: String {
        var lines = [
            "faults: "
                + (faults.isEmpty ? "none came about" : faults.map(\.description).joined(separator: " "))
        ]
        lines += uncaughtErrors.map { "uncaught: \(Printable.entry($0))" }
        if !errorCodes.isEmpty {
            lines.append("errors that crossed: \(errorCodes.map(Printable.text).joined(separator: ", "))")
        }
        lines += lostCalls.map { "the host lost \"\(Printable.text($0))\" with its context" }
        lines += waitingCalls.map { "the script waits for \"\(Printable.text($0))\"" }
        lines += tables.hostCalls.map { "the host waits for \"\(Printable.text($0.handler))\"" }
        if !answers { lines.append("the script's side does not answer any more") }
        return lines.joined(separator: "\n")
    }
}

extension JournalTables {
    /// The handlers that the script's calls wait for, as its side says.
    fileprivate var scriptCalls: [String] {
        (script["pending"].arrayValue ?? []).map { $0["handler"].stringValue ?? "" }
    }
}

extension [String] {
    /// Those that are beyond what others have, by their count.
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
    /// Replays the journal while messages go wrong.
    ///
    /// Nothing is compared: the host does what it did, as far as it gets what it did that for, and the scripts do what they
    /// do then. Once the journal is at its end what was delayed comes, and what waits for longer ends at its deadline. The same
    /// journal and the same faults give the same report.
    ///
    /// - Throws: What ``run(first:onStep:)`` throws.
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

    /// How many messages the journal has, both ways together: what faults can be about.
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
