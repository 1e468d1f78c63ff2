internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// What the scripts of this bridge may call and tell, to look at and to change while they run.
    public var grants: ActiveGrants { ActiveGrants(session: session) }
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
        try session.changeGrants(renewing: pattern) { grants throws(BridgeGrantsError) in
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
        session.changeGrants(renewing: pattern) { $0.deny(pattern, for: lifetime) }
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
