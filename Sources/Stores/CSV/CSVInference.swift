extension EntityDescription {
    /// Infers an entity from a CSV file; the whole file is read.
    ///
    /// A column gets the first type that all its fields match:
    ///
    /// - `integer` for whole numbers;
    /// - `double` for numbers;
    /// - `boolean` for `true` and `false` in any case;
    /// - `date` for ISO dates (`2024-02-29`, or with a time that names its zone);
    /// - `string` for everything else.
    ///
    /// Numbers with leading zeros, and whole numbers of more than 64 bits, are strings (`007`). Empty fields do not
    /// affect the type, but make the column optional. A column with only empty fields is a `string`.
    ///
    /// - Parameters:
    ///   - name: The entity's name.
    ///   - path: The path of the file, whose first line names the columns.
    ///   - uniqueKey: The column that becomes a unique attribute without missing values.
    ///   - delimiter: The separator of fields: one ASCII character.
    /// - Returns: The entity, with its attributes in the order of the columns.
    /// - Throws: ``StoreError`` if the file cannot be read, is not valid CSV, or has no column named `uniqueKey`.
    public static func inferred(
        named name: String,
        fromCSV path: String,
        uniqueKey: String? = nil,
        delimiter: Character = ","
    ) throws -> EntityDescription {
        try inferred(named: name, from: CSVReader(path: path, delimiter: delimiter), uniqueKey: uniqueKey)
    }

    package static func inferred(
        named name: String,
        from reader: CSVReader,
        uniqueKey: String?
    ) throws -> EntityDescription {
        let names = try CSVColumns.header(reader)
        var guesses = names.map { _ in CSVColumnGuess() }
        let columns = CSVColumns(names: names, guessFor: name)
        while try columns.nextRecord(of: reader) {
            for position in guesses.indices {
                reader.withBytes(of: position) { guesses[position].see($0) }
            }
        }
        if let uniqueKey, !names.contains(uniqueKey) {
            let suggestion = MessageText.suggestion(for: uniqueKey, among: names)
            throw StoreError(
                .schema,
                "\(reader.name) has no column \(MessageText.quoted(uniqueKey))\(suggestion)",
                forScripts: "the file has no column \(MessageText.quoted(uniqueKey))"
            )
        }
        let attributes = zip(names, guesses).map { name, guess in
            let isKey = name == uniqueKey
            return AttributeDescription(
                name,
                guess.type,
                isOptional: guess.hasEmpty && !isKey,
                isUnique: isKey
            )
        }
        let entity = EntityDescription(name: name, attributes: attributes)
        do {
            try entity.checkNames()
        } catch let error as StoreError {
            let problem = "\(MessageText.quoted(name)) cannot have attributes of the names in the first line"
            throw StoreError(error.code, error.message, forScripts: problem)
        }
        return entity
    }
}

/// The types that a column may still have after the fields read so far.
private struct CSVColumnGuess {
    private(set) var hasEmpty = false
    private var hasAny = false
    /// The types that match all fields so far.
    private var mayBe: Set<AttributeType> = [.integer, .double, .boolean, .date]

    var type: AttributeType {
        guard hasAny else { return .string }
        // Every integer is also a double, so the integer type is tried first.
        return [.integer, .double, .boolean, .date].first { mayBe.contains($0) } ?? .string
    }

    mutating func see(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty else {
            hasEmpty = true
            return
        }
        hasAny = true
        guard !mayBe.isEmpty else { return }
        if mayBe.contains(.double) { seeNumber(bytes) }
        if mayBe.contains(.boolean), !Self.isBoolean(bytes) { mayBe.remove(.boolean) }
        if mayBe.contains(.date), CSVDate.date(bytes) == nil { mayBe.remove(.date) }
    }

    private mutating func seeNumber(_ bytes: UnsafeBufferPointer<UInt8>) {
        let digits = bytes.drop { $0 == UInt8(ascii: "-") }
        let isName =
            bytes.first == UInt8(ascii: "+")
            || (digits.count > 1 && digits.first == UInt8(ascii: "0")
                && digits.dropFirst().first.map(CSVNumber.isDigit) == true)
        let isWhole = CSVNumber.integer(bytes) != nil
        if !isWhole { mayBe.remove(.integer) }
        // Whole numbers of more than 64 bits are strings: as doubles they would lose digits.
        let isTooLong = !isWhole && digits.allSatisfy(CSVNumber.isDigit)
        if isName || isTooLong || CSVNumber.double(bytes) == nil { mayBe.subtract([.integer, .double]) }
    }

    // `1` and `0` are numbers here, not Booleans.
    private static func isBoolean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == 4 || bytes.count == 5 else { return false }
        return ["true", "false"].contains(String(decoding: bytes, as: UTF8.self).lowercased())
    }
}
