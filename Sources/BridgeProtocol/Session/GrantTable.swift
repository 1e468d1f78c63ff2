internal import BridgeValues

/// The result of checking a request against the grants, with the grant to which its work is charged.
package struct Admission: Sendable, Hashable {
    /// The number of the grant; 0 if the work is charged to none.
    let grant: Int
}

/// The grants in the form for the machine: found by name, with their usage.
struct GrantTable: Sendable {
    private struct Grant: Sendable {
        let pattern: NamePattern
        let limits: GrantLimits
        let end: Duration?
        var bucket: TokenBucket?
        var running = 0
    }

    private struct Denial: Sendable {
        let pattern: NamePattern
        let end: Duration?
    }

    private var denials: [Denial] = []
    private var allowances: [Int: Grant] = [:]
    private var exact: [ByteEqualString: Int] = [:]
    // Sorted by length, the longest prefix first.
    private var prefixes: [(prefix: String, grant: Int)] = []
    private var allowsOthers = true
    private var lastGrant = 0
    /// The number of times that the rules were replaced.
    private(set) var changes = 0
    /// The latest time that the storage has reported.
    private(set) var now: Duration
    private var audit = AuditMeter()

    init(now: Duration) { self.now = now }

    mutating func advance(to time: Duration) { now = max(now, time) }

    // MARK: - Rules

    /// Replaces the rules.
    ///
    /// A rule that was there before stays, with its lifetime, its usage, and its calls in progress. The allowance or
    /// the denial of the renewed pattern begins again, or both if no kind is given.
    mutating func set(
        _ new: BridgeGrants,
        from old: BridgeGrants?,
        renewing renewed: NamePattern?,
        isAllowance kind: Bool?
    ) {
        changes += 1
        let others = (old?.rules ?? []).filter { $0.pattern != renewed }
        let ofOtherKind = (old?.rules ?? []).filter { kind != nil && $0.isAllowance != kind }
        let before = Set(others).union(ofOtherKind)
        allowsOthers = new.fallback != .deny
        let kept = denials
        denials = new.rules.filter { !$0.isAllowance }.map { rule in
            if before.contains(rule), let known = kept.first(where: { $0.pattern == rule.pattern }) {
                return known
            }
            return Denial(pattern: rule.pattern, end: end(of: rule))
        }
        let known = Dictionary(uniqueKeysWithValues: allowances.map { ($1.pattern, $0) })
        allowances = new.rules.filter(\.isAllowance).reduce(into: [:]) { grants, rule in
            let number = known[rule.pattern]
            let running = number.flatMap { allowances[$0]?.running } ?? 0
            if let number, before.contains(rule), let grant = allowances[number] {
                grants[number] = grant
                return
            }
            lastGrant += 1
            // Calls in progress end under the number with which they began.
            let bucket = rule.limits.rate.map { TokenBucket($0, now: now) }
            var grant = Grant(pattern: rule.pattern, limits: rule.limits, end: end(of: rule), bucket: bucket)
            grant.running = running
            grants[number ?? lastGrant] = grant
        }
        index()
    }

    private func end(of rule: BridgeGrants.Rule) -> Duration? { rule.lifetime.map { now + $0.withinCentury } }

    private mutating func index() {
        exact = [:]
        prefixes = []
        for (number, grant) in allowances {
            if grant.pattern.isPrefix {
                prefixes.append((grant.pattern.text, number))
            } else {
                exact[ByteEqualString(grant.pattern.text)] = number
            }
        }
        prefixes.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }

    // MARK: - Decisions

    /// Decides about a name only, and counts nothing.
    func decide(_ name: String) -> Result<Admission, GrantRefusal> {
        if denials.contains(where: { holds($0.end) && $0.pattern.matches(name) }) {
            return .failure(GrantRefusal(.denied, "\"\(name)\" is denied to this script."))
        }
        if let grant = grant(of: name) { return .success(Admission(grant: grant)) }
        if allowsOthers || NamePattern.isReserved(name) {
            return .success(Admission(grant: 0))
        }
        return .failure(GrantRefusal(.notGranted, "\"\(name)\" is not granted to this script."))
    }

    /// Decides about a call, and counts it.
    mutating func admit(_ name: String, bytes: Int) -> Result<Admission, GrantRefusal> {
        let decision = decide(name)
        guard case .success(let admission) = decision, var grant = allowances[admission.grant] else {
            return decision
        }
        let limits = grant.limits
        if let maximum = limits.maximumPayloadBytes, bytes > maximum {
            let text = "A payload for \"\(name)\" may have \(maximum) bytes, this one has \(bytes)."
            return .failure(GrantRefusal(.payloadSize, text))
        }
        if let maximum = limits.maximumConcurrentCalls, grant.running >= maximum {
            let text =
                "Too many calls of \"\(grant.pattern)\" in progress: \(grant.running) (limit \(maximum))."
            return .failure(GrantRefusal(.concurrency, text))
        }
        if let rate = limits.rate {
            let isTaken = grant.bucket?.take(now: now) ?? true
            allowances[admission.grant] = grant
            guard isTaken else {
                let text =
                    "\"\(grant.pattern)\" was called too often "
                    + "(limit \(rate.count) in \(rate.period), burst \(rate.burst))."
                return .failure(GrantRefusal(.rate, text))
            }
        }
        return decision
    }

    /// Returns whether each call of a name is admitted until the rules are replaced: nothing counts it, and no rule for it
    /// ends.
    func admitsFreely(_ name: String) -> Bool {
        guard case .success(let admission) = decide(name) else { return false }
        guard let grant = allowances[admission.grant] else { return true }
        return grant.end == nil && grant.limits == GrantLimits()
    }

    /// Returns whether the size of a payload matters.
    func limitsSize(of name: String) -> Bool {
        grant(of: name).map { allowances[$0]?.limits.maximumPayloadBytes != nil } ?? false
    }

    mutating func begin(_ admission: Admission?) {
        guard let admission else { return }
        allowances[admission.grant]?.running += 1
    }

    mutating func end(_ admission: Admission?) {
        guard let admission else { return }
        allowances[admission.grant]?.running -= 1
    }

    private func grant(of name: String) -> Int? {
        if let number = exact[ByteEqualString(name)], holds(allowances[number]?.end) { return number }
        return prefixes.first { _, number in
            guard let grant = allowances[number] else { return false }
            return holds(grant.end) && grant.pattern.matches(name)
        }?.grant
    }

    private func holds(_ end: Duration?) -> Bool { end.map { now < $0 } ?? true }

    // MARK: - Audit

    /// Records a denial; returns the report for the audit, unless there are too many per second.
    mutating func note(_ refusal: GrantRefusal, of name: String) -> BridgeDenial? {
        audit.note(BridgeDenial(time: now, name: name, reason: refusal.reason))
    }

    /// Records a denial of data or of a file.
    mutating func note(
        _ refusal: BridgeDenial.Refusal,
        of name: String,
        _ operation: DataOperation?
    ) -> BridgeDenial? {
        audit.note(
            BridgeDenial(
                time: now,
                name: name,
                reason: refusal.reason,
                operation: operation,
                detail: refusal.detail
            )
        )
    }

    /// The latest denials, the oldest first.
    var recentDenials: [BridgeDenial] { audit.recent }
    /// The number of denials.
    var denialCount: Int { audit.count }
}

/// The reason why a request is not admitted.
struct GrantRefusal: Error, Sendable {
    let reason: BridgeDenial.Reason
    private let message: String

    init(_ reason: BridgeDenial.Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    var error: BridgeError {
        BridgeError(BridgeDenial(time: .zero, name: "", reason: reason).code, message)
    }
}

/// The store of recent denials, with a limit on reports: a script that is denied in a loop must exhaust neither memory
/// nor a log.
private struct AuditMeter: Sendable {
    static let maximumKept = 256
    static let maximumPerSecond = 1000

    private(set) var count = 0
    private var kept: [BridgeDenial] = []
    private var next = 0
    private var second = Duration.zero
    private var reported = 0
    private var omitted = 0

    var recent: [BridgeDenial] { Array(kept[next...] + kept[..<next]) }

    mutating func note(_ denial: BridgeDenial) -> BridgeDenial? {
        count += 1
        if kept.count < Self.maximumKept {
            kept.append(denial)
        } else {
            kept[next] = denial
            next = (next + 1) % Self.maximumKept
        }
        if denial.time - second >= .seconds(1) {
            second = denial.time
            reported = 0
        }
        guard reported < Self.maximumPerSecond else {
            omitted += 1
            return nil
        }
        reported += 1
        var denial = denial
        denial.omittedCount = omitted
        omitted = 0
        return denial
    }
}
