internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// What the scripts of this bridge may reach, to look at and to change while they run.
    public var grants: ActiveGrants { ActiveGrants(session: session) }

    /// The grants of data and files, for who gives scripts data.
    package var dataGrants: DataGrantTable { session.dataGrants }

    /// Notes that data or a file was refused to a script, and tells the audit.
    ///
    /// - Parameters:
    ///   - refusal: Why.
    ///   - name: Of what, as ``BridgeDenial/name`` has it.
    ///   - operation: What was to be done.
    package func noteDenial(
        _ refusal: BridgeDenial.Refusal,
        of name: String,
        _ operation: DataOperation?
    ) {
        session.noteDenial(refusal, of: name, operation)
    }

    /// Sets what lists data for scripts that ask `describe`, behind the handlers.
    package func describeData(_ describe: @escaping @Sendable (DataGrants) -> [Value]) {
        session.state.withLock { $0.describeData = describe }
    }
}

/// The grants of a bridge that are in effect.
///
/// A change counts for what comes after it: calls and streams in progress go on. A rule that stays keeps its lifetime
/// and what is used of it. Any thread may make changes.
public struct ActiveGrants: Sendable {
    let session: BridgeSession

    /// The grants as they were given and changed.
    public var current: BridgeGrants { session.state.withLock { $0.grants } }

    /// Puts other grants into effect.
    ///
    /// - Throws: ``BridgeGrantsError`` if they weaken the bridge's tier; then those before stay.
    public func set(_ grants: BridgeGrants) throws(BridgeGrantsError) { try session.setGrants(grants) }

    /// Allows names.
    ///
    /// - Parameters:
    ///   - pattern: The names.
    ///   - limits: How much of them, all names together.
    ///   - lifetime: For how long from now; `nil` means for as long as the bridge.
    /// - Throws: ``BridgeGrantsError`` if that weakens the bridge's tier; then nothing has changed.
    public func allow(
        _ pattern: NamePattern,
        limits: GrantLimits = GrantLimits(),
        for lifetime: Duration? = nil
    ) throws(BridgeGrantsError) {
        let tier = session.configuration.executionLimits.tier
        try session.changeGrants(renewing: .names(pattern, isAllowance: true)) {
            grants throws(BridgeGrantsError) in
            grants.allow(pattern, limits: limits, for: lifetime)
            try grants.validated(for: tier)
        }
    }

    /// Denies names, whatever is allowed.
    ///
    /// - Parameters:
    ///   - pattern: The names.
    ///   - lifetime: For how long from now; `nil` means for as long as the bridge.
    public func deny(_ pattern: NamePattern, for lifetime: Duration? = nil) {
        // A denial weakens no tier, nor does an allowance less.
        session.changeGrants(renewing: .names(pattern, isAllowance: false)) {
            $0.deny(pattern, for: lifetime)
        }
    }

    /// Takes an allowance back.
    ///
    /// - Returns: Whether there was one of this very pattern.
    @discardableResult
    public func revoke(_ pattern: NamePattern) -> Bool {
        session.changeGrants { $0.revoke(pattern) }
    }

    /// Takes a denial back.
    ///
    /// - Returns: Whether there was one of this very pattern.
    @discardableResult
    public func lift(_ pattern: NamePattern) -> Bool {
        session.changeGrants { $0.lift(pattern) }
    }

    // MARK: - Data and files

    /// Allows operations on data.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - scope: The data.
    ///   - lifetime: For how long from now; `nil` means for as long as the bridge.
    /// - Throws: ``BridgeGrantsError`` if that weakens the bridge's tier; then nothing has changed.
    public func allow(
        _ operations: Set<DataOperation>,
        on scope: DataScope,
        for lifetime: Duration? = nil
    ) throws(BridgeGrantsError) {
        let tier = session.configuration.executionLimits.tier
        try session.changeGrants(renewing: .data(scope, operations, isAllowance: true)) {
            grants throws(BridgeGrantsError) in
            grants.allow(operations, on: scope, for: lifetime)
            try grants.validated(for: tier)
        }
    }

    /// Denies operations on data, whatever is allowed.
    ///
    /// A query that shows denied data ends: reading it is `denied`, and its listeners are not called any more.
    public func deny(_ operations: Set<DataOperation>, on scope: DataScope, for lifetime: Duration? = nil) {
        session.changeGrants(renewing: .data(scope, operations, isAllowance: false)) {
            $0.deny(operations, on: scope, for: lifetime)
        }
    }

    /// Takes operations of allowances of this very scope back.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public func revoke(_ operations: Set<DataOperation>, on scope: DataScope) -> Bool {
        session.changeGrants { $0.revoke(operations, on: scope) }
    }

    /// Takes operations of denials of this very scope back.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public func lift(_ operations: Set<DataOperation>, on scope: DataScope) -> Bool {
        session.changeGrants { $0.lift(operations, on: scope) }
    }

    /// Allows the regular files below a folder to be imported.
    ///
    /// - Throws: ``BridgeGrantsError`` if that weakens the bridge's tier; then nothing has changed.
    public func allowFiles(
        below folder: String,
        maximumBytes: Int? = nil,
        for lifetime: Duration? = nil
    ) throws(BridgeGrantsError) {
        let tier = session.configuration.executionLimits.tier
        try session.changeGrants(renewing: .files(folder, isAllowance: true)) {
            grants throws(BridgeGrantsError) in
            grants.allowFiles(below: folder, maximumBytes: maximumBytes, for: lifetime)
            try grants.validated(for: tier)
        }
    }

    /// Denies the files below a folder, whatever is allowed.
    public func denyFiles(below folder: String, for lifetime: Duration? = nil) {
        session.changeGrants(renewing: .files(folder, isAllowance: false)) {
            $0.denyFiles(below: folder, for: lifetime)
        }
    }

    /// Takes the allowance of a folder back.
    ///
    /// - Returns: Whether there was one of this very path.
    @discardableResult
    public func revokeFiles(below folder: String) -> Bool {
        session.changeGrants { $0.revokeFiles(below: folder) }
    }

    /// Takes the denial of a folder back.
    ///
    /// - Returns: Whether there was one of this very path.
    @discardableResult
    public func liftFiles(below folder: String) -> Bool {
        session.changeGrants { $0.liftFiles(below: folder) }
    }

    // MARK: - Looking

    /// Whether a script may do something with an entity of a store now, or with a part of it.
    public func allows(_ operation: DataOperation, on entity: String, of store: String = "default") -> Bool {
        _ = session.dataGrants.generation
        if case .success = session.dataGrants.current.decide(operation, on: .store, store, entity) {
            return true
        }
        return false
    }

    /// Whether a script may call a name now, as far as its rate and what is in progress let it.
    public func allows(_ name: String) -> Bool {
        session.noteTime()
        return session.state.withLock { $0.machine.isGranted(name) }
    }

    /// The latest denials, the oldest first, at most 256.
    public var recentDenials: [BridgeDenial] { session.state.withLock { $0.machine.recentDenials } }

    /// How often something was denied since the bridge was made.
    public var denialCount: Int { session.state.withLock { $0.machine.denialCount } }
}
