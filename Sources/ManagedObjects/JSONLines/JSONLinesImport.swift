internal import Stores

/// An import of JSON Lines in progress.
struct JSONLinesImport {
    var file: JSONLinesFile?
    var summary = JSONLinesImportSummary()
    private let container: PersistentContainer
    private let path: String
    private let options: JSONLinesImportOptions
    private var isStarted = false
    private var committed = 0
    /// The line of the failure, if it is not the last line read.
    private var failedLine: Int?
    /// The identities assigned to the file's objects.
    private var ids: [RowKey: RowID] = [:]
    /// The rows that were inserted for the file's objects.
    private var given: Set<RowKey> = []
    /// The references written so far, by row and attribute, with their targets.
    private var led: [ReferenceKey: RowID] = [:]
    /// The references of the file, which are resolved after all objects were inserted.
    private var references: [Reference] = []

    private struct Reference {
        let source: RowKey
        let relationship: RelationshipPlan
        let target: RowKey
        let line: Int
        let column: Int
    }

    init(_ container: PersistentContainer, _ path: String, _ options: JSONLinesImportOptions) {
        self.container = container
        self.path = path
        self.options = options
    }

    func error(_ failure: JSONLineError) -> StoreError {
        let place = "\(path):\(failedLine ?? max(1, file?.line ?? 1)):\(failure.column)"
        let kept = options.batchSize == nil ? "" : " (\(committed) objects were committed before)"
        return StoreError(.importFailed, "\(place): \(failure.problem)\(kept)")
    }

    mutating func endBatch() {
        committed = summary.inserted
        summary.transactions += 1
    }

    /// Inserts the objects of the next lines; returns whether there may be more.
    mutating func readBatch(_ transaction: any WriteTransaction) throws -> Bool {
        var left = max(1, options.batchSize ?? .max)
        while left > 0 {
            guard let bytes = try file?.next() else {
                guard isStarted else { throw JSONLineError(1, "the file is empty") }
                return false
            }
            guard !bytes.isEmpty else { continue }
            var scanner = JSONLineParser(bytes)
            let line = try scanner.read()
            if !isStarted {
                try begin(line)
                continue
            }
            try add(line, transaction)
            left -= 1
        }
        return true
    }

    private mutating func begin(_ line: JSONLineValue) throws {
        guard case .string(JSONLinesFormat.name)? = line.member("format")?.kind else {
            throw JSONLineError(1, "the first line does not name the format '\(JSONLinesFormat.name)'")
        }
        guard let version = line.member("version"), case .number(let text) = version.kind,
            let number = Int(text), number <= JSONLinesFormat.version
        else {
            throw JSONLineError(
                line.member("version")?.column ?? 1,
                "the format's version is not \(JSONLinesFormat.version) or older"
            )
        }
        isStarted = true
    }

    // MARK: - Objects

    private mutating func add(_ line: JSONLineValue, _ transaction: any WriteTransaction) throws {
        guard case .object(let members) = line.kind else {
            throw JSONLineError(line.column, "a line must be an object, not \(line.kind.name)")
        }
        for (key, value) in members where !["entity", "id", "attributes", "relationships"].contains(key) {
            throw JSONLineError(value.column, "unknown key \(MessageText.quoted(key))")
        }
        guard let name = line.member("entity"), case .string(let entityName) = name.kind else {
            throw JSONLineError(line.column, "the line has no entity name")
        }
        guard let entity = container.plan.entityIfAny(entityName) else {
            throw JSONLineError(name.column, "the model has no entity \(MessageText.quoted(entityName))")
        }
        guard let place = line.member("id"), let written = Self.id(place) else {
            throw JSONLineError(line.member("id")?.column ?? line.column, "the line has no identity")
        }
        let row = RowKey(entity: entity.number, key: written)
        guard ids[row] == nil else { throw JSONLineError(place.column, "the file has this object twice") }
        let values = try attributes(line, entity)
        let id = try naming(place.column) { () throws -> RowID in
            guard options.identities == .kept else {
                return try transaction.insert(into: entity.name, values)
            }
            try transaction.insert(into: entity.name, id: written, values)
            return written
        }
        ids[row] = id
        given.insert(RowKey(entity: row.entity, key: id))
        summary.inserted += 1
        try readRelationships(line, entity, row)
    }

    private static func id(_ text: JSONLineValue) -> RowID? {
        guard case .number(let digits) = text.kind, let id = Int64(digits), id > 0 else { return nil }
        return id
    }

    private func attributes(_ line: JSONLineValue, _ entity: EntityPlan) throws -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for (index, attribute) in entity.entity.attributes.enumerated()
        where entity.relationshipsByAttribute[index] == nil {
            values[attribute.name] = entity.defaults[index]
        }
        var columns: [String: Int] = [:]
        if let list = line.member("attributes") {
            guard case .object(let members) = list.kind else {
                throw JSONLineError(list.column, "'attributes' must be an object, not \(list.kind.name)")
            }
            for (name, text) in members {
                guard values[name] != nil, let index = entity.position(of: name) else {
                    throw JSONLineError(text.column, entity.entity.unknownAttribute(name).message)
                }
                values[name] = try entity.entity.attributes[index].value(of: text)
                columns[name] = text.column
            }
        }
        for attribute in entity.entity.attributes {
            guard let value = values[attribute.name] else { continue }
            let place = "'\(entity.name).\(attribute.name)'"
            let column = columns[attribute.name] ?? line.column
            if value.isNull, !attribute.isOptional {
                throw JSONLineError(column, "\(place) must have a value")
            }
            if let problem = attribute.validation?.problem(with: value) {
                throw JSONLineError(column, "\(place) \(problem)")
            }
        }
        return values
    }

    /// Runs a write for the line, and converts errors about its values to failures of the line.
    private func naming<Result>(_ column: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError where [.notUnique, .invalidValue].contains(error.code) {
            throw JSONLineError(column, error.message)
        }
    }

    // MARK: - Relationships

    private mutating func readRelationships(_ line: JSONLineValue, _ entity: EntityPlan, _ row: RowKey) throws
    {
        var named: Set<String> = []
        if let list = line.member("relationships") {
            guard case .object(let members) = list.kind else {
                throw JSONLineError(list.column, "'relationships' must be an object, not \(list.kind.name)")
            }
            for (name, text) in members {
                guard let relationship = entity.relationshipIfAny(name) else {
                    throw JSONLineError(
                        text.column,
                        "entity \(MessageText.quoted(entity.name)) has no relationship \(MessageText.quoted(name))"
                    )
                }
                if try isLost(text, relationship, entity) {
                    named.insert(name)
                    summary.cleared += 1
                    continue
                }
                for end in try Self.ends(of: text, name, isToMany: relationship.description.isToMany) {
                    named.insert(name)
                    let target = RowKey(entity: relationship.target, key: end.id)
                    let line = file?.line ?? 0
                    references.append(
                        Reference(
                            source: row,
                            relationship: relationship,
                            target: target,
                            line: line,
                            column: end.column
                        )
                    )
                }
            }
        }
        for relationship in entity.relationships {
            let description = relationship.description
            guard !description.isToMany, !description.isOptional, !named.contains(description.name) else {
                continue
            }
            throw JSONLineError(line.column, "'\(entity.name).\(description.name)' must have a value")
        }
    }

    /// Returns whether a line marks a required reference as missing; throws if the options refuse that.
    private func isLost(
        _ text: JSONLineValue,
        _ relationship: RelationshipPlan,
        _ entity: EntityPlan
    ) throws -> Bool {
        guard case .own = relationship.place, let gone = text.member(JSONLinesFormat.gone),
            let id = Self.id(gone)
        else { return false }
        guard options.missingReferences == .refused else { return true }
        let description = relationship.description
        throw JSONLineError(
            text.column,
            "'\(entity.name).\(description.name)' must have a value: it referred to "
                + "\(MessageText.quoted(description.destination)) \(id), which did not exist when the file was written"
        )
    }

    private static func ends(
        of text: JSONLineValue,
        _ name: String,
        isToMany: Bool
    ) throws -> [(id: RowID, column: Int)] {
        if case .null = text.kind { return [] }
        let parts: [JSONLineValue]
        if case .array(let list) = text.kind, isToMany { parts = list } else { parts = [text] }
        return try parts.map { part in
            guard let id = id(part) else {
                throw JSONLineError(
                    part.column,
                    "\(MessageText.quoted(name)) requires identities, not \(part.kind.name)"
                )
            }
            return (id, part.column)
        }
    }

    /// Resolves and writes the references between objects.
    mutating func finish(_ transaction: any WriteTransaction) throws {
        var joined: Set<PairKey> = []
        for reference in references {
            failedLine = reference.line
            let source = ids[reference.source] ?? reference.source.key
            guard let target = try target(reference, transaction) else {
                let name = container.plan.entities[reference.target.entity].name
                throw JSONLineError(
                    reference.column,
                    "there is no \(MessageText.quoted(name)) with the identity \(reference.target.key)"
                )
            }
            let (near, far) = (
                RowKey(entity: reference.source.entity, key: source),
                RowKey(entity: reference.target.entity, key: target)
            )
            switch reference.relationship.place {
            case .own(let attribute):
                try lead(near, attribute, to: far, reference, transaction)
                let inverse = reference.relationship.description.inverse
                let back = inverse.flatMap {
                    container.plan.entities[far.entity].relationshipIfAny($0)?.place
                }
                if case .own(let attribute)? = back {
                    try lead(far, attribute, to: near, reference, transaction)
                }
            case .inverse(let attribute): try lead(far, attribute, to: near, reference, transaction)
            case .pairs(let pairs, let side):
                let ends = side == 0 ? (source, target) : (target, source)
                let pair = PairKey(pairs: pairs, first: ends.0, second: ends.1)
                try join(pair, &joined, transaction)
                if reference.relationship.isSymmetric {
                    try join(
                        PairKey(pairs: pairs, first: pair.second, second: pair.first),
                        &joined,
                        transaction
                    )
                }
            }
        }
        failedLine = nil
    }

    /// Writes a reference once.
    ///
    /// The file may name it at both ends, which must agree.
    private mutating func lead(
        _ row: RowKey,
        _ attribute: Int,
        to target: RowKey,
        _ reference: Reference,
        _ transaction: any WriteTransaction
    ) throws {
        let entity = container.plan.entities[row.entity].entity
        let name = entity.attributes[attribute].name
        let place = ReferenceKey(entity: row.entity, attribute: attribute, target: row.key)
        var former = led[place]
        if former == nil, !given.contains(row) {
            // The file must not change the references of rows that existed before the import.
            former = try transaction.rows(of: entity.name, ids: [row.key])[0]?.values[attribute].rowID
        }
        if let former {
            guard former == target.key else {
                throw JSONLineError(
                    reference.column,
                    "'\(entity.name).\(name)' of \(row.key) refers to \(former) and cannot refer to "
                        + "\(target.key) as well"
                )
            }
            led[place] = former
            return
        }
        led[place] = target.key
        try transaction.update(entity.name, id: row.key, [name: .integer(target.key)])
    }

    private mutating func join(
        _ pair: PairKey,
        _ joined: inout Set<PairKey>,
        _ transaction: any WriteTransaction
    ) throws {
        // Both ends of a pair may name it; it is inserted once.
        guard joined.insert(pair).inserted else { return }
        try transaction.insert(
            into: container.plan.pairs[pair.pairs].name,
            ["first": .integer(pair.first), "second": .integer(pair.second)]
        )
        summary.joined += 1
    }

    private func target(_ reference: Reference, _ transaction: any WriteTransaction) throws -> RowID? {
        if let id = ids[reference.target] { return id }
        let name = container.plan.entities[reference.target.entity].name
        let rows = try transaction.rows(of: name, ids: [reference.target.key])
        return rows[0]?.id
    }
}
