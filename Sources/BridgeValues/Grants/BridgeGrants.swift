/// What the scripts of a bridge may call and tell: names of handlers and topics, and how much of each.
///
/// ```swift
/// var grants = BridgeGrants()
/// grants.allow("store.*", limits: GrantLimits(rate: .init(100), maximumConcurrentCalls: 8))
/// grants.deny("store.drop")
/// configuration.grants = grants
/// ```
///
/// Grants belong to the bridge and never to what a message says of itself (R31). They are checked before a payload
/// is decoded. What Swift asks of scripts is never restricted.
///
/// How a name is decided:
/// 1. A denial that matches decides, whatever is allowed.
/// 2. Else the allowance that matches most exactly decides, with its limits: a name before a prefix, a longer prefix
///    before a shorter.
/// 3. Else ``fallback`` decides.
///
/// Reserved names (`_wvjb.`) are allowed unless a pattern that begins with `_wvjb.` denies them.
public struct BridgeGrants: Sendable, Hashable {
    /// What happens to names that no rule matches.
    public enum Fallback: String, Sendable, Hashable {
        /// What the tier of the bridge's limits says: trusted scripts may, constrained ones may not.
        case tier
        /// They may be called.
        case allow
        /// They may not.
        case deny
    }

    /// One rule.
    public struct Rule: Sendable, Hashable {
        /// Whether it is an allowance; if not it is a denial.
        public let isAllowance: Bool
        /// The names.
        public let pattern: NamePattern
        /// How much is allowed.
        public let limits: GrantLimits
        /// How long the rule holds from when it takes effect; `nil` means for as long as the bridge.
        public let lifetime: Duration?
    }

    /// What happens to names that no rule matches.
    public var fallback: Fallback
    /// The rules, in the order in which they were made; of two of one kind with one pattern the last counts.
    public private(set) var rules: [Rule] = []

    /// Makes grants without rules.
    public init(fallback: Fallback = .tier) { self.fallback = fallback }

    /// Everything may be called.
    public static let allowAll = BridgeGrants(fallback: .allow)
    /// Nothing may be called, but what is allowed then.
    public static let denyAll = BridgeGrants(fallback: .deny)

    /// Allows names.
    ///
    /// - Parameters:
    ///   - pattern: The names.
    ///   - limits: How much of them, all names together.
    ///   - lifetime: For how long, from when the grants take effect; `nil` means for as long as the bridge.
    public mutating func allow(
        _ pattern: NamePattern,
        limits: GrantLimits = GrantLimits(),
        for lifetime: Duration? = nil
    ) {
        add(Rule(isAllowance: true, pattern: pattern, limits: limits, lifetime: lifetime))
    }

    /// Denies names, whatever is allowed.
    ///
    /// - Parameters:
    ///   - pattern: The names.
    ///   - lifetime: For how long, from when the grants take effect; `nil` means for as long as the bridge.
    public mutating func deny(_ pattern: NamePattern, for lifetime: Duration? = nil) {
        add(Rule(isAllowance: false, pattern: pattern, limits: GrantLimits(), lifetime: lifetime))
    }

    /// Takes an allowance back.
    ///
    /// - Returns: Whether there was one of this very pattern.
    @discardableResult
    public mutating func revoke(_ pattern: NamePattern) -> Bool { remove(pattern, isAllowance: true) }

    /// Takes a denial back.
    ///
    /// - Returns: Whether there was one of this very pattern.
    @discardableResult
    public mutating func lift(_ pattern: NamePattern) -> Bool { remove(pattern, isAllowance: false) }

    private mutating func add(_ rule: Rule) {
        remove(rule.pattern, isAllowance: rule.isAllowance)
        rules.append(rule)
    }

    @discardableResult
    private mutating func remove(_ pattern: NamePattern, isAllowance: Bool) -> Bool {
        let count = rules.count
        rules.removeAll { $0.pattern == pattern && $0.isAllowance == isAllowance }
        return rules.count < count
    }
}
