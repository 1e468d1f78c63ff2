internal import Stores

/// A fetch predicate prepared for one entity, which can be evaluated on rows' values without a store.
///
/// It has the semantics of ``FetchPredicate``. Values are compared in the one order of `AttributeValue`, strings by
/// their bytes. `beginsWith` and `contains` are false unless both sides are strings. Every condition is true or false,
/// so `not` is always the opposite, even without a value.
indirect enum RowCondition: Sendable {
    case compare(Int, FetchPredicate.Comparison, AttributeValue)
    /// The array is in ascending order.
    case isIn(Int, [AttributeValue])
    case idIsIn(Set<RowID>)
    case and([RowCondition])
    case or([RowCondition])
    case not(RowCondition)

    /// Creates a condition.
    ///
    /// - Throws: ``StoreError`` if the entity has no attribute of a name, or the predicate exceeds its size limit.
    init(_ predicate: FetchPredicate, of entity: EntityDescription) throws {
        try self.init(prepared: predicate.prepared().predicate, of: entity)
    }

    private init(prepared predicate: FetchPredicate, of entity: EntityDescription) throws {
        self =
            switch predicate {
            case .compare(let name, let comparison, let value):
                .compare(try entity.requiredIndex(of: name), comparison, value)
            case .isIn(let name, let values):
                .isIn(try entity.requiredIndex(of: name), values.sorted { $0.compare($1) < 0 })
            case .idIsIn(let ids): .idIsIn(Set(ids))
            case .and(let parts): .and(try parts.map { try RowCondition(prepared: $0, of: entity) })
            case .or(let parts): .or(try parts.map { try RowCondition(prepared: $0, of: entity) })
            case .not(let part): .not(try RowCondition(prepared: part, of: entity))
            case .related(let name, _, _), .relatedCount(let name, _, _, _):
                // A request that uses related rows is evaluated by its store instead: see RelatedPlan.
                throw StoreError(
                    .invalidRequest,
                    "\(entity.name).\(name) needs a store to read its related rows"
                )
            }
    }

    /// Returns whether a row with these values, in the order of the entity's attributes, satisfies the condition.
    func matches(_ values: [AttributeValue], id: RowID) -> Bool {
        switch self {
        case .compare(let index, let comparison, let value): comparison.holds(values[index], value)
        case .isIn(let index, let list): Self.isFound(values[index], in: list)
        case .idIsIn(let ids): ids.contains(id)
        case .and(let parts): parts.allSatisfy { $0.matches(values, id: id) }
        case .or(let parts): parts.contains { $0.matches(values, id: id) }
        case .not(let part): !part.matches(values, id: id)
        }
    }

    private static func isFound(_ value: AttributeValue, in list: [AttributeValue]) -> Bool {
        let index = SectionMoves.firstIndex(in: list.indices) { list[$0].compare(value) >= 0 }
        return index < list.count && list[index].compare(value) == 0
    }

    /// The maximum number of comparisons for a row.
    var comparisons: Int {
        switch self {
        case .compare, .isIn, .idIsIn: 1
        case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.comparisons }
        case .not(let part): part.comparisons
        }
    }
}
