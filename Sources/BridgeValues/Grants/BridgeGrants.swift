/// The permissions of a bridge's scripts: names of handlers and topics, data of stores, and files.
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
/// Grants belong to the bridge and never depend on the content of a message (R31). They are checked before a payload is
/// decoded. Calls from Swift to scripts are never restricted.
///
/// The rules decide about a name as follows:
/// 1. If a denial matches, the name is denied, whatever is allowed.
/// 2. Otherwise the most exact matching allowance decides, with its limits: a name before a prefix, a longer prefix
/// before a shorter one.
/// 3. Otherwise ``fallback`` decides.
///
/// Reserved names (`_wvjb.`) are allowed unless a pattern that begins with `_wvjb.` denies them.
///
/// The same three steps decide about each operation on an entity, and about each file. A denial of attributes or of
/// rows removes them from the allowed data.
public struct BridgeGrants: Sendable, Hashable {
    /// The decision about names that no rule matches.
    public enum Fallback: String, Sendable, Hashable {
        /// The tier of the bridge's limits decides: trusted scripts may call the name, constrained ones may not.
        case tier
        /// The name is allowed.
        case allow
        /// The name is denied.
        case deny
    }

    /// A rule about names.
    public struct Rule: Sendable, Hashable {
        /// A Boolean value that indicates whether the rule allows; otherwise it denies.
        public let isAllowance: Bool
        /// The names.
        public let pattern: NamePattern
        /// The limits of the allowance.
        public let limits: GrantLimits
        /// The lifetime of the rule, from when it takes effect; `nil` means that it lives as long as the bridge.
        public let lifetime: Duration?
    }

    /// A rule about data.
    public struct DataRule: Sendable, Hashable {
        /// A Boolean value that indicates whether the rule allows; otherwise it denies.
        public let isAllowance: Bool
        /// The operations.
        public let operations: Set<DataOperation>
        /// The data.
        public let scope: DataScope
        /// The lifetime of the rule, from when it takes effect; `nil` means that it lives as long as the bridge.
        public let lifetime: Duration?

        /// Returns the rule with other operations.
        package func with(_ operations: Set<DataOperation>) -> Self {
            Self(isAllowance: isAllowance, operations: operations, scope: scope, lifetime: lifetime)
        }
    }

    /// A rule about files.
    public struct FileRule: Sendable, Hashable {
        /// A Boolean value that indicates whether the rule allows; otherwise it denies.
        public let isAllowance: Bool
        /// The folder that contains the files.
        public let folder: String
        /// The maximum size of a file; `nil` means the limit of the tier.
        public let maximumBytes: Int?
        /// The lifetime of the rule, from when it takes effect; `nil` means that it lives as long as the bridge.
        public let lifetime: Duration?
    }

    /// The decision about names, data and files that no rule matches.
    public var fallback: Fallback
    /// The rules in the order in which they were added; a rule replaces an earlier one of the same kind and pattern.
    public private(set) var rules: [Rule] = []
    /// The rules about data in the order in which they were added; a rule replaces the operations it names in an
    /// earlier one of the same kind and scope.
    public private(set) var dataRules: [DataRule] = []
    /// The rules about files in the order in which they were added; a rule replaces an earlier one of the same kind and
    /// folder.
    public private(set) var fileRules: [FileRule] = []

    /// Creates grants without rules.
    public init(fallback: Fallback = .tier) { self.fallback = fallback }

    /// Grants that allow everything.
    public static let allowAll = BridgeGrants(fallback: .allow)
    /// Grants that deny everything, until rules are added.
    public static let denyAll = BridgeGrants(fallback: .deny)

    /// Allows names.
    ///
    /// - Parameters:
    ///   - pattern: The names.
    ///   - limits: The limits of the allowance, which all its names share.
    ///   - lifetime: The lifetime, from when the grants take effect; `nil` means as long as the bridge.
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
    ///   - lifetime: The lifetime, from when the grants take effect; `nil` means as long as the bridge.
    public mutating func deny(_ pattern: NamePattern, for lifetime: Duration? = nil) {
        add(Rule(isAllowance: false, pattern: pattern, limits: GrantLimits(), lifetime: lifetime))
    }

    /// Removes an allowance.
    ///
    /// - Returns: Whether there was one with exactly this pattern.
    @discardableResult
    public mutating func revoke(_ pattern: NamePattern) -> Bool { remove(pattern, isAllowance: true) }

    /// Removes a denial.
    ///
    /// - Returns: Whether there was one with exactly this pattern.
    @discardableResult
    public mutating func lift(_ pattern: NamePattern) -> Bool { remove(pattern, isAllowance: false) }

    // MARK: - Data

    /// Allows operations on data.
    ///
    /// If several allowances of an operation match an entity, only the most exact one decides, with its attributes and
    /// its rows. The name of an entity is compared before the name of a store, and a name is more exact than a prefix.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - scope: The data.
    ///   - lifetime: The lifetime, from when the grants take effect; `nil` means as long as the bridge.
    public mutating func allow(
        _ operations: Set<DataOperation>,
        on scope: DataScope,
        for lifetime: Duration? = nil
    ) {
        add(DataRule(isAllowance: true, operations: operations, scope: scope, lifetime: lifetime))
    }

    /// Denies operations on data, whatever is allowed.
    ///
    /// A scope with attributes denies these attributes; a scope with a condition denies the rows that meet it. A scope
    /// with both denies both: the attributes in all rows, and the rows with all attributes.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - scope: The data.
    ///   - lifetime: The lifetime, from when the grants take effect; `nil` means as long as the bridge.
    public mutating func deny(
        _ operations: Set<DataOperation>,
        on scope: DataScope,
        for lifetime: Duration? = nil
    ) {
        add(DataRule(isAllowance: false, operations: operations, scope: scope, lifetime: lifetime))
    }

    /// Removes operations from the allowances with exactly this scope.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public mutating func revoke(_ operations: Set<DataOperation>, on scope: DataScope) -> Bool {
        remove(operations, scope, isAllowance: true)
    }

    /// Removes operations from the denials with exactly this scope.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public mutating func lift(_ operations: Set<DataOperation>, on scope: DataScope) -> Bool {
        remove(operations, scope, isAllowance: false)
    }

    // MARK: - Files

    /// Allows imports of the regular files in a folder and its subfolders.
    ///
    /// Only files within the folder are allowed: symbolic links below it are not followed, and a path that leaves it is
    /// denied.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder on the host; a relative path starts at the working directory.
    ///   - maximumBytes: The maximum size of a file; `nil` means the limit of the tier.
    ///   - lifetime: The lifetime, from when the grants take effect; `nil` means as long as the bridge.
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
    ///   - lifetime: The lifetime, from when the grants take effect; `nil` means as long as the bridge.
    public mutating func denyFiles(below folder: String, for lifetime: Duration? = nil) {
        add(FileRule(isAllowance: false, folder: folder, maximumBytes: nil, lifetime: lifetime))
    }

    /// Removes the allowance of a folder.
    ///
    /// - Returns: Whether there was one with exactly this path.
    @discardableResult
    public mutating func revokeFiles(below folder: String) -> Bool { remove(folder, isAllowance: true) }

    /// Removes the denial of a folder.
    ///
    /// - Returns: Whether there was one with exactly this path.
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
