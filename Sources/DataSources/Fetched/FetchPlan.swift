package import Stores

/// A fetch request prepared for one entity: which rows match, in which order, and in which section.
package final class FetchPlan: Sendable {
    package let request: FetchRequest
    package let entity: EntityDescription
    /// The identity of the controller that the plan belongs to; plans of one controller share it.
    package let origin: FetchOrigin
    /// The number of values that come from key paths through relationships.
    ///
    /// They follow the entity's own values, and the computed keys follow them.
    package let keyPathCount: Int
    /// The encoding of the sort keys as bytes that rows and sections are compared by.
    package let format: OrderKeyFormat

    /// The part of the plan that follows related rows, or `nil` if the request does not use any.
    let related: RelatedPlan?

    private let condition: RowCondition?
    /// The maximum number of comparisons of one call of ``matches(_:id:)``.
    package let matchingSteps: Int

    /// Creates a plan for a request and checks it against its entity.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - entity: The entity of the request.
    ///   - origin: The identity of the controller that the plan belongs to.
    ///   - computed: The keys that functions compute, after all attributes.
    ///   - entities: All entities of the store, for requests that use related rows.
    /// - Throws: ``StoreError``: `schema` for unknown names, `invalidRequest` for a section key that is not the sort
    ///   key at its position.
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
        keyPathCount = extended.attributes.count - entity.attributes.count
        extended.attributes += computed
        format = try OrderKeyFormat(request, of: extended)
    }

    /// A Boolean value that indicates whether the request uses rows of other entities.
    package var usesRelatedRows: Bool { related != nil }

    /// Returns a key as it appears in messages; names of functions begin with a zero character.
    private static func named(_ key: String) -> String { key.hasPrefix("\u{0}") ? "a function" : "'\(key)'" }

    var hasSections: Bool { format.sectionFieldCount > 0 }

    /// The request without its limit and offset, which the controller applies itself, so that they stay right when rows
    /// change.
    package var unlimitedRequest: FetchRequest {
        var unlimited = request
        unlimited.fetchLimit = nil
        unlimited.fetchOffset = 0
        return unlimited
    }

    /// Returns the positions of the whole order that the limit and the offset select.
    func window(of count: Int) -> Range<Int> {
        let start = min(request.fetchOffset, count)
        return start..<start + min(request.fetchLimit ?? count, count - start)
    }

    /// Returns whether a changed row has the shape that the plan was made for; the entity may have changed since.
    func fits(_ change: TransactionChanges.RowChange) -> Bool {
        [change.old, change.new].allSatisfy { values in
            guard let values else { return true }
            return values.count == entity.attributes.count
                && format.fields.allSatisfy { field in
                    field.attribute >= values.count || values[field.attribute].isOf(field.type)
                }
        }
    }

    /// Returns whether a row matches.
    ///
    /// If the request uses related rows, the store has checked that already.
    package func matches(_ values: [AttributeValue], id: RowID) -> Bool {
        condition?.matches(values, id: id) ?? true
    }
}

extension AttributeValue {
    /// Returns whether an attribute of a type can hold this value; `null` is a value of each type.
    fileprivate func isOf(_ type: AttributeType) -> Bool {
        switch (self, type) {
        case (.null, _), (.boolean, .boolean), (.integer, .integer), (.double, .double), (.string, .string),
            (.date, .date), (.data, .data):
            true
        default: false
        }
    }
}
