/// The columns that a file's first line names, matched with an entity's attributes.
struct CSVColumns {
    let entity: EntityDescription
    /// The attributes' names, in the order of the file.
    let names: [String]
    /// The attributes' positions in the entity, in the order of the file.
    let indices: [Int]
    /// The position of the key column; `nil` without a key.
    let keyPosition: Int?

    /// Reads the first line.
    init(header reader: CSVReader, entity: EntityDescription, key: String?) throws {
        let names = try Self.header(reader)
        self.entity = entity
        self.names = names
        indices = try names.enumerated().map { position, name in
            guard let index = entity.index(of: name) else {
                throw reader.failure(
                    "column \(MessageText.quoted(name)): \(entity.unknownAttribute(name))",
                    forScripts:
                        "column \(position + 1) is not an attribute of \(MessageText.quoted(entity.name))"
                )
            }
            return index
        }
        if let key {
            _ = try entity.requiredKey(key)
            guard let position = names.firstIndex(of: key) else {
                throw reader.failure("the file has no column \(MessageText.quoted(key)), which is the key")
            }
            keyPosition = position
        } else {
            keyPosition = nil
        }
    }

    /// Creates columns that no entity describes yet; every field is read as a string.
    init(names: [String], guessFor entityName: String) {
        self.names = names
        entity = EntityDescription(
            name: entityName,
            attributes: names.map { AttributeDescription($0, .string) }
        )
        indices = Array(names.indices)
        keyPosition = nil
    }

    /// Reads the first line of a file as column names, which must be unique and not empty.
    static func header(_ reader: CSVReader) throws -> [String] {
        guard try reader.next(), !reader.isBlank else {
            let problem = "the first line must name the columns"
            throw reader.failure(at: "1", problem, forScripts: problem)
        }
        let names = (0..<reader.count).map { reader[$0] }
        var seen: Set<String> = []
        for (position, name) in names.enumerated() {
            if name.isEmpty { throw reader.failure("column \(position + 1) has no name") }
            guard seen.insert(name).inserted else {
                throw reader.failure(
                    "column \(MessageText.quoted(name)) occurs twice",
                    forScripts: "column \(position + 1) has the name of one before it"
                )
            }
        }
        return names
    }

    /// Advances to the next record, which must have a field for every column.
    ///
    /// - Returns: False if there are no more records.
    func nextRecord(of reader: CSVReader) throws -> Bool {
        guard try reader.next() else { return false }
        guard reader.count != names.count else { return true }
        // Blank lines at the end are ignored; before a record they are records with too few fields.
        var blank: StoreError?
        while reader.isBlank {
            blank = blank ?? reader.failure("an empty line between records")
            guard try reader.next() else { return false }
        }
        if let blank { throw blank }
        throw reader.failure("\(reader.count) fields for \(names.count) columns")
    }

    /// Converts the fields of the current record to values of their attributes.
    func read(_ reader: CSVReader, into values: inout [AttributeValue]) throws {
        for position in indices.indices {
            let attribute = entity.attributes[indices[position]]
            guard let value = reader.value(of: position, as: attribute.type) else {
                let text = MessageText.quoted(reader[position])
                let problem = "is not \(attribute.type.nounInFiles)"
                throw failure(reader, position, "\(text) \(problem)", forScripts: "the field \(problem)")
            }
            if value.isNull, !attribute.isOptional {
                let problem = "the field is empty and must have a value"
                throw failure(reader, position, problem, forScripts: problem)
            }
            values[position] = value
        }
    }

    /// Runs a step for the current record and adds the line to its errors about values.
    func naming<Result>(_ reader: CSVReader, _ step: () throws -> Result) throws -> Result {
        do {
            return try step()
        } catch let error as StoreError where error.code == .notUnique || error.code == .invalidValue {
            let problem =
                error.code == .notUnique
                ? "another row already has this unique value" : "a value is not valid for its attribute"
            throw reader.failure(error.message, forScripts: problem)
        }
    }

    /// Creates the error for a field of the current record: `FILE:LINE: column NAME: message`.
    ///
    /// Scripts get the column's number instead of its name.
    func failure(
        _ reader: CSVReader,
        _ position: Int,
        _ message: String,
        forScripts messageForScripts: String
    ) -> StoreError {
        reader.failure(
            "column \(MessageText.quoted(names[position])): \(message)",
            forScripts: "column \(position + 1): \(messageForScripts)"
        )
    }
}

extension AttributeType {
    fileprivate var nounInFiles: String {
        switch self {
        case .boolean: "true or false"
        case .integer: "a whole number of 64 bits"
        case .double: "a number"
        case .string: "text"
        case .date: "a date in ISO 8601"
        case .data: "Base64"
        }
    }
}
