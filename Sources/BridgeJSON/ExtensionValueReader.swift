internal import BridgeValues
internal import Foundation

/// A reader that replaces marks by their extension values.
struct ExtensionValueReader {
    private let entries: [Value]
    private let references: [String: Reference]
    private let results: [ByteEqualString: Value]
    /// The references that represent results of this side's calls that have not arrived.
    private let awaited: [Reference]
    /// The entries with a length that were already used.
    private var taken: Set<Int> = []

    init(_ places: ExtensionValues) {
        entries = places.entries
        results = places.results
        awaited = places.references.filter { $0.target.record.kind == .result }
        references = Dictionary(places.references.map { ($0.target.record.id, $0) }) { first, _ in first }
    }

    /// Decodes a payload, or a part of one.
    ///
    /// - Parameters:
    ///   - value: The decoded JSON.
    ///   - limit: The index below which marks may refer to entries.
    /// - Returns: The data of the sender.
    /// - Throws: `decodeFailed` for a malformed mark or entry.
    mutating func read(_ value: Value, below limit: Int? = nil) throws(BridgeError) -> Value {
        let limit = limit ?? entries.count
        switch value {
        case .array(let elements):
            var result: [Value] = []
            result.reserveCapacity(elements.count)
            for element in elements { result.append(try read(element, below: limit)) }
            return .array(result)
        case .object(let object):
            if object.count == 1 {
                if let mark = object["$b"] { return try entry(mark, below: limit) }
                if let mark = object["$r"] { return try reference(mark) }
                if let mark = object["$p"] { return try result(mark) }
            }
            var result = ValueObject()
            for member in object.members {
                let key = ExtensionValues.isMark(member.key) ? String(member.key.dropFirst()) : member.key
                result[key] = try read(member.value, below: limit)
            }
            return .object(result)
        default: return value
        }
    }

    private mutating func entry(_ mark: Value, below limit: Int) throws(BridgeError) -> Value {
        guard let number = mark.integerValue, let index = Int(exactly: number), 0..<limit ~= index else {
            throw Self.malformed("a mark does not refer to an earlier entry")
        }
        let entry = entries[index]
        let kind = entry["k"].stringValue
        if kind == "bytes" || kind == "map" || kind == "set", !taken.insert(index).inserted {
            throw Self.malformed("entry \(index) has two marks")
        }
        switch kind {
        case "bytes": return .bytes(try bytes(of: entry, index))
        case "date":
            if entry["v"] == .null { return .date(.invalid) }
            guard let milliseconds = entry["v"].doubleValue else { break }
            return .date(Date(javaScriptMilliseconds: milliseconds))
        case "bigint":
            guard let digits = entry["v"].stringValue, digits.isWholeNumber else { break }
            return .bigInteger(digits: digits)
        case "undefined": return .undefined
        case "number":
            switch entry["v"].stringValue {
            case "NaN": return .double(.nan)
            case "Infinity": return .double(.infinity)
            case "-Infinity": return .double(-.infinity)
            case "-0": return .double(-0.0)
            default: break
            }
        case "set":
            guard let elements = try list(of: entry, below: index) else { break }
            return .array(elements)
        case "map":
            guard let pairs = try list(of: entry, below: index) else { break }
            return try Self.map(pairs)
        default: throw Self.malformed("entry \(index) has the unknown kind \(kind ?? "none")")
        }
        throw Self.malformed("entry \(index) of kind \(kind ?? "none") is malformed")
    }

    private func result(_ mark: Value) throws(BridgeError) -> Value {
        if let path = mark.arrayValue, let id = path.first?.stringValue {
            if let result = results[ByteEqualString(id)] { return try result.member(at: path.dropFirst()) }
            let steps = Array(path.dropFirst())
            let awaited = awaited.first { $0.target.record.id == id && $0.target.record.path == steps }
            if let awaited { return .reference(awaited) }
        }
        throw Self.malformed("a mark refers to a result that the message does not name")
    }

    private func reference(_ mark: Value) throws(BridgeError) -> Value {
        guard let id = mark.stringValue, let reference = references[id] else {
            throw Self.malformed("a mark refers to a reference that the message does not name")
        }
        return .reference(reference)
    }

    private func bytes(of entry: Value, _ index: Int) throws(BridgeError) -> Data {
        var data = Data()
        for chunk in entry["c"].arrayValue ?? [] {
            guard let text = chunk.stringValue, let part = Data(base64Encoded: text) else {
                throw Self.malformed("entry \(index) is not base64")
            }
            data.append(part)
        }
        guard entry["n"].integerValue == Int64(data.count) else {
            throw Self.malformed("entry \(index) has \(data.count) bytes, which is not its declared length")
        }
        return data
    }

    private mutating func list(of entry: Value, below index: Int) throws(BridgeError) -> [Value]? {
        guard case .array(let elements) = try read(entry["v"], below: index),
            entry["n"].integerValue == Int64(elements.count)
        else { return nil }
        return elements
    }

    // Value has no maps: with string keys a map becomes an object, otherwise an array of pairs.
    private static func map(_ pairs: [Value]) throws(BridgeError) -> Value {
        var object = ValueObject()
        var hasOnlyTexts = true
        for pair in pairs {
            guard let members = pair.arrayValue, members.count == 2 else {
                throw malformed("a map entry is not a pair")
            }
            if let key = members[0].stringValue { object[key] = members[1] } else { hasOnlyTexts = false }
        }
        return hasOnlyTexts ? .object(object) : .array(pairs)
    }

    private static func malformed(_ reason: String) -> BridgeError {
        BridgeError(.decodeFailed, "The extension values of a payload are malformed: \(reason).")
    }
}

extension String {
    /// A Boolean value that indicates whether the string has the form of a `BigInt`.
    fileprivate var isWholeNumber: Bool {
        let digits = utf8.first == 0x2D ? utf8.dropFirst() : utf8[...]
        return !digits.isEmpty && digits.allSatisfy { 0x30...0x39 ~= $0 }
    }
}
