/// Grants that are weaker than their tier allows.
public struct BridgeGrantsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The tier that would be weakened.
    public let tier: ExecutionTier
    /// What of ``BridgeGrants`` or ``GrantLimits`` is too weak.
    public let field: String
    /// What it is.
    public let value: String
    /// The weakest that the tier allows.
    public let weakest: String

    /// The whole sentence.
    public var description: String {
        "\(field) = \(value) weakens the \(tier) tier, which allows \(weakest) at most"
    }
}

extension GrantLimits {
    /// The weakest limits of a tier: what a grant has that names none of its own.
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
    /// Checks that these grants weaken no rule of a tier.
    ///
    /// The constrained tier allows nothing that is not named: its ``fallback`` is a denial, no allowance is `*` or of all
    /// stores, none of files is of the root folder, and each has limits, those of ``GrantLimits/weakest(of:)`` and
    /// ``maximumFileBytes(of:)`` at the weakest. The trusted tier takes any grants.
    ///
    /// - Returns: The same grants.
    /// - Throws: ``BridgeGrantsError`` that says what is too weak.
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

    /// How large a file may be that a script of a tier imports; `nil` means no limit.
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
        // What a rule leaves open is the tier's own.
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

    /// The grants, which the tier takes, as they take effect in it: what they leave open is the tier's.
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
