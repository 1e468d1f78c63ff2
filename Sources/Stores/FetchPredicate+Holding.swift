internal import BridgeValues

extension FetchPredicate.Comparison {
    /// Returns whether a comparison holds between two values, with the semantics of a store.
    ///
    /// Values are compared in the order of ``AttributeValue/compare(_:)``, so strings are compared by their bytes.
    /// `beginsWith` and `contains` are false unless both sides are strings.
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
            return Self.bytes(text, contain: part)
        }
    }

    private static func bytes(_ text: String, contain part: String) -> Bool {
        var (text, part) = (text, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                ByteSearch.isFound(UnsafeRawBufferPointer(part), in: UnsafeRawBufferPointer(text))
            }
        }
    }
}
