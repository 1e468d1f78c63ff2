internal import Stores

/// A run of migration steps, inside the caller's transaction.
///
/// A changed entity gets a new table, and its rows are copied with their identities. All old tables are renamed first,
/// so that entities can swap names.
struct SchemaMigration {
    let connection: SQLiteConnection
    private(set) var schema: StoreSchema
    /// A hook that is called before each step; tests throw there.
    private let beforeStep: (@Sendable (Int) throws -> Void)?
    private var stepCount = 0

    init(
        connection: SQLiteConnection,
        schema: StoreSchema,
        beforeStep: (@Sendable (Int) throws -> Void)?
    ) {
        self.connection = connection
        self.schema = schema
        self.beforeStep = beforeStep
    }

    mutating func run(_ steps: [MigrationStep]) throws {
        for (number, step) in steps.enumerated() {
            switch step {
            case .addEntity, .mirrorPairs, .pairOneToOne: break
            case .removeEntity(let name):
                try attempt(step) { try $0.remove(name) }
            case .changeEntity(let old, _, _):
                try attempt(step) { try $0.setAside(old, as: Self.aside(number)) }
            }
        }
        for (number, step) in steps.enumerated() {
            switch step {
            case .removeEntity: break
            case .addEntity(let entity): try attempt(step) { try $0.add(entity) }
            case .changeEntity(let old, let new, let sources):
                try attempt(step) {
                    try $0.copy(from: old, Self.aside(number), to: new, sources)
                }
            case .mirrorPairs(let name): try attempt(step) { try $0.mirror(name) }
            case .pairOneToOne(let entity, let relationship, let destination, let inverse):
                try attempt(step) { try $0.pair(entity, relationship, with: destination, inverse) }
            }
        }
    }

    /// Saves the model that results from the steps.
    mutating func keep(_ model: StoredModel) throws {
        try beforeNextStep()
        for (name, entity) in model.entities where schema.tables[name]?.entity != entity {
            throw StoreError(
                .migrationFailed,
                "the steps do not produce entity \(MessageText.quoted(name)) of model version \(model.version)"
            )
        }
        try ModelTable.write(model, to: connection)
        try beforeNextStep()
    }

    private mutating func beforeNextStep() throws {
        try beforeStep?(stepCount)
        stepCount += 1
    }

    private mutating func attempt(
        _ step: MigrationStep,
        _ body: (inout SchemaMigration) throws -> Void
    ) throws {
        try beforeNextStep()
        do {
            try body(&self)
        } catch let error as StoreError where [.notUnique, .invalidValue, .schema].contains(error.code) {
            throw StoreError(.migrationFailed, "cannot \(step.description): \(error.message)")
        }
    }

    private static func aside(_ number: Int) -> String { "$old \(number)" }

    // MARK: - Steps

    private mutating func add(_ entity: EntityDescription) throws {
        // An equal entity may have been created without a model.
        if schema.tables[entity.name]?.entity == entity { return }
        try schema.add(entity, in: connection)
    }

    private mutating func remove(_ name: String) throws {
        guard let table = schema.tables[name] else { return }
        try schema.forget(name, in: connection)
        try connection.execute("DROP TABLE \(table.name)")
    }

    private mutating func setAside(_ entity: EntityDescription, as aside: String) throws {
        let table = try schema.table(entity.name)
        guard table.entity == entity else {
            throw StoreError(
                .schema,
                "entity \(MessageText.quoted(entity.name)) differs from the store's model"
            )
        }
        try schema.forget(entity.name, in: connection)
        try connection.execute("ALTER TABLE \(table.name) RENAME TO \(EntityTable.quoted(aside))")
    }

    private mutating func copy(
        from old: EntityDescription,
        _ aside: String,
        to new: EntityDescription,
        _ sources: [String?]
    ) throws {
        let source = EntityTable(old)
        let from = EntityTable.quoted(aside)
        // Indexes are created last, because their names are in use until the old table is dropped.
        try schema.add(new, in: connection, withIndexes: false)
        let target = try schema.table(new.name)
        var expressions: [String] = []
        var bindings: [SQLFragment.Binding] = []
        for (index, attribute) in new.attributes.enumerated() {
            let column = try Column(attribute, sources[index], of: source)
            try check(column, attribute, at: target.entity.place(index), in: from)
            expressions.append(column.expression(&bindings))
        }
        let columns = ([EntityTable.idColumn] + target.columns).joined(separator: ", ")
        let selected = ([EntityTable.idColumn] + expressions).joined(separator: ", ")
        let copy = SQLFragment(
            "INSERT INTO \(target.name) (\(columns)) SELECT \(selected) FROM \(from) "
                + "ORDER BY \(EntityTable.idColumn)",
            bindings
        )
        try connection.query(copy) { statement in while try statement.step() {} }
        // Carries over the largest identity, so that the identities of deleted rows are not reused.
        try connection.run("DELETE FROM sqlite_sequence WHERE name = ?", .string(target.physicalName))
        try connection.run(
            "INSERT INTO sqlite_sequence (name, seq) SELECT ?, seq FROM sqlite_sequence WHERE name = ?",
            .string(target.physicalName),
            .string(aside)
        )
        try connection.execute("DROP TABLE \(from)")
        for statement in target.indexSQL { try connection.execute(statement) }
    }

    private func check(
        _ column: Column,
        _ attribute: AttributeDescription,
        at place: String,
        in table: String
    ) throws {
        if let condition = column.lossCondition {
            let count = try connection.integer("SELECT count(*) FROM \(table) WHERE \(condition)")
            guard count == 0 else {
                throw StoreError(
                    .invalidValue,
                    "\(place) becomes a double, but \(count) rows have integers beyond 2^53"
                )
            }
        }
        guard !attribute.isOptional, attribute.defaultValue ?? .null == .null else { return }
        let missing = "SELECT count(*) FROM \(table)" + (column.source.map { " WHERE \($0) IS NULL" } ?? "")
        let count = try connection.integer(missing)
        guard count == 0 else {
            throw StoreError(
                .invalidValue,
                "\(place) must have a value, and \(count) rows have none; give it a default value"
            )
        }
    }
}

/// The source of the values of one column.
private struct Column {
    /// The old column; `nil` for a new one.
    let source: String?
    private let converted: String
    private let defaultValue: AttributeValue?
    private let isOptional: Bool
    /// A condition for rows whose value would change in the conversion.
    let lossCondition: String?

    init(_ attribute: AttributeDescription, _ name: String?, of table: EntityTable) throws {
        defaultValue = attribute.defaultValue
        isOptional = attribute.isOptional
        guard let name else {
            (source, converted, lossCondition) = (nil, "NULL", nil)
            return
        }
        let index = try table.index(of: name)
        let column = table.columns[index]
        source = column
        var loss: String?
        switch (table.types[index], attribute.type) {
        case (let old, let new) where old == new: converted = column
        case (.boolean, .integer), (.date, .double): converted = column
        case (.boolean, .double): converted = "CAST(\(column) AS REAL)"
        case (.integer, .double):
            converted = "CAST(\(column) AS REAL)"
            loss = "\(column) > 9007199254740992 OR \(column) < -9007199254740992"
        case (.boolean, .string):
            converted = "CASE \(column) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END"
        case (.integer, .string): converted = "CAST(\(column) AS TEXT)"
        case (let old, let new):
            throw StoreError(
                .schema,
                "\(table.entity.place(index)) holds \(old.rawValue) values, which cannot be converted to "
                    + "\(new.rawValue) values"
            )
        }
        lossCondition = loss
    }

    /// Returns the expression for the values, and appends its bindings.
    func expression(_ bindings: inout [SQLFragment.Binding]) -> String {
        guard let defaultValue, source == nil || !isOptional else { return converted }
        bindings.append(.value(defaultValue))
        return source == nil ? "?" : "coalesce(\(converted), ?)"
    }
}
