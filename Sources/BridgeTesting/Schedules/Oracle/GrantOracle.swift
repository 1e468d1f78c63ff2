/// A name as what it is: bytes, of which some look the same (R7).
struct NameBytes: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
}

/// What may come in, and what is in progress under which rule.
struct GrantOracle {
    private var grants = SessionGrants(allowsOthers: true)
    // A rule goes on where the next grants have one for the same pattern.
    private var instances: [String: Int] = [:]
    private var running: [Int: Int] = [:]
    private var lastInstance = 0

    mutating func set(_ new: SessionGrants) {
        let known = instances
        instances = [:]
        for rule in new.rules where rule.isAllowed {
            if let number = known[rule.pattern] {
                instances[rule.pattern] = number
            } else {
                lastInstance += 1
                instances[rule.pattern] = lastInstance
            }
        }
        grants = new
    }

    enum Decision: Equatable {
        case allowed(instance: Int?)
        case refused(String)
    }

    func decide(_ name: String) -> Decision {
        let matching = grants.rules.filter { Self.matches($0.pattern, name) }
        if matching.contains(where: { !$0.isAllowed }) { return .refused("denied") }
        let nearest = matching.max { left, right in
            let isExact = (!left.pattern.hasSuffix("*"), !right.pattern.hasSuffix("*"))
            if isExact.0 != isExact.1 { return isExact.1 }
            return left.pattern.utf8.count < right.pattern.utf8.count
        }
        guard let rule = nearest else {
            return grants.allowsOthers ? .allowed(instance: nil) : .refused("denied")
        }
        let instance = instances[rule.pattern]
        if let maximum = rule.maximumInProgress, instance.flatMap({ running[$0] }) ?? 0 >= maximum {
            return .refused("overloaded")
        }
        return .allowed(instance: instance)
    }

    mutating func begin(_ instance: Int?) { if let instance { running[instance, default: 0] += 1 } }

    mutating func end(_ instance: Int?) { if let instance { running[instance, default: 0] -= 1 } }

    private static func matches(_ pattern: String, _ name: String) -> Bool {
        guard pattern.hasSuffix("*") else { return NameBytes(pattern) == NameBytes(name) }
        return name.utf8.starts(with: pattern.utf8.dropLast())
    }
}
