package import BridgeValues
internal import Foundation

/// The extension values of a payload, for data that JSON lacks: the text has the mark `{"$b":i}`, and entry `i` of this
/// array has the value (`x.b`).
///
/// An entry is `{"k": kind}` with the members of its kind:
/// - `bytes`: the length `n`, and base64 in chunks `c`.
/// - `date`: the milliseconds `v`, `null` for an invalid date.
/// - `bigint`: the digits `v`.
/// - `number`: the string `v` of a number that JSON lacks.
/// - `map` and `set`: the length `n` and an array `v`, which may have marks itself.
/// - `undefined`: no members.
///
/// An entry refers only to entries before it, and one with a length has exactly one mark. Decoded data is therefore
/// never larger than the message.
///
/// A function or an object that stays on its side has the mark `{"$r":id}`, with a ``ReferenceRecord`` of that id in
/// `x.refs`.
///
/// If a message has such an array, even an empty one, a key that looks like a mark is escaped with one more `$`:
/// `{"$$b":0}` is the object `{"$b":0}`.
package struct ExtensionValues: Sendable, Hashable {
    /// The maximum number of bytes in one chunk of base64: a multiple of three, so that chunks have no padding.
    static let chunkLength = 49_152

    /// The entries.
    package var entries: [Value] = []
    /// The references in the text (`x.refs`), each as often as it has a mark.
    package var references: [Reference] = []
    /// The results that the text has marks for, once they have arrived, by the ids of their calls.
    package var results: [ByteEqualString: Value] = [:]
    /// A Boolean value that indicates whether the text may contain references.
    var takesReferences = false

    /// A Boolean value that indicates whether a key was escaped.
    private(set) var hasEscapedKeys = false

    /// A Boolean value that indicates whether the message must carry the array: it has entries or references, or the
    /// text has escaped keys.
    var isNeeded: Bool { !entries.isEmpty || !references.isEmpty || hasEscapedKeys }

    /// Creates an empty array.
    package init() {}

    /// Creates the array of a message; the entries are validated when they are read.
    package init(_ entries: [Value], references: [Reference] = []) {
        self.entries = entries
        self.references = references
    }

    /// The members of the message's `x` for the extension values.
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

    /// Adds an entry and returns its index.
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

    /// Adds a number that JSON lacks: NaN, an infinity or negative zero.
    mutating func add(_ number: Double) -> Int {
        let text = number.isNaN ? "NaN" : number == 0 ? "-0" : number < 0 ? "-Infinity" : "Infinity"
        return add("number", ("v", .string(text)))
    }

    mutating func addUndefined() -> Int { add("undefined") }

    /// Adds a reference.
    ///
    /// - Throws: `unsupported` if the reader does not support references.
    mutating func add(_ reference: Reference) throws(BridgeError) {
        guard takesReferences else { throw BridgeError(.unsupported, Value.noReference) }
        references.append(reference)
    }

    /// Escapes a key that looks like a mark.
    mutating func escape(_ key: String) -> String {
        guard Self.isMark(key) else { return key }
        hasEscapedKeys = true
        return "$" + key
    }

    /// Replaces the marks in a decoded JSON value by their extension values.
    ///
    /// - Throws: `decodeFailed` for a malformed mark or entry.
    package func fill(_ value: Value) throws(BridgeError) -> Value {
        var reader = ExtensionValueReader(self)
        return try reader.read(value)
    }

    /// Returns the mark of an entry.
    static func mark(_ index: Int) -> String { "{\"$b\":\(index)}" }

    /// Returns whether a key looks like a mark, or like an escaped one: `$b`, `$r` or `$p` with any number of
    /// additional `$`.
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
    /// Writes the mark of an entry.
    func write(place index: Int) throws {
        try countNode()
        try write(literal: ExtensionValues.mark(index))
    }

    /// Writes the mark of a reference.
    func write(reference: Reference) throws {
        guard places != nil || configuration.marksReferences else {
            throw BridgeError(.unsupported, Value.noReference)
        }
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

    /// Returns a key as it is written: one that looks like a mark is escaped.
    @inline(never)
    func escaped(_ key: String) -> String { places?.escape(key) ?? key }
}
