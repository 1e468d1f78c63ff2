package import Stores

/// A fetch request made ready for one entity: who matches, in which order, and in which section.
package final class FetchPlan: Sendable {
    package let request: FetchRequest
    package let entity: EntityDescription
    /// Whose plan it is: those of one controller have one origin.
    package let origin: FetchOrigin
    /// How many values at the end of ways through relationships stand behind the entity's own; behind them stand the keys
    /// that functions compute.
    package let wayCount: Int
    /// How the sort keys become bytes in which rows and sections are compared.
    package let format: OrderKeyFormat

    /// How to go on where the request looks at rows of other entities; `nil` where it does not.
    let related: RelatedPlan?

    private let condition: RowCondition?
    /// How many comparisons ``matches(_:id:)`` takes at most.
    package let matchingSteps: Int

    /// Checks a request against an entity.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - entity: Its entity.
    ///   - origin: Whose plan it is.
    ///   - computed: Keys that functions compute, behind all attributes.
    ///   - entities: All entities of the store, for requests that look at related rows.
    /// - Throws: ``StoreError``: `schema` for unknown names, `invalidRequest` for a section key that the
    ///   order does not follow.
    init(
        _ request: FetchRequest,
        entity: EntityDescription,
        origin: FetchOrigin,
        computed: [AttributeDescription] = [],
        among entities: [String: EntityDescription] = [:]
    ) throws {
        for (position, key) in request.sectionKeys.enumerated() {
            let sort =
                request.sortDescriptors.indices.contains(position) ? request.sortDescriptors[position] : nil
            guard sort?.key == key else {
                let found = sort.map { "is \(Self.named($0.key))" } ?? "is missing"
                throw StoreError(
                    .invalidRequest,
                    """
                    rows of '\(request.entityName)' must be sorted by their section: section key \(position + 1) is \
                    \(Self.named(key)), but sort key \(position + 1) \(found)
                    """
                )
            }
        }
        guard request.fetchOffset >= 0, request.fetchLimit ?? 0 >= 0, request.fetchBatchSize >= 0 else {
            throw StoreError(
                .invalidRequest,
                "a fetch offset (\(request.fetchOffset)), limit (\(request.fetchLimit ?? 0)) or batch size "
                    + "(\(request.fetchBatchSize)) is not negative"
            )
        }
        self.request = request
        self.entity = entity
        self.origin = origin
        let related = try RelatedPlan(request, entity: entity, computed: computed, among: entities)
        self.related = related
        condition = try related == nil ? request.predicate.map { try RowCondition($0, of: entity) } : nil
        matchingSteps = 1 + (condition?.comparisons ?? 0)
        var extended = related?.extendedEntity ?? entity
        wayCount = extended.attributes.count - entity.attributes.count
        extended.attributes += computed
        format = try OrderKeyFormat(request, of: extended)
    }

    /// Whether the request looks at rows of other entities.
    package var looksAtRelatedRows: Bool { related != nil }

    /// A key as messages name it: functions have names that begin with a zero.
    private static func named(_ key: String) -> String { key.hasPrefix("\u{0}") ? "a function" : "'\(key)'" }

    var hasSections: Bool { format.sectionFieldCount > 0 }

    /// The request without its limit and offset, which are applied here, so that they stay right under
    /// change.
    package var unlimitedRequest: FetchRequest {
        var unlimited = request
        unlimited.fetchLimit = nil
        unlimited.fetchOffset = 0
        return unlimited
    }

    /// The part of the whole order that the limit and the offset leave.
    func window(of count: Int) -> Range<Int> {
        let start = min(request.fetchOffset, count)
        return start..<start + min(request.fetchLimit ?? count, count - start)
    }

    /// Whether a changed row has the shape that the plan was made for: an entity may have another one by now.
    func fits(_ change: TransactionChanges.RowChange) -> Bool {
        [change.old, change.new].allSatisfy { values in
            guard let values else { return true }
            return values.count == entity.attributes.count
                && format.fields.allSatisfy { field in
                    field.attribute >= values.count || values[field.attribute].isOf(field.type)
                }
        }
    }

    /// Whether a row matches; where related rows are looked at, the store was asked already.
    package func matches(_ values: [AttributeValue], id: RowID) -> Bool {
        condition?.matches(values, id: id) ?? true
    }
}

/// What the changes of one controller have in common, and those of no other.
package final class FetchOrigin: Sendable {
    package init() {}
}

extension AttributeValue {
    /// Whether an attribute of a type holds this value; no value is of each.
    fileprivate func isOf(_ type: AttributeType) -> Bool {
        switch (self, type) {
        case (.null, _), (.boolean, .boolean), (.integer, .integer), (.double, .double), (.string, .string),
            (.date, .date), (.data, .data):
            true
        default: false
        }
    }
}
