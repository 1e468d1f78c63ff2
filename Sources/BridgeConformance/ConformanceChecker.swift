internal import BridgeValues

/// The reason why a side does not conform.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the vector, which states the rule.
    public let vector: String
    /// The number of the step, from 1.
    public let step: Int
    /// The stimulus of that step.
    public let stimulus: String
    /// The expected and the observed behavior, in several lines.
    public let reason: String
    /// A Boolean value that indicates whether a script was terminated at its limit, so that later observations mean
    /// nothing.
    public let isStop: Bool

    /// The rule, the step, and the expected and the observed behavior.
    public var description: String { "\(vector)\n  step \(step), \(stimulus):\n \(reason)" }
}

/// A comparison of observations with the expectations of a vector.
struct ConformanceChecker {
    let vector: ConformanceVector
    let isLegacyLibrary: Bool
    var bindings: ConformanceBindings
    // The output of native sides is compared without regard to the order of members. That of a script side is compared
    // literally, which needs no engine.
    private let text: ConformanceText?

    init(vector: ConformanceVector, dialect: ConformanceDialect, isLegacyLibrary: Bool) throws {
        self.vector = vector
        self.isLegacyLibrary = isLegacyLibrary
        bindings = ConformanceBindings(dialect: dialect)
        text = vector.side == .native ? try ConformanceText() : nil
    }

    /// Returns a value as JSON.
    func json(_ value: Value) throws -> String { try (text ?? ConformanceText()).text(of: value) }

    mutating func check(
        _ step: ConformanceStep,
        at index: Int,
        _ seen: [ConformanceObservation],
        timers: Int?
    ) throws -> ConformanceFailure? {
        let expected = isLegacyLibrary ? step.original ?? step.expectation : step.expectation
        var complaint: String?
        if try !matchesInOrder(seen.lines, expected.lines) {
            complaint = "expected \(Self.shown(expected.lines))\n     seen \(Self.shown(seen.lines))"
        } else if let log = expected.log, try !contains(seen.log, log) {
            complaint = "expected in the log \(Self.shown(log))\n     written \(Self.shown(seen.log))"
        } else if let signals = expected.signals, signals != seen.signals {
            complaint = "expected \(signals) signals, seen \(seen.signals)"
        } else if let wanted = expected.timers, wanted != timers {
            complaint = "expected \(wanted) more waiting timers than before, seen \(timers ?? 0)"
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

    /// Returns the failure of a step in which a script was terminated.
    func stop(_ step: ConformanceStep, at index: Int, _ reason: String) -> ConformanceFailure {
        ConformanceFailure(
            vector: vector.name,
            step: index + 1,
            stimulus: "\(step.stimulus)",
            reason: reason,
            isStop: true
        )
    }

    // A native side sends whenever its web view is ready. Its messages are in order, and so are its actions, but a
    // reply may leave before or after the next handler runs (P39).
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

    /// Returns whether the lines contain the patterns in order; without patterns, there may be no line.
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
        // Bytes are checked first, because counting the characters of an implementation's output may take long.
        let shown = lines.prefix(20).map { line in
            line.utf8.count > 300 ? line.unicodeScalars.prefix(300).map(String.init).joined() + " ..." : line
        }
        let rest = lines.count > 20 ? ["... and \(lines.count - 20) more lines"] : []
        return (shown + rest).joined(separator: "\n          ")
    }
}
