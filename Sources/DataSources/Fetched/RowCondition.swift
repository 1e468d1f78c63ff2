internal import Stores

/// A fetch predicate made ready for one entity, so that it can be asked of rows' values without a store.
///
/// It means what ``FetchPredicate`` says. Values are compared in the one order of `AttributeValue`, text by
/// its bytes. `beginsWith` and `contains` are false unless both sides are text. Every condition is true or
/// false, so that `not` is always the opposite, also where there is no value.
indirect enum RowCondition: Sendable {
    case compare(Int, FetchPredicate.Comparison, AttributeValue)
    case isIn(Int, [AttributeValue])
    case and([RowCondition])
    case or([RowCondition])
    case not(RowCondition)

    /// Makes a condition; throws ``StoreError`` where the entity has no attribute of a name.
    init(_ predicate: FetchPredicate, of entity: EntityDescription) throws {
        self =
            switch predicate {
            case .compare(let name, let comparison, let value):
                .compare(try entity.requiredIndex(of: name), comparison, value)
            case .isIn(let name, let values): .isIn(try entity.requiredIndex(of: name), values)
            case .and(let parts): .and(try parts.map { try RowCondition($0, of: entity) })
            case .or(let parts): .or(try parts.map { try RowCondition($0, of: entity) })
            case .not(let part): .not(try RowCondition(part, of: entity))
            }
    }

    /// Whether a row with these values, in the order of the entity's attributes, is meant.
    func matches(_ values: [AttributeValue]) -> Bool {
        switch self {
        case .compare(let index, let comparison, let value): comparison.holds(values[index], value)
        case .isIn(let index, let list): list.contains { values[index].compare($0) == 0 }
        case .and(let parts): parts.allSatisfy { $0.matches(values) }
        case .or(let parts): parts.contains { $0.matches(values) }
        case .not(let part): !part.matches(values)
        }
    }
}

extension FetchPredicate.Comparison {
    fileprivate func holds(_ left: AttributeValue, _ right: AttributeValue) -> Bool {
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
