internal import BridgeValues
internal import Stores

/// The granted access of one operation of a script to an entity.
struct EntityAccess {
    /// The entity of the store.
    let entity: EntityDescription
    /// The granted part of the entity.
    let part: DataGrants.Part
    /// The entity with the attributes and relationships that scripts may know for this operation.
    let shown: EntityDescription
    /// The positions in ``entity`` of the shown attributes; `nil` if all are shown, in the same order.
    let columns: [Int]?
    /// The condition on the granted rows; `nil` means all rows.
    let rows: FetchPredicate?
    /// The entities that a request may use: those whose rows a script may all read.
    let readable: [String: EntityDescription]

    /// Creates the access to an entity that is granted as a whole.
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

    /// Returns a request limited to the granted rows.
    func granted(_ request: FetchRequest) -> FetchRequest {
        guard let rows else { return request }
        var request = request
        request.predicate = request.predicate.map { .and([$0, rows]) } ?? rows
        return request
    }

    /// Returns those of some rows that are granted, by the content of a transaction.
    func grantedRows(_ ids: [RowID], in transaction: any ReadTransaction) throws -> Set<RowID> {
        var granted: Set<RowID> = []
        for start in stride(from: 0, to: ids.count, by: Self.chunkSize) {
            let chunk = Array(ids[start..<min(start + Self.chunkSize, ids.count)])
            let request = FetchRequest(entityName: entity.name, predicate: .idIsIn(chunk))
            try transaction.scan(self.granted(request), attributes: []) { id, _ in granted.insert(id) }
        }
        return granted
    }

    /// The number of rows of one request.
    private static let chunkSize = 500

    /// Returns whether a row exists and is granted, by the content of a transaction.
    func isGranted(_ id: RowID, in transaction: any ReadTransaction) throws -> Bool {
        try !grantedRows([id], in: transaction).isEmpty
    }

    /// Returns the shown values of a row.
    func shown(_ values: [AttributeValue]) -> [AttributeValue] {
        columns.map { $0.map { values[$0] } } ?? values
    }

    /// Returns a table with the shown columns.
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

    /// Returns whether a query that was created with another access may continue with this one.
    ///
    /// - Parameters:
    ///   - other: The access that the query was created with.
    ///   - withRelatedRows: Whether the query uses rows of other entities. If so, the entities that it could read must
    ///     still be readable.
    /// - Returns: Whether it may continue.
    func continues(_ other: EntityAccess, withRelatedRows: Bool) -> Bool {
        part == other.part
            && (!withRelatedRows || other.readable.allSatisfy { name, entity in readable[name] == entity })
    }

    /// Returns whether changes of the data that another access shows may be reported with this one.
    func covers(_ other: EntityAccess) -> Bool {
        let hasRows =
            part.hasAllRows || part.rows == other.part.rows && part.deniedRows == other.part.deniedRows
        return hasRows && other.shown.attributes.allSatisfy { part.contains($0.name) }
    }

    /// Returns the access that both this one and another one grant.
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
