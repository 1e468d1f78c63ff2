internal import Stores

/// A fetch request made ready for one entity: who matches, in which order, and in which section.
final class FetchPlan: Sendable {
    let request: FetchRequest
    let entity: EntityDescription
    /// How the sort keys become bytes in which rows and sections are compared.
    let format: OrderKeyFormat

    /// How to go on where the request looks at rows of other entities; `nil` where it does not.
    let related: RelatedPlan?

    private let condition: RowCondition?

    /// Checks a request against an entity.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - entity: Its entity.
    ///   - entities: All entities of the store, for requests that look at related rows.
    /// - Throws: ``StoreError``: `schema` for unknown names, `invalidRequest` for a section key that the
    ///   order does not follow.
    init(
        _ request: FetchRequest,
        entity: EntityDescription,
        among entities: [String: EntityDescription] = [:]
    ) throws {
        for (position, key) in request.sectionKeys.enumerated() {
            let sort =
                request.sortDescriptors.indices.contains(position) ? request.sortDescriptors[position] : nil
            guard sort?.key == key else {
                let found = sort.map { "is '\($0.key)'" } ?? "is missing"
                throw StoreError(
                    .invalidRequest,
                    """
                    rows of '\(request.entityName)' must be sorted by their section: section key \(position + 1) is \
                    '\(key)', but sort key \(position + 1) \(found)
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
        let related = try RelatedPlan(request, entity: entity, among: entities)
        self.related = related
        condition = try related == nil ? request.predicate.map { try RowCondition($0, of: entity) } : nil
        format = try OrderKeyFormat(request, of: related?.extendedEntity ?? entity)
    }

    var hasSections: Bool { format.sectionFieldCount > 0 }

    /// The request without its limit and offset, which are applied here, so that they stay right under
    /// change.
    var unlimitedRequest: FetchRequest {
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

    /// Whether a row matches; where related rows are looked at, the store was asked already.
    func matches(_ values: [AttributeValue], id: RowID) -> Bool {
        condition?.matches(values, id: id) ?? true
    }
}
