extension FetchPredicate.Comparison {
    /// Whether a comparison holds between two values, as a store means it.
    ///
    /// Values are compared in the one order of ``AttributeValue``, text by its bytes. `beginsWith` and `contains`
    /// are false unless both sides are text.
    package func holds(_ left: AttributeValue, _ right: AttributeValue) -> Bool {
        switch self {
        case .equal: return left.compare(right) == 0
        case .notEqual: return left.compare(right) != 0
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            guard !left.isNull, !right.isNull else { return false }
            let order = left.compare(right)
            return switch self {
            case .lessThan: order < 0
            case .lessThanOrEqual: order <= 0
            case .greaterThan: order > 0
            default: order >= 0
            }
        case .beginsWith:
            guard case .string(let text) = left, case .string(let prefix) = right else { return false }
            return text.utf8.starts(with: prefix.utf8)
        case .contains:
            guard case .string(let text) = left, case .string(let part) = right else { return false }
            return Self.bytes(Array(text.utf8), contain: Array(part.utf8))
        }
    }

    private static func bytes(_ text: [UInt8], contain part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard text.count >= part.count else { return false }
        return (0...text.count - part.count).contains { start in
            text[start] == first && text[start..<start + part.count].elementsEqual(part)
        }
    }
}
