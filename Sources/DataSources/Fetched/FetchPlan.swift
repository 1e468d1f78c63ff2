internal import Stores

/// A fetch request made ready for one entity: who matches, in which order, and in which section.
struct FetchPlan {
    let request: FetchRequest
    let entity: EntityDescription
    /// How many of the sort keys make the section.
    let sectionKeyCount: Int

    private let condition: RowCondition?
    private let sortIndices: [Int]
    private let ascending: [Bool]

    /// Checks a request against an entity.
    ///
    /// - Throws: ``StoreError``: `schema` for unknown names, `invalidRequest` for a section key that the
    ///   order does not follow.
    init(_ request: FetchRequest, entity: EntityDescription) throws {
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
        guard request.fetchOffset >= 0, request.fetchLimit ?? 0 >= 0 else {
            throw StoreError(
                .invalidRequest,
                "a fetch offset (\(request.fetchOffset)) or limit (\(request.fetchLimit ?? 0)) is not negative"
            )
        }
        self.request = request
        self.entity = entity
        sectionKeyCount = request.sectionKeys.count
        condition = try request.predicate.map { try RowCondition($0, of: entity) }
        sortIndices = try request.sortDescriptors.map { try entity.requiredIndex(of: $0.key) }
        ascending = request.sortDescriptors.map(\.ascending)
    }

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

    func matches(_ values: [AttributeValue]) -> Bool { condition?.matches(values) ?? true }

    func entry(_ id: RowID, _ values: [AttributeValue]) -> FetchedEntry {
        FetchedEntry(id: id, keys: sortIndices.map { values[$0] })
    }

    /// Whether a row has the same sort keys as an entry.
    func hasSameKeys(_ entry: FetchedEntry, _ values: [AttributeValue]) -> Bool {
        zip(entry.keys, sortIndices).allSatisfy { $0.compare(values[$1]) == 0 }
    }

    /// Whether an entry stands before another: by the sort keys in turn, then by row id.
    func precedes(_ left: FetchedEntry, _ right: FetchedEntry) -> Bool {
        let order = compare(left.keys, right.keys, count: ascending.count)
        return order == 0 ? left.id < right.id : order < 0
    }

    /// The order of two lists of keys by the first of them: -1, 0 or 1.
    func compare(_ left: [AttributeValue], _ right: [AttributeValue], count: Int) -> Int {
        for position in 0..<count {
            let order = left[position].compare(right[position])
            if order != 0 { return ascending[position] ? order : -order }
        }
        return 0
    }
}

/// A row in the order of a request: its identity and its sort keys.
struct FetchedEntry {
    let id: RowID
    let keys: [AttributeValue]
}
