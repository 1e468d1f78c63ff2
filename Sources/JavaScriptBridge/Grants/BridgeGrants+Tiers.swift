/// An error for grants that are weaker than their tier allows.
public struct BridgeGrantsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The tier that would be weakened.
    public let tier: ExecutionTier
    /// The property of ``BridgeGrants`` or ``GrantLimits`` that is too weak.
    public let field: String
    /// The value of the property.
    public let value: String
    /// The weakest value that the tier allows.
    public let weakest: String

    /// The error as a sentence.
    public var description: String {
        "\(field) = \(value) weakens the \(tier) tier, which allows \(weakest) at most"
    }
}

extension GrantLimits {
    /// Returns the weakest limits of a tier, which are the defaults of a grant without its own.
    public static func weakest(of tier: ExecutionTier) -> GrantLimits {
        switch tier {
        case .trusted: GrantLimits()
        case .constrained:
            GrantLimits(
                rate: Rate(10_000, per: .seconds(1)),
                maximumConcurrentCalls: 256,
                maximumPayloadBytes: 8 << 20
            )
        }
    }
}

extension BridgeGrants {
    /// Validates that these grants do not weaken a rule of a tier.
    ///
    /// The constrained tier allows only what is named. Its ``fallback`` is a denial; no allowance is for `*`, for all
    /// stores, or for files below the root folder. Each allowance has limits, at most those of
    /// ``GrantLimits/weakest(of:)`` and ``maximumFileBytes(of:)``. The trusted tier accepts any grants.
    ///
    /// - Returns: The same grants.
    /// - Throws: ``BridgeGrantsError`` that names the property that is too weak.
    @discardableResult
    public func validated(for tier: ExecutionTier) throws(BridgeGrantsError) -> BridgeGrants {
        guard tier != .trusted else { return self }
        guard fallback != .allow else {
            throw BridgeGrantsError(tier: tier, field: "fallback", value: "allow", weakest: "deny")
        }
        let weakest = GrantLimits.weakest(of: tier)
        for rule in rules where rule.isAllowance {
            guard rule.pattern != .any else {
                throw BridgeGrantsError(
                    tier: tier,
                    field: "the pattern of an allowance",
                    value: "\"*\"",
                    weakest: "a name, or a prefix of one,"
                )
            }
            try check("rate", rule, \.rate?.tokensPerSecond, weakest, tier)
            try check("burst", rule, \.rate?.burst, weakest, tier)
            try check("maximumConcurrentCalls", rule, \.maximumConcurrentCalls, weakest, tier)
            try check("maximumPayloadBytes", rule, \.maximumPayloadBytes, weakest, tier)
        }
        for rule in dataRules where rule.isAllowance && rule.scope.name == .any {
            throw BridgeGrantsError(
                tier: tier,
                field: "the name in an allowance of data",
                value: "\"\(rule.scope)\"",
                weakest: "a store or source, or a prefix of its name,"
            )
        }
        try checkFiles(tier)
        return self
    }

    private func checkFiles(_ tier: ExecutionTier) throws(BridgeGrantsError) {
        for rule in fileRules where rule.isAllowance {
            guard !rule.folder.allSatisfy({ "/.".contains($0) }) || !rule.folder.hasPrefix("/") else {
                throw BridgeGrantsError(
                    tier: tier,
                    field: "the folder of an allowance",
                    value: "\"\(rule.folder)\"",
                    weakest: "a folder below the root"
                )
            }
            guard let weakest = Self.maximumFileBytes(of: tier), let value = rule.maximumBytes,
                value > weakest
            else { continue }
            throw BridgeGrantsError(
                tier: tier,
                field: "maximumBytes of the files below \"\(rule.folder)\"",
                value: "\(value)",
                weakest: "\(weakest)"
            )
        }
    }

    /// Returns the maximum size of a file that a script of a tier may import; `nil` means no limit.
    public static func maximumFileBytes(of tier: ExecutionTier) -> Int? {
        switch tier {
        case .trusted: nil
        case .constrained: 64 << 20
        }
    }

    private func check<Number: Comparable>(
        _ field: String,
        _ rule: Rule,
        _ path: KeyPath<GrantLimits, Number?>,
        _ weakest: GrantLimits,
        _ tier: ExecutionTier
    ) throws(BridgeGrantsError) {
        // A limit that a rule leaves open is that of the tier.
        guard let allowed = weakest[keyPath: path], let value = rule.limits[keyPath: path], value > allowed
        else {
            return
        }
        throw BridgeGrantsError(
            tier: tier,
            field: "\(field) of \"\(rule.pattern)\"",
            value: "\(value)",
            weakest: "\(allowed)"
        )
    }

    /// Returns the grants as they take effect in a tier, with the tier's values where they leave something open.
    func resolved(for tier: ExecutionTier) -> BridgeGrants {
        let isOpen = fallback == .allow || fallback == .tier && tier == .trusted
        var resolved = BridgeGrants(fallback: isOpen ? .allow : .deny)
        let weakest = GrantLimits.weakest(of: tier)
        for rule in rules {
            if rule.isAllowance {
                resolved.allow(rule.pattern, limits: rule.limits.filled(with: weakest), for: rule.lifetime)
            } else {
                resolved.deny(rule.pattern, for: rule.lifetime)
            }
        }
        for rule in dataRules {
            if rule.isAllowance {
                resolved.allow(rule.operations, on: rule.scope, for: rule.lifetime)
            } else {
                resolved.deny(rule.operations, on: rule.scope, for: rule.lifetime)
            }
        }
        for rule in fileRules {
            if rule.isAllowance {
                let maximum = rule.maximumBytes ?? Self.maximumFileBytes(of: tier)
                resolved.allowFiles(below: rule.folder, maximumBytes: maximum, for: rule.lifetime)
            } else {
                resolved.denyFiles(below: rule.folder, for: rule.lifetime)
            }
        }
        return resolved
    }
}

extension GrantLimits.Rate {
    fileprivate var tokensPerSecond: Double { Double(count) * (.seconds(1) / period) }
}
