internal import BridgeValues

/// Why a side does not conform.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule, as the vector says it.
    public let vector: String
    /// The number of the step, from 1.
    public let step: Int
    /// What was done at that step.
    public let stimulus: String
    /// What was expected and what was seen, in some lines.
    public let reason: String
    /// Whether a script was stopped at its limit, so that nothing after it means anything.
    public let isStop: Bool

    /// The rule, the step, what was expected and what was seen.
    public var description: String { "\(vector)\n  step \(step), \(stimulus):\n \(reason)" }
}

/// Compares what was seen with what a vector expects.
struct ConformanceChecker {
    let vector: ConformanceVector
    let isAncestor: Bool
    var bindings: ConformanceBindings
    // What native sides write is compared whatever the order of its members; a script's side is compared as it is, and
    // needs no engine for that.
    private let text: ConformanceText?

    init(vector: ConformanceVector, dialect: ConformanceDialect, isAncestor: Bool) throws {
        self.vector = vector
        self.isAncestor = isAncestor
        bindings = ConformanceBindings(dialect: dialect)
        text = vector.side == .native ? try ConformanceText() : nil
    }

    /// A value as JSON.
    func json(_ value: Value) throws -> String { try (text ?? ConformanceText()).text(of: value) }

    mutating func check(
        _ step: ConformanceStep,
        at index: Int,
        _ seen: [ConformanceObservation],
        timers: Int?
    ) throws -> ConformanceFailure? {
        let expected = isAncestor ? step.ancestor ?? step.expectation : step.expectation
        var complaint: String?
        if try !matchesInOrder(seen.lines, expected.lines) {
            complaint = "expected \(Self.shown(expected.lines))\n     seen \(Self.shown(seen.lines))"
        } else if let log = expected.log, try !contains(seen.log, log) {
            complaint = "expected in the log \(Self.shown(log))\n     written \(Self.shown(seen.log))"
        } else if let signals = expected.signals, signals != seen.signals {
            complaint = "expected \(signals) signals, seen \(seen.signals)"
        } else if let wanted = expected.timers, wanted != timers {
            complaint = "expected \(wanted) timers more to wait than before, \(timers ?? 0) do"
        }
        return complaint.map { complaint in
            let logged = seen.log.isEmpty ? "" : "\n  the log has \(Self.shown(seen.log))"
            return ConformanceFailure(
                vector: vector.name,
                step: index + 1,
                stimulus: "\(step.stimulus)",
                reason: complaint + logged,
                isStop: false
            )
        }
    }

    /// The failure of a step in which a script was stopped.
    func stop(_ step: ConformanceStep, at index: Int, _ reason: String) -> ConformanceFailure {
        ConformanceFailure(
            vector: vector.name,
            step: index + 1,
            stimulus: "\(step.stimulus)",
            reason: reason,
            isStop: true
        )
    }

    // A native side sends whenever its web view takes it: what it sends is in order, and so is what it does,
    // but a reply may leave before or after the next handler runs (P39).
    private mutating func matchesInOrder(_ lines: [String], _ patterns: [String]) throws -> Bool {
        guard vector.side == .native else { return try matches(lines, patterns) }
        let isSent = { (line: String) in line.hasPrefix("sent ") }
        return try matches(lines.filter(isSent), patterns.filter(isSent))
            && matches(lines.filter { !isSent($0) }, patterns.filter { !isSent($0) })
    }

    private mutating func matches(_ lines: [String], _ patterns: [String]) throws -> Bool {
        guard lines.count == patterns.count else { return false }
        for (line, pattern) in zip(lines, patterns) where try !matches(line, pattern) { return false }
        return true
    }

    private mutating func matches(_ line: String, _ pattern: String) throws -> Bool {
        guard vector.side == .native else { return try bindings.matches(line, pattern) }
        return try bindings.matches(sorted(line), sorted(pattern))
    }

    /// Whether the patterns are found among the lines in their order; without any, there may be no line.
    private mutating func contains(_ lines: [String], _ patterns: [String]) throws -> Bool {
        guard !patterns.isEmpty else { return lines.isEmpty }
        var rest = lines[...]
        for pattern in patterns {
            guard let found = try rest.firstIndex(where: { try bindings.matches($0, pattern) }) else {
                return false
            }
            rest = rest[(found + 1)...]
        }
        return true
    }

    private func sorted(_ line: String) -> String {
        guard let text, let start = line.firstIndex(where: { $0 == "{" || $0 == "[" }) else { return line }
        return line[..<start] + text.sorted(String(line[start...]))
    }

    private static func shown(_ lines: [String]) -> String {
        guard !lines.isEmpty else { return "nothing" }
        // By bytes first: counting the characters of what an implementation writes may take long.
        let shown = lines.prefix(20).map { line in
            line.utf8.count > 300 ? line.unicodeScalars.prefix(300).map(String.init).joined() + " ..." : line
        }
        let rest = lines.count > 20 ? ["... and \(lines.count - 20) lines more"] : []
        return (shown + rest).joined(separator: "\n          ")
    }
}
