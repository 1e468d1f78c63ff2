/// Operations on deeply nested values, which do not use the native stack for each level.
extension Value {
    /// The maximum nesting depth of a value.
    ///
    /// When a value is written or released, a level needs up to 500 bytes of the native stack in builds without
    /// optimization.
    package static let maximumDepth = 10_000

    /// The number of levels that are compared by recursion, which needs no memory for a work list.
    private static let recursionDepth = 32

    /// Returns whether two arrays or two objects are equal.
    static func isEqualNested(_ left: Value, _ right: Value) -> Bool {
        var rest: [(Value, Value)] = []
        guard isEqual(left, right, depth: 0, &rest) else { return false }
        while let (left, right) = rest.popLast() {
            guard isEqual(left, right, depth: 0, &rest) else { return false }
        }
        return true
    }

    /// Compares two values, and appends the pairs that nest too deep to a work list.
    private static func isEqual(
        _ left: Value,
        _ right: Value,
        depth: Int,
        _ rest: inout [(Value, Value)]
    ) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            guard depth < recursionDepth else {
                rest += zip(left, right)
                return true
            }
            for (left, right) in zip(left, right) {
                guard isEqual(left, right, depth: depth + 1, &rest) else { return false }
            }
            return true
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            for member in left {
                guard let other = right[member.key] else { return false }
                if depth < recursionDepth {
                    guard isEqual(member.value, other, depth: depth + 1, &rest) else { return false }
                } else {
                    rest.append((member.value, other))
                }
            }
            return true
        default: return left == right
        }
    }

    /// Hashes an array or an object; beyond some levels only the number of parts.
    func hashNested(into hasher: inout Hasher, depth: Int) {
        switch self {
        case .array(let elements):
            hasher.combine(elements.count)
            guard depth < Self.recursionDepth else { return }
            for element in elements { element.hashNested(into: &hasher, depth: depth + 1) }
        case .object(let object):
            hasher.combine(object.count)
            guard depth < Self.recursionDepth else { return }
            // Independent of the order of members.
            var mixed = 0
            for member in object {
                var own = Hasher()
                own.combine(ByteEqualKey(text: member.key))
                member.value.hashNested(into: &own, depth: depth + 1)
                mixed ^= own.finalize()
            }
            hasher.combine(mixed)
        default: hash(into: &hasher)
        }
    }
}
