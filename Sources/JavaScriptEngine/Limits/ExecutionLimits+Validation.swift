/// An error about a limit that is weaker than its tier allows, or that the system cannot enforce.
public struct ExecutionLimitsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The tier whose rules the limit breaks.
    public let tier: ExecutionTier
    /// The name of the field of ``ExecutionLimits``.
    public let field: String
    /// The field's value.
    public let value: String
    /// The weakest value that the tier allows.
    public let weakest: String
    /// The reason why the system cannot enforce the limit; `nil` where the tier refuses it.
    public let obstacle: String?

    init(tier: ExecutionTier, field: String, value: String, weakest: String, obstacle: String? = nil) {
        self.tier = tier
        self.field = field
        self.value = value
        self.weakest = weakest
        self.obstacle = obstacle
    }

    /// The complete message.
    public var description: String {
        if let obstacle { return "\(field) = \(value) cannot be kept: \(obstacle)" }
        return "\(field) = \(value) weakens the \(tier) tier, which allows \(weakest) at most"
    }
}

extension ExecutionLimits {
    /// Checks that these limits weaken no field of a tier.
    ///
    /// Stricter limits are always accepted. The trusted tier accepts any limits.
    ///
    /// - Parameter tier: The tier to check against; the limits' own by default.
    /// - Returns: The same limits.
    /// - Throws: ``ExecutionLimitsError`` that names the first field that is too weak.
    @discardableResult
    public func validated(for tier: ExecutionTier? = nil) throws(ExecutionLimitsError) -> ExecutionLimits {
        let tier = tier ?? self.tier
        guard tier != .trusted else { return self }
        let weakest = Self.weakest(of: tier)
        try check("processorTime", \.processorTime, weakest, tier)
        try check("wallTime", \.wallTime, weakest, tier)
        try check("maximumHeapBytes", \.maximumHeapBytes, weakest, tier)
        try check("maximumNestedCalls", \.maximumNestedCalls, weakest, tier)
        try check("maximumConsoleBytesPerSecond", \.maximumConsoleBytesPerSecond, weakest, tier)
        try check("maximumTimers", \.maximumTimers, weakest, tier)
        try check("maximumPendingPromises", \.maximumPendingPromises, weakest, tier)
        try check("maximumTypedArrayBytes", \.maximumTypedArrayBytes, weakest, tier)
        try check("maximumDepth", \.maximumDepth, weakest, tier)
        try check("maximumNodes", \.maximumNodes, weakest, tier)
        try check("maximumPayloadBytes", \.maximumPayloadBytes, weakest, tier)
        guard !allowsEval || weakest.allowsEval else {
            throw ExecutionLimitsError(tier: tier, field: "allowsEval", value: "true", weakest: "false")
        }
        guard terminationPolicy == .retires || weakest.terminationPolicy == .continues else {
            throw ExecutionLimitsError(
                tier: tier,
                field: "terminationPolicy",
                value: "\(terminationPolicy)",
                weakest: "\(weakest.terminationPolicy)"
            )
        }
        return self
    }

    /// Checks that a memory limit can be enforced, for which the system must report the process's size.
    func checkMemoryLimit(isSupported: Bool) throws(ExecutionLimitsError) {
        guard let maximumHeapBytes, !isSupported else { return }
        throw ExecutionLimitsError(
            tier: tier,
            field: "maximumHeapBytes",
            value: "\(maximumHeapBytes)",
            weakest: "nil",
            obstacle: "the system does not report the size of the process (/proc/self/statm)"
        )
    }

    // A missing number means no limit, the weakest value of all.
    private func check<Number: Comparable>(
        _ field: String,
        _ path: KeyPath<Self, Number?>,
        _ weakest: Self,
        _ tier: ExecutionTier
    ) throws(ExecutionLimitsError) {
        guard let allowed = weakest[keyPath: path] else { return }
        if let value = self[keyPath: path], value <= allowed { return }
        throw ExecutionLimitsError(
            tier: tier,
            field: field,
            value: self[keyPath: path].map { "\($0)" } ?? "no limit",
            weakest: "\(allowed)"
        )
    }

    private func check(
        _ field: String,
        _ path: KeyPath<Self, Int>,
        _ weakest: Self,
        _ tier: ExecutionTier
    ) throws(ExecutionLimitsError) {
        guard self[keyPath: path] > weakest[keyPath: path] else { return }
        throw ExecutionLimitsError(
            tier: tier,
            field: field,
            value: "\(self[keyPath: path])",
            weakest: "\(weakest[keyPath: path])"
        )
    }
}
