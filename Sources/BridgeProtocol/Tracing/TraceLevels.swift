package import BridgeValues

/// The trace levels of handlers: a standard one, and exceptions by name.
package struct TraceLevels: Sendable {
    /// The level of names without an exception.
    package var standard: TraceLevel
    private var exceptions: [(pattern: NamePattern, level: TraceLevel)] = []

    /// Creates levels without exceptions.
    package init(_ standard: TraceLevel = .off) { self.standard = standard }

    /// The highest level of any name.
    package var maximum: TraceLevel { exceptions.reduce(standard) { max($0, $1.level) } }

    /// A Boolean value that indicates whether some names have a level of their own.
    package var hasExceptions: Bool { !exceptions.isEmpty }

    /// Returns the level of a name; of several matching patterns the one that was set last applies.
    package func level(of name: String?) -> TraceLevel {
        guard let name, !exceptions.isEmpty else { return standard }
        return exceptions.last { $0.pattern.matches(name) }?.level ?? standard
    }

    /// Sets the level of the names that a pattern matches; `nil` removes it.
    package mutating func set(_ level: TraceLevel?, for pattern: NamePattern) {
        exceptions.removeAll { $0.pattern == pattern }
        if let level { exceptions.append((pattern, level)) }
    }
}
