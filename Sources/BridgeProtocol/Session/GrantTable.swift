internal import BridgeValues

/// That a request was looked at by the grants, and which of them its work counts for.
package struct Admission: Sendable, Hashable {
    /// The number of the grant; 0 where the work counts for none.
    let grant: Int
}

/// Grants as the machine keeps them: found by name, with what is used of each.
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
    private var exact: [ExactText: Int] = [:]
    // The longest prefix first.
    private var prefixes: [(prefix: String, grant: Int)] = []
    private var allowsOthers = true
    private var lastGrant = 0
    /// The latest time that the storage has told.
    private(set) var now: Duration
    private var audit = AuditMeter()

    init(now: Duration) { self.now = now }

    mutating func advance(to time: Duration) { now = max(now, time) }

    // MARK: - Rules

    /// Puts other rules into effect now.
    ///
    /// A rule that was there before goes on: with its lifetime, what is used of it, and what is in progress.
    /// Of the renewed pattern the allowance or the denial begins again, or both where no kind is given.
    mutating func set(
        _ new: BridgeGrants,
        from old: BridgeGrants?,
        renewing renewed: NamePattern?,
        isAllowance kind: Bool?
    ) {
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
            // What is in progress ends under the number that it began with.
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
                exact[ExactText(grant.pattern.text)] = number
            }
        }
        prefixes.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }

    // MARK: - Decisions

    /// Decides about a name alone, and counts nothing.
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
            let text = "\(maximum) calls of \"\(grant.pattern)\" may be in progress, \(grant.running) are."
            return .failure(GrantRefusal(.concurrency, text))
        }
        if let rate = limits.rate {
            let isTaken = grant.bucket?.take(now: now) ?? true
            allowances[admission.grant] = grant
            guard isTaken else {
                let text =
                    "\"\(grant.pattern)\" may be called \(rate.count) times in \(rate.period), \(rate.burst) of them at once."
                return .failure(GrantRefusal(.rate, text))
            }
        }
        return decision
    }

    /// Whether the size of a payload matters.
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
        if let number = exact[ExactText(name)], holds(allowances[number]?.end) { return number }
        return prefixes.first { _, number in
            guard let grant = allowances[number] else { return false }
            return holds(grant.end) && grant.pattern.matches(name)
        }?.grant
    }

    private func holds(_ end: Duration?) -> Bool { end.map { now < $0 } ?? true }

    // MARK: - Audit

    /// Notes a denial; gives what to tell the audit, unless too many come at once.
    mutating func note(_ refusal: GrantRefusal, of name: String) -> BridgeDenial? {
        audit.note(BridgeDenial(time: now, name: name, reason: refusal.reason))
    }

    /// Notes a denial of data or of a file.
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
    /// How many there were.
    var denialCount: Int { audit.count }
}

/// Why a request is not let in.
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

/// What is kept of denials, and how many of them are told: a script that asks in a loop must fill neither memory nor
/// a log.
private struct AuditMeter: Sendable {
    static let maximumKept = 256
    static let maximumPerSecond = 1000

    private(set) var count = 0
    private var kept: [BridgeDenial] = []
    private var next = 0
    private var second = Duration.zero
    private var told = 0
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
            told = 0
        }
        guard told < Self.maximumPerSecond else {
            omitted += 1
            return nil
        }
        told += 1
        var denial = denial
        denial.omittedCount = omitted
        omitted = 0
        return denial
    }
}
