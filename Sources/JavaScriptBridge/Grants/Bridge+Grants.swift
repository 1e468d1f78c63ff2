internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// The grants of this bridge's scripts, to read and to change while they run.
    public var grants: ActiveGrants { ActiveGrants(session: session) }

    /// The grants of data and files, for the layer that gives scripts data.
    package var dataGrants: DataGrantTable { session.dataGrants }

    /// Records that data or a file was denied to a script, and notifies the audit.
    ///
    /// - Parameters:
    ///   - refusal: The reason.
    ///   - name: The name of the data or file, as in ``BridgeDenial/name``.
    ///   - operation: The denied operation.
    package func reportDenial(
        _ refusal: BridgeDenial.Refusal,
        of name: String,
        _ operation: DataOperation?
    ) {
        session.reportDenial(refusal, of: name, operation)
    }

    /// Sets the function that lists data for scripts that call `describe`, after the handlers.
    package func describeData(_ describe: @escaping @Sendable (DataGrants) -> [Value]) {
        session.state.withLock { $0.handlers.describeData = describe }
    }
}

/// The grants of a bridge that are in effect.
///
/// A change applies to later requests: calls and streams in progress continue. A rule that stays keeps its lifetime and
/// its usage. Any thread may make changes.
public struct ActiveGrants: Sendable {
    let session: BridgeSession

    /// The grants as they were given and changed.
    public var current: BridgeGrants { session.state.withLock { $0.grants.given } }

    /// Replaces the grants in effect.
    ///
    /// - Throws: ``BridgeGrantsError`` if they weaken the bridge's tier; then the earlier grants stay.
    public func set(_ grants: BridgeGrants) throws(BridgeGrantsError) { try session.setGrants(grants) }

    /// Allows names.
    ///
    /// - Parameters:
    ///   - pattern: The names.
    ///   - limits: The limits, for all matching names together.
    ///   - lifetime: The duration from now; `nil` means as long as the bridge exists.
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

    /// Denies names, even if another rule allows them.
    ///
    /// - Parameters:
    ///   - pattern: The names.
    ///   - lifetime: The duration from now; `nil` means as long as the bridge exists.
    public func deny(_ pattern: NamePattern, for lifetime: Duration? = nil) {
        // Neither a denial nor the removal of an allowance weakens a tier.
        session.changeGrants(renewing: .names(pattern, isAllowance: false)) {
            $0.deny(pattern, for: lifetime)
        }
    }

    /// Removes an allowance.
    ///
    /// - Returns: Whether there was one of exactly this pattern.
    @discardableResult
    public func revoke(_ pattern: NamePattern) -> Bool {
        session.changeGrants { $0.revoke(pattern) }
    }

    /// Removes a denial.
    ///
    /// - Returns: Whether there was one of exactly this pattern.
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
    ///   - lifetime: The duration from now; `nil` means as long as the bridge exists.
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

    /// Denies operations on data, even if another rule allows them.
    ///
    /// A query that shows denied data ends: reading it fails with `denied`, and its listeners are not called any more.
    public func deny(_ operations: Set<DataOperation>, on scope: DataScope, for lifetime: Duration? = nil) {
        session.changeGrants(renewing: .data(scope, operations, isAllowance: false)) {
            $0.deny(operations, on: scope, for: lifetime)
        }
    }

    /// Removes operations from allowances of exactly this scope.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public func revoke(_ operations: Set<DataOperation>, on scope: DataScope) -> Bool {
        session.changeGrants { $0.revoke(operations, on: scope) }
    }

    /// Removes operations from denials of exactly this scope.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    public func lift(_ operations: Set<DataOperation>, on scope: DataScope) -> Bool {
        session.changeGrants { $0.lift(operations, on: scope) }
    }

    /// Allows scripts to import the regular files below a folder.
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

    /// Denies the files below a folder, even if another rule allows them.
    public func denyFiles(below folder: String, for lifetime: Duration? = nil) {
        session.changeGrants(renewing: .files(folder, isAllowance: false)) {
            $0.denyFiles(below: folder, for: lifetime)
        }
    }

    /// Removes the allowance of a folder.
    ///
    /// - Returns: Whether there was one of exactly this path.
    @discardableResult
    public func revokeFiles(below folder: String) -> Bool {
        session.changeGrants { $0.revokeFiles(below: folder) }
    }

    /// Removes the denial of a folder.
    ///
    /// - Returns: Whether there was one of exactly this path.
    @discardableResult
    public func liftFiles(below folder: String) -> Bool {
        session.changeGrants { $0.liftFiles(below: folder) }
    }

    // MARK: - Queries

    /// Returns whether a script is currently allowed an operation on an entity of a store, or on a part of it.
    public func allows(_ operation: DataOperation, on entity: String, of store: String = "default") -> Bool {
        _ = session.dataGrants.generation
        if case .success = session.dataGrants.current.decide(operation, on: .store, store, entity) {
            return true
        }
        return false
    }

    /// Returns whether a script is currently allowed to call a name; its rate limit and its calls in progress may still
    /// prevent a call.
    public func allows(_ name: String) -> Bool {
        session.noteTime()
        return session.state.withLock { $0.machine.isGranted(name) }
    }

    /// The latest denials, the oldest first, at most 256.
    public var recentDenials: [BridgeDenial] { session.state.withLock { $0.machine.recentDenials } }

    /// The number of denials since the bridge was created.
    public var denialCount: Int { session.state.withLock { $0.machine.denialCount } }
}
