/// A name as what it is: bytes, of which some look the same (R7).
struct NameBytes: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
}

/// What may come in, and what is in progress under which rule.
///
/// Where the machine has a bucket that fills, this has the time at which the next request would be on time, in whole numbers.
struct GrantOracle {
    /// What is known of an allowance that is in effect.
    fileprivate struct Instance {
        /// What its work counts for, also while its rule changes.
        let number: Int
        let end: Duration?
        /// The time at which a next request would come as steadily as the rate says, times the count of the rate.
        var nextDue: Int64
    }

    private var grants = SessionGrants(allowsOthers: true)
    private var allowances: [String: Instance] = [:]
    private var endsOfDenials: [String: Duration?] = [:]
    private var running: [Int: Int] = [:]
    private var lastInstance = 0
    private var now = Duration.zero

    mutating func advance(_ time: Duration) { now = max(now, time) }

    /// A rule goes on as it is where the next grants have the same, unless it is renewed; what is in progress counts also
    /// for another rule of its pattern.
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
        case refused(String)
    }

    /// Decides about what comes now.
    mutating func decide(_ name: String, _ size: Int) -> Decision {
        let matching = grants.rules.filter { Self.matches($0.pattern, name) && isInEffect($0) }
        if matching.contains(where: { !$0.isAllowed }) { return .refused("denied") }
        let nearest = matching.max { left, right in
            let isExact = (!left.pattern.hasSuffix("*"), !right.pattern.hasSuffix("*"))
            if isExact.0 != isExact.1 { return isExact.1 }
            return left.pattern.utf8.count < right.pattern.utf8.count
        }
        guard let rule = nearest, var instance = allowances[rule.pattern] else {
            return grants.allowsOthers || Self.isReserved(name) ? .allowed(instance: nil) : .refused("denied")
        }
        if let maximum = rule.maximumSize, size > maximum { return .refused("limitExceeded") }
        if let maximum = rule.maximumInProgress, running[instance.number] ?? 0 >= maximum {
            return .refused("overloaded")
        }
        if let rate = rule.rate {
            guard instance.comesInTime(rate, now) else { return .refused("overloaded") }
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

    /// Whether the protocol keeps a name for itself, which only patterns that begin so mean.
    private static func isReserved(_ name: String) -> Bool { name.utf8.starts(with: "_wvjb.".utf8) }
}

extension GrantOracle.Instance {
    /// Whether a request comes no earlier than as many before their time as may come at once; counts it if so.
    fileprivate mutating func comesInTime(_ rate: SessionGrants.Rate, _ now: Duration) -> Bool {
        let (time, step) = (now.milliseconds * Int64(rate.count), rate.period.milliseconds)
        let due = max(nextDue, time)
        guard due - time <= Int64(rate.burst - 1) * step else { return false }
        nextDue = due + step
        return true
    }
}

extension Duration {
    // Schedules know whole milliseconds only.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
