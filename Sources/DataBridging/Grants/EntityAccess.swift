internal import BridgeValues
internal import Stores

/// What one operation of a script may reach of an entity.
struct EntityAccess {
    /// The entity as the store has it.
    let entity: EntityDescription
    /// What is granted of it.
    let part: DataGrants.Part
    /// The entity as scripts may know it for this operation.
    let shown: EntityDescription
    /// The positions in ``entity`` of what is shown; `nil` where that is all, in the same order.
    let columns: [Int]?
    /// The rows that are granted; `nil` means all.
    let rows: FetchPredicate?
    /// The entities that a request may look at: those whose rows a script may read, all of them.
    let readable: [String: EntityDescription]

    /// An entity that is granted whole.
    init(whole entity: EntityDescription, among entities: [String: EntityDescription]) {
        self.init(entity: entity, part: DataGrants.Part(), shown: entity, rows: nil, readable: entities)
    }

    init(
        entity: EntityDescription,
        part: DataGrants.Part,
        shown: EntityDescription,
        rows: FetchPredicate?,
        readable: [String: EntityDescription]
    ) {
        self.entity = entity
        self.part = part
        self.shown = shown
        self.rows = rows
        self.readable = readable
        columns =
            part.hasAllAttributes
            ? nil : shown.attributes.compactMap { attribute in entity.attributes.firstIndex(of: attribute) }
    }

    /// The rows of a request, as far as they are granted.
    func granted(_ request: FetchRequest) -> FetchRequest {
        guard let rows else { return request }
        var request = request
        request.predicate = request.predicate.map { .and([$0, rows]) } ?? rows
        return request
    }

    /// Those of some rows that are granted, as a transaction sees them.
    func grantedRows(_ ids: [RowID], in transaction: any ReadTransaction) throws -> Set<RowID> {
        var granted: Set<RowID> = []
        for start in stride(from: 0, to: ids.count, by: Self.chunkSize) {
            let chunk = Array(ids[start..<min(start + Self.chunkSize, ids.count)])
            let request = FetchRequest(entityName: entity.name, predicate: .idIsIn(chunk))
            try transaction.scan(self.granted(request), attributes: []) { id, _ in granted.insert(id) }
        }
        return granted
    }

    /// How many rows are asked for at a time.
    private static let chunkSize = 500

    /// Whether a row is there and granted, as a transaction sees it.
    func isGranted(_ id: RowID, in transaction: any ReadTransaction) throws -> Bool {
        try !grantedRows([id], in: transaction).isEmpty
    }

    /// The values of a row that are shown.
    func shown(_ values: [AttributeValue]) -> [AttributeValue] {
        columns.map { $0.map { values[$0] } } ?? values
    }

    /// A table with the columns that are shown.
    func shown(_ table: RowTable) -> RowTable {
        guard let columns else { return table }
        let shown = RowTable(attributeCount: columns.count)
        for row in 0..<table.count {
            guard !table.cells[row * table.width].isNaN else {
                shown.appendMissing()
                continue
            }
            let values = columns.map { table.value(at: row, $0, entity.attributes[$0].type) }
            shown.append(id: table.id(at: row), values)
        }
        return shown
    }

    /// Whether a query that was made by another access may go on by this one.
    ///
    /// - Parameters:
    ///   - other: The access that the query was made by.
    ///   - withRelatedRows: Whether the query looks at rows of other entities: what it could look at must still be readable.
    /// - Returns: Whether it may.
    func continues(_ other: EntityAccess, withRelatedRows: Bool) -> Bool {
        part == other.part
            && (!withRelatedRows || other.readable.allSatisfy { name, entity in readable[name] == entity })
    }

    /// Whether changes of what another access shows may be told by this one.
    func covers(_ other: EntityAccess) -> Bool {
        let hasRows =
            part.hasAllRows || part.rows == other.part.rows && part.deniedRows == other.part.deniedRows
        return hasRows && other.shown.attributes.allSatisfy { part.contains($0.name) }
    }

    /// What this access and another grant both.
    func intersection(_ other: EntityAccess) -> EntityAccess {
        var shown = self.shown
        let both = shown.attributes.filter { other.part.contains($0.name) }
        guard both.count < shown.attributes.count || other.rows != nil else { return self }
        var part = self.part
        part.attributes = Set(both.map(\.name))
        shown.attributes = both
        let rows = [self.rows, other.rows].compactMap(\.self)
        return EntityAccess(
            entity: entity,
            part: part,
            shown: shown,
            rows: rows.isEmpty ? nil : rows.count == 1 ? rows[0] : .and(rows),
            readable: readable
        )
    }
}
