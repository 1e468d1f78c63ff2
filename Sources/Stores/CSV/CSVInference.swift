extension EntityDescription {
    /// Guesses an entity from a file of comma-separated text, all of which is read.
    ///
    /// A column of whole numbers is an `integer`, one of numbers a `double`, one of `true` and `false` in any case a
    /// `boolean`, one of ISO dates (`2024-02-29`, or with a time that names its zone) a `date`, every other a `string`.
    /// Numbers that begin with a needless zero or do not fit are names (`007`), not numbers. Empty fields have no value
    /// and say nothing of the type: a column in which something is empty is optional, and one in which everything is
    /// empty holds text.
    ///
    /// - Parameters:
    ///   - name: The entity's name.
    ///   - path: The file; its first line names the columns.
    ///   - uniqueKey: The column that becomes a unique attribute which must have a value.
    ///   - delimiter: What stands between fields: one ASCII character.
    /// - Returns: The entity, its attributes in the order of the columns.
    /// - Throws: ``StoreError`` where the file cannot be read, is not such text, or has no column of that
    ///   name.
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

/// What a column may still be after the fields seen so far.
private struct CSVColumnGuess {
    private(set) var hasEmpty = false
    private var hasAny = false
    /// The types that all fields so far are values of.
    private var mayBe: Set<AttributeType> = [.integer, .double, .boolean, .date]

    var type: AttributeType {
        guard hasAny else { return .string }
        // A whole number is a number too.
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
        // Digits that no 64 bits hold are a name too: as a number they would lose some.
        let isTooLong = !isWhole && digits.allSatisfy(CSVNumber.isDigit)
        if isName || isTooLong || CSVNumber.double(bytes) == nil { mayBe.subtract([.integer, .double]) }
    }

    // 1 and 0 are numbers.
    private static func isBoolean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == 4 || bytes.count == 5 else { return false }
        return ["true", "false"].contains(String(decoding: bytes, as: UTF8.self).lowercased())
    }
}
