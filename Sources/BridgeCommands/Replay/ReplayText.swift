internal import BridgeJSON
internal import BridgeProtocol
internal import BridgeTestKit
internal import BridgeValues

/// The output of `jsbridge replay`.
struct ReplayText {
    let options: ReplayOptions
    let journal: Journal
    let isJSON: Bool

    /// Returns one line for each journal entry: its number, the message number, the direction, and an excerpt.
    func entries(_ count: Int) -> String {
        var messages = 0
        let lines = journal.entries.prefix(count).enumerated().map { index, entry -> String in
            let way: String
            switch entry {
            case .sent:
                messages += 1
                way = "#\(messages) host   >"
            case .received:
                messages += 1
                way = "#\(messages) script <"
            default: way = entry.isCause || entry.isNote ? "host" : "script"
            }
            return "\(Self.padded("\(index + 1)", 5)) \(Self.padded(way, 14))  \(entry.excerpt)"
        }
        return lines.joined(separator: "\n")
    }

    func text(of report: JournalReplayReport, isPartial: Bool) -> String {
        guard !isJSON else {
            var record = Self.record(of: report)
            record["entries"] = .integer(Int64(report.entryCount))
            record["total"] = .integer(Int64(journal.entries.count))
            record["tear"] = journal.tear.map(Value.string) ?? .null
            record["isEnded"] = .bool(journal.isEnded)
            record["tables"] = report.tables.record
            return Self.json(record)
        }
        var lines: [String] = []
        if let divergence = report.divergence {
            lines.append("\(divergence)")
        } else {
            lines.append("\(report.entryCount) of \(journal.entries.count) entries, all as they were")
        }
        if let tear = journal.tear {
            lines.append("the journal was cut: \(Printable.text(tear))")
        } else if !journal.isEnded {
            lines.append("the journal has no end: its process ended before its bridge, or lines are missing")
        } else if journal.entries.contains(.full) {
            lines.append("the journal became full: later entries are not in it")
        }
        if journal.header.redactsSecrets, journal.text.contains(SecretMembers.mark) {
            lines.append(
                "secrets were left out of the journal: scripts get \(SecretMembers.mark) in their place"
            )
        }
        lines += report.uncaughtErrors.map { "uncaught: \(Printable.entry($0))" }
        if isPartial || report.divergence != nil { lines += report.tables.lines }
        return lines.joined(separator: "\n")
    }

    func text(of report: FaultReport, seed: UInt64?) -> String {
        let these = options.commandLine(with: report.faults.map { "--fault \($0)" })
        let again = seed.map { options.commandLine(with: ["--faults \($0)"]) } ?? these
        guard !isJSON else {
            return Self.json([
                "faults": .array(report.faults.map { .string("\($0)") }),
                "uncaughtErrors": .array(report.uncaughtErrors.map(Value.string)),
                "errorCodes": .array(report.errorCodes.map(Value.string)), "answers": .bool(report.answers),
                "lostCalls": .array(report.lostCalls.map(Value.string)),
                "waitingCalls": .array(report.waitingCalls.map(Value.string)),
                "tables": report.tables.record, "replay": .string(again),
            ])
        }
        return "\(report)\nreplay: \(again)"
            + (seed == nil || report.faults.isEmpty ? "" : "\n    or: \(these)")
    }

    func text(of smaller: Journal, at path: String) -> String {
        guard !isJSON else {
            return Self.json([
                "entries": .integer(Int64(smaller.entries.count)),
                "total": .integer(Int64(journal.entries.count)), "file": .string(path),
            ])
        }
        return
            "\(smaller.entries.count) of \(journal.entries.count) entries are needed: \(Printable.text(path))"
    }

    static func record(of report: JournalReplayReport) -> ValueObject {
        [
            "divergence": report.divergence.map { divergence in
                [
                    "position": .integer(Int64(divergence.position)),
                    "expected": divergence.expected?.record ?? .null,
                    "actual": divergence.actual?.record ?? .null,
                ]
            } ?? .null,
            "uncaughtErrors": .array(report.uncaughtErrors.map(Value.string)),
            "errorCodes": .array(report.errorCodes.map(Value.string)),
        ]
    }

    private static func json(_ record: ValueObject) -> String {
        (try? JSONTextEncoder().encode(Value.object(record))) ?? "{}"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension ReplayOptions {
    /// Returns the command that repeats the replay, for a shell.
    fileprivate func commandLine(with faults: [String]) -> String {
        var words = ["jsbridge", "replay"] + faults
        if timeLimit != RunOptions.defaultTimeLimit { words += ["--time-limit", timeLimit.seconds] }
        if file.hasPrefix("-"), file != "-" { words.append("--") }
        return (words + [ShellText.quoted(file)]).joined(separator: " ")
    }
}

extension Duration? {
    /// The duration in the form of `--time-limit`.
    fileprivate var seconds: String {
        guard let self else { return "0" }
        let milliseconds = self / .milliseconds(1)
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        return isWhole ? "\(Int(milliseconds / 1000))" : "\(milliseconds / 1000)"
    }
}

extension JournalTables {
    fileprivate var record: Value {
        let host: Value = [
            "calls": .array(hostCalls.map(\.record)), "requests": .array(hostRequests.map(\.record)),
            "streams": .array(hostStreams.map(\.record)), "handlers": .array(hostHandlers.map(Value.string)),
        ]
        return ["host": host, "script": script, "timers": .array(timers.map { .integer(Int64($0)) })]
    }

    fileprivate var lines: [String] {
        let rows = { (rows: [Row]) in rows.map { "\($0.id.shown) \($0.handler)" } }
        let scriptRows = { (key: String) in
            (script[key].arrayValue ?? []).map { row in
                guard case .object = row else { return row.shown }
                return "\(row["id"].shown) \(row["handler"].shown)"
            }
        }
        return [
            "host", Self.line("calls", rows(hostCalls)), Self.line("requests", rows(hostRequests)),
            Self.line("streams", rows(hostStreams)), Self.line("handlers", hostHandlers), "script",
            Self.line("calls", scriptRows("pending")), Self.line("requests", scriptRows("incoming")),
            Self.line("streams", scriptRows("streams")), Self.line("handlers", scriptRows("handlers")),
            Self.line("topics", scriptRows("topics")), Self.line("timers", timers.map { "\($0)" }),
            "  queue     \(Printable.text(script["queue"].shown))",
        ]
    }

    private static func line(_ name: String, _ rows: [String]) -> String {
        let shown =
            rows.prefix(20).map(Printable.text).joined(separator: ", ") + (rows.count > 20 ? ", ..." : "")
        return "  " + name + String(repeating: " ", count: 10 - name.count)
            + (rows.isEmpty ? "-" : "\(rows.count): \(shown)")
    }
}

extension JournalTables.Row {
    fileprivate var record: Value { ["id": id, "handler": .string(handler)] }
}

extension Value {
    fileprivate var shown: String {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        default: kind
        }
    }
}
