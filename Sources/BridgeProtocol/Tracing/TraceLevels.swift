package import BridgeValues

/// How much is told of each handler: one level, and others for some names.
package struct TraceLevels: Sendable {
    /// What counts where nothing else is said.
    package var standard: TraceLevel
    private var exceptions: [(pattern: NamePattern, level: TraceLevel)] = []

    /// Makes levels without exceptions.
    package init(_ standard: TraceLevel = .off) { self.standard = standard }

    /// The most that is told of anything.
    package var maximum: TraceLevel { exceptions.reduce(standard) { max($0, $1.level) } }

    /// Whether some names have a level of their own.
    package var hasExceptions: Bool { !exceptions.isEmpty }

    /// The level of a name; of two patterns that mean it the one counts that was set last.
    package func level(of name: String?) -> TraceLevel {
        guard let name, !exceptions.isEmpty else { return standard }
        return exceptions.last { $0.pattern.matches(name) }?.level ?? standard
    }

    /// Sets the level of the names that a pattern means; `nil` takes it back.
    package mutating func set(_ level: TraceLevel?, for pattern: NamePattern) {
        exceptions.removeAll { $0.pattern == pattern }
        if let level { exceptions.append((pattern, level)) }
    }
}
