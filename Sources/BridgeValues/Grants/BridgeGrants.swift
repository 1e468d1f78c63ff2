/// What the scripts of a bridge may reach: names of handlers and topics, data of stores, and files.
///
/// ```swift
/// var grants = BridgeGrants()
/// grants.allow("store.*", limits: GrantLimits(rate: .init(100), maximumConcurrentCalls: 8))
/// grants.deny("store.drop")
/// grants.allow([.read, .observe], on: .entity("airport", attributes: ["icao", "name"]))
/// grants.allowFiles(below: "/srv/imports")
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
///
/// Data and files are decided by the same three steps: for each operation on an entity, and for each file. A denial of
/// attributes or of rows takes these from what is allowed.
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

    /// One rule about data.
    public struct DataRule: Sendable, Hashable {
        /// Whether it is an allowance; if not it is a denial.
        public let isAllowance: Bool
        /// The operations.
        public let operations: Set<DataOperation>
        /// The data.
        public let scope: DataScope
        /// How long the rule holds from when it takes effect; `nil` means for as long as the bridge.
        public let lifetime: Duration?

        /// Returns the rule with other operations.
        package func with(_ operations: Set<DataOperation>) -> Self {
            Self(isAllowance: isAllowance, operations: operations, scope: scope, lifetime: lifetime)
        }
    }

    /// One rule about files.
    public struct FileRule: Sendable, Hashable {
        /// Whether it is an allowance; if not it is a denial.
        public let isAllowance: Bool
        /// The folder below which the files are.
        public let folder: String
        /// How large a file may be; `nil` means what the tier allows.
        public let maximumBytes: Int?
        /// How long the rule holds from when it takes effect; `nil` means for as long as the bridge.
        public let lifetime: Duration?
    }

    /// What happens to names, data and files that no rule matches.
    public var fallback: Fallback
    /// The rules, in the order in which they were made; of two of one kind with one pattern the last counts.
    public private(set) var rules: [Rule] = []
    /// The rules about data, in the order in which they were made; of two of one kind with one scope and the same
    /// operation the last counts.
    public private(set) var dataRules: [DataRule] = []
    /// The rules about files, in the order in which they were made; of two of one kind with one folder the last counts.
    public private(set) var fileRules: [FileRule] = []

    /// Makes grants without rules.
    public init(fallback: Fallback = .tier) { self.fallback = fallback }

    /// Everything may be called and reached.
    public static let allowAll = BridgeGrants(fallback: .allow)
    /// Nothing may be called or reached, but what is allowed then.
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

    // MARK: - Data

    /// Allows operations on data.
    ///
    /// Of several allowances of one operation that match an entity the most exact decides alone, with its attributes and
    /// its rows: the name of an entity before a prefix, then the name of a store.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - scope: The data.
    ///   - lifetime: For how long, from when the grants take effect; `nil` means for as long as the bridge.
    public mutating func allow(
        _ operations: Set<DataOperation>,
        on scope: DataScope,
        for lifetime: Duration? = nil
    ) {
        add(DataRule(isAllowance: true, operations: operations, scope: scope, lifetime: lifetime))
    }

    /// Denies operations on data, whatever is allowed.
    ///
    /// A scope with attributes denies these attributes, one with a condition the rows that meet it. One with both denies
    /// either: the attributes in all rows, and the rows with all attributes.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - scope: The data.
    ///   - lifetime: For how long, from when the grants take effect; `nil` means for as long as the bridge.
    public mutating func deny(
        _ operations: Set<DataOperation>,
        on scope: DataScope,
        for lifetime: Duration? = nil
    ) {
        add(DataRule(isAllowance: false, operations: operations, scope: scope, lifetime: lifetime))
    }

    /// Takes operations of allowances of this very scope back.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public mutating func revoke(_ operations: Set<DataOperation>, on scope: DataScope) -> Bool {
        remove(operations, scope, isAllowance: true)
    }

    /// Takes operations of denials of this very scope back.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public mutating func lift(_ operations: Set<DataOperation>, on scope: DataScope) -> Bool {
        remove(operations, scope, isAllowance: false)
    }

    // MARK: - Files

    /// Allows the regular files below a folder to be imported.
    ///
    /// Only what the folder holds: a symbolic link below it is not followed, and neither is a path that leads out of it.
    ///
    /// - Parameters:
    ///   - folder: The folder, by a path of the host; one that is not absolute starts at the working directory.
    ///   - maximumBytes: How large a file may be; `nil` means what the tier allows.
    ///   - lifetime: For how long, from when the grants take effect; `nil` means for as long as the bridge.
    public mutating func allowFiles(
        below folder: String,
        maximumBytes: Int? = nil,
        for lifetime: Duration? = nil
    ) {
        add(FileRule(isAllowance: true, folder: folder, maximumBytes: maximumBytes, lifetime: lifetime))
    }

    /// Denies the files below a folder, whatever is allowed.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - lifetime: For how long, from when the grants take effect; `nil` means for as long as the bridge.
    public mutating func denyFiles(below folder: String, for lifetime: Duration? = nil) {
        add(FileRule(isAllowance: false, folder: folder, maximumBytes: nil, lifetime: lifetime))
    }

    /// Takes the allowance of a folder back.
    ///
    /// - Returns: Whether there was one of this very path.
    @discardableResult
    public mutating func revokeFiles(below folder: String) -> Bool { remove(folder, isAllowance: true) }

    /// Takes the denial of a folder back.
    ///
    /// - Returns: Whether there was one of this very path.
    @discardableResult
    public mutating func liftFiles(below folder: String) -> Bool { remove(folder, isAllowance: false) }

    // MARK: - Rules

    private mutating func add(_ rule: DataRule) {
        remove(rule.operations, rule.scope, isAllowance: rule.isAllowance)
        if !rule.operations.isEmpty { dataRules.append(rule) }
    }

    private mutating func add(_ rule: FileRule) {
        remove(rule.folder, isAllowance: rule.isAllowance)
        fileRules.append(rule)
    }

    @discardableResult
    private mutating func remove(
        _ operations: Set<DataOperation>,
        _ scope: DataScope,
        isAllowance: Bool
    ) -> Bool {
        var hasRemoved = false
        dataRules = dataRules.compactMap { rule in
            guard rule.scope == scope, rule.isAllowance == isAllowance,
                !rule.operations.isDisjoint(with: operations)
            else { return rule }
            hasRemoved = true
            let rest = rule.operations.subtracting(operations)
            guard !rest.isEmpty else { return nil }
            return DataRule(isAllowance: isAllowance, operations: rest, scope: scope, lifetime: rule.lifetime)
        }
        return hasRemoved
    }

    @discardableResult
    private mutating func remove(_ folder: String, isAllowance: Bool) -> Bool {
        let count = fileRules.count
        fileRules.removeAll { $0.folder == folder && $0.isAllowance == isAllowance }
        return fileRules.count < count
    }

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
