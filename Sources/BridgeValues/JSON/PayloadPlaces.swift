internal import Foundation

/// What JSON lacks, beside the JSON that it belongs to: a text has `{"$b":i}` where such a value stands, and this list has
/// at `i` what it is (`x.b`).
///
/// An entry is `{"k": kind}` with what that kind needs: `bytes` the length `n` and base64 in chunks `c`; `date` the milliseconds
/// `v`, null for a date that is none; `bigint` the digits `v`; `number` the text `v` of a number that JSON has not; `map` and
/// `set` the length `n` and a list `v`, which may have places itself; `undefined` nothing. An entry refers to entries before
/// it only, and one that has a length stands at one place: so nothing that is read is larger than what was sent.
///
/// A function or an object that stays on its side stands as `{"$r":id}`, with a ``ReferenceRecord`` of that id in `x.refs`.
///
/// Where there is a list, also an empty one, a key of an object that could be taken for a mark has one more `$` than the
/// object that it stands for: `{"$$b":0}` is the object `{"$b":0}`.
package struct PayloadPlaces: Sendable, Hashable {
    /// How many bytes one chunk of base64 has at most: a multiple of three, so that chunks are whole.
    static let chunkLength = 49_152

    /// The entries.
    package var entries: [Value] = []
    /// What the text refers to and does not hold (`x.refs`), each as often as it has a mark.
    package var references: [Reference] = []
    /// The results that the text has marks for, once they are there, by the ids of their calls.
    package var results: [ExactText: Value] = [:]
    /// Whether references may stand in the text.
    var takesReferences = false

    /// Whether a key was escaped.
    private(set) var hasEscapedKeys = false

    /// Whether a reader must know of the list: it has entries, or the text has escaped keys.
    var isNeeded: Bool { !entries.isEmpty || !references.isEmpty || hasEscapedKeys }

    /// Makes an empty list.
    package init() {}

    /// Makes the list of a message; what its entries are is looked at when they are read.
    package init(_ entries: [Value], references: [Reference] = []) {
        self.entries = entries
        self.references = references
    }

    /// What a message says of them: the members of its `x`.
    package var members: ValueObject {
        var object = ValueObject()
        if !entries.isEmpty || references.isEmpty { object["b"] = .array(entries) }
        let records = references.map(\.target.record)
        let refs = records.filter { $0.kind != .result }.map(\.entry)
        if !refs.isEmpty { object["refs"] = .array(refs) }
        var results: [Value] = []
        for case let record in records where record.kind == .result && !results.contains(.string(record.id)) {
            results.append(.string(record.id))
        }
        if !results.isEmpty { object["p"] = .array(results) }
        return object
    }

    /// Adds an entry and gives its index.
    mutating func add(_ kind: String, _ members: (String, Value)...) -> Int {
        entries.append(.object(ValueObject([("k", .string(kind))] + members)))
        return entries.count - 1
    }

    mutating func add(_ data: Data) -> Int {
        let chunks = stride(from: 0, to: data.count, by: Self.chunkLength).map { start -> Value in
            let first = data.startIndex + start
            return .string(data[first..<min(first + Self.chunkLength, data.endIndex)].base64EncodedString())
        }
        return add("bytes", ("n", .integer(Int64(data.count))), ("c", .array(chunks)))
    }

    mutating func add(_ date: Date) -> Int {
        add("date", ("v", date.javaScriptMilliseconds.map { .number($0) } ?? .null))
    }

    /// Adds a number that JSON has not: a NaN, an infinity or negative zero.
    mutating func add(_ number: Double) -> Int {
        let text = number.isNaN ? "NaN" : number == 0 ? "-0" : number < 0 ? "-Infinity" : "Infinity"
        return add("number", ("v", .string(text)))
    }

    mutating func addUndefined() -> Int { add("undefined") }

    /// Adds what the text refers to.
    ///
    /// - Throws: `unsupported` where the reader takes none.
    mutating func add(_ reference: Reference) throws(BridgeError) {
        guard takesReferences else { throw BridgeError(.unsupported, Value.noReference) }
        references.append(reference)
    }

    /// A key as it stands beside the list.
    mutating func escape(_ key: String) -> String {
        guard Self.isMark(key) else { return key }
        hasEscapedKeys = true
        return "$" + key
    }

    /// Puts the entries where their marks stand in what was read as JSON.
    ///
    /// - Throws: `decodeFailed` for a mark or an entry that is not of its form.
    package func fill(_ value: Value) throws(BridgeError) -> Value {
        var reader = PlaceReader(self)
        return try reader.read(value)
    }

    /// What stands in the text for an entry.
    static func mark(_ index: Int) -> String { "{\"$b\":\(index)}" }

    /// Whether a key could be taken for a mark, or for one that was escaped: `$b`, `$r`, `$p` with any number of `$` more.
    static func isMark(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { units in
            guard units.count > 1, let last = units.last, last == 0x62 || last == 0x72 || last == 0x70 else {
                return false
            }
            return units.dropLast().allSatisfy { $0 == 0x24 }
        }
    }
}

extension JSONSink {
    /// Writes the mark of an entry where its value stands.
    func write(place index: Int) throws {
        try countNode()
        try write(literal: PayloadPlaces.mark(index))
    }

    /// Writes the mark of what stays on its side.
    func write(reference: Reference) throws {
        guard places != nil else { throw BridgeError(.unsupported, Value.noReference) }
        try places?.add(reference)
        try countNode()
        let record = reference.target.record
        guard record.kind == .result else {
            try write(literal: "{\"$r\":")
            try write(text: record.id)
            return try write(literal: "}")
        }
        try write(literal: "{\"$p\":[")
        try write(text: record.id)
        for step in record.path {
            try put(.comma)
            try write(value: step)
        }
        try write(literal: "]}")
    }

    /// A key as it is written: one that could be taken for a mark is escaped.
    @inline(never)
    func escaped(_ key: String) -> String { places?.escape(key) ?? key }
}
