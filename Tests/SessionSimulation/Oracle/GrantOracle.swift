/// A name that is compared by its bytes, as canonically equivalent names differ (R7).
struct NameBytes: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
}

/// A model of the grants, and of the work in progress under each rule.
///
/// Where the state machine has a token bucket, the model has the time at which the next request is due, in whole
/// numbers.
struct GrantOracle {
    /// The state of an allowance that is in effect.
    fileprivate struct Instance {
        /// The number that identifies its work, which outlives changes of the rule.
        let number: Int
        let end: Duration?
        /// The time of the next request at a steady rate, multiplied by the count of the rate.
        var nextDue: Int64
    }

    private var grants = SessionGrants(allowsOthers: true)
    private var allowances: [String: Instance] = [:]
    private var endsOfDenials: [String: Duration?] = [:]
    private var running: [Int: Int] = [:]
    private var lastInstance = 0
    private(set) var now = Duration.zero

    mutating func advance(_ time: Duration) { now = max(now, time) }

    /// Sets the grants.
    ///
    /// A rule that the new grants contain again is unchanged, unless it is renewed; work in progress also counts for
    /// another rule of its pattern.
    mutating func set(_ new: SessionGrants, renewing renewed: String?) {
        let kept = Set(grants.rules.filter { $0.pattern != renewed })
        let (knownAllowances, knownDenials) = (allowances, endsOfDenials)
        (allowances, endsOfDenials) = ([:], [:])
        for rule in new.rules {
            let end = rule.lifetime.map { now + $0 }
            guard rule.isAllowed else {
                endsOfDenials[rule.pattern] = kept.contains(rule) ? knownDenials[rule.pattern] ?? end : end
                continue
            }
            let known = knownAllowances[rule.pattern]
            if let known, kept.contains(rule) {
                allowances[rule.pattern] = known
                continue
            }
            if known == nil { lastInstance += 1 }
            allowances[rule.pattern] = Instance(
                number: known?.number ?? lastInstance,
                end: end,
                nextDue: .min
            )
        }
        grants = new
    }

    enum Decision: Equatable {
        case allowed(instance: Int?)
        /// A refusal for this reason.
        case refused(String)
    }

    /// Returns the code of the error with which a request fails that was refused for a reason.
    static func code(of reason: String) -> String {
        switch reason {
        case "rate", "concurrency": "overloaded"
        case "payloadSize": "limitExceeded"
        default: "denied"
        }
    }

    /// Returns the reason why a name is refused, whatever the limits are; `nil` if it is not.
    func denial(of name: String) -> String? {
        let rules = matching(name)
        if rules.contains(where: { !$0.isAllowed }) { return "denied" }
        return rules.isEmpty && !grants.allowsOthers && !Self.isReserved(name) ? "notGranted" : nil
    }

    /// Returns the allowance to which work on a name is charged; `nil` if the name is refused or charged to none.
    func instance(of name: String) -> Int? {
        guard denial(of: name) == nil, let rule = nearest(name) else { return nil }
        return allowances[rule.pattern]?.number
    }

    /// Returns whether every request for a name is admitted, now and as long as the grants stay.
    func admitsFreely(_ name: String, at time: Duration) -> Bool {
        var later = self
        later.advance(time)
        guard later.denial(of: name) == nil else { return false }
        guard let rule = later.nearest(name) else { return true }
        return rule.maximumInProgress == nil && rule.rate == nil && rule.maximumSize == nil
            && rule.lifetime == nil
    }

    private func matching(_ name: String) -> [SessionGrants.Rule] {
        grants.rules.filter { Self.matches($0.pattern, name) && isInEffect($0) }
    }

    private func nearest(_ name: String) -> SessionGrants.Rule? {
        matching(name).filter(\.isAllowed).max { left, right in
            let isExact = (!left.pattern.hasSuffix("*"), !right.pattern.hasSuffix("*"))
            if isExact.0 != isExact.1 { return isExact.1 }
            return left.pattern.utf8.count < right.pattern.utf8.count
        }
    }

    /// Decides about a request that arrives now.
    mutating func decide(_ name: String, _ size: Int) -> Decision {
        if let reason = denial(of: name) { return .refused(reason) }
        guard let rule = nearest(name), var instance = allowances[rule.pattern] else {
            return .allowed(instance: nil)
        }
        if let maximum = rule.maximumSize, size > maximum { return .refused("payloadSize") }
        if let maximum = rule.maximumInProgress, running[instance.number] ?? 0 >= maximum {
            return .refused("concurrency")
        }
        if let rate = rule.rate {
            guard instance.comesInTime(rate, now) else { return .refused("rate") }
            allowances[rule.pattern] = instance
        }
        return .allowed(instance: instance.number)
    }

    mutating func begin(_ instance: Int?) { if let instance { running[instance, default: 0] += 1 } }

    mutating func end(_ instance: Int?) { if let instance { running[instance, default: 0] -= 1 } }

    private func isInEffect(_ rule: SessionGrants.Rule) -> Bool {
        let end = rule.isAllowed ? allowances[rule.pattern]?.end : endsOfDenials[rule.pattern] ?? nil
        return end.map { now < $0 } ?? true
    }

    private static func matches(_ pattern: String, _ name: String) -> Bool {
        guard pattern.hasSuffix("*") else { return NameBytes(pattern) == NameBytes(name) }
        guard !isReserved(name) || isReserved(pattern) else { return false }
        return name.utf8.starts(with: pattern.utf8.dropLast())
    }

    /// Returns whether a name is reserved for the protocol; only patterns with the same prefix match it.
    private static func isReserved(_ name: String) -> Bool { name.utf8.starts(with: "_wvjb.".utf8) }
}

extension GrantOracle.Instance {
    /// Returns whether a request is within the burst of the rate, and counts it if so.
    fileprivate mutating func comesInTime(_ rate: SessionGrants.Rate, _ now: Duration) -> Bool {
        let (time, step) = (now.milliseconds * Int64(rate.count), rate.period.milliseconds)
        let due = max(nextDue, time)
        guard due - time <= Int64(rate.burst - 1) * step else { return false }
        nextDue = due + step
        return true
    }
}

extension Duration {
    // Schedules use whole milliseconds only.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
