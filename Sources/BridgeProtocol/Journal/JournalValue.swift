internal import BridgeValues
internal import Foundation

/// A lossless coding of values as JSON: values that JSON lacks are objects with the key `$`.
///
/// ```text
/// undefined, NaN   {"$":"undefined"}  {"$":"double","v":"nan"}
/// a BigInt         {"$":"bigint","v":"9007199254740993"}
/// a Date, bytes    {"$":"date","v":1700000000000}  {"$":"bytes","v":"AQID"}
/// half a character {"$":"units","v":[55357]}
/// a reference      {"$":"reference","v":"function"}, which is read as `undefined`
/// an object with that key of its own   {"$":"object","v":{"$":1}}
/// ```
enum JournalValue {
    private static let mark = "$"

    static func encoded(_ value: Value) -> Value {
        switch value {
        case .undefined: .object([mark: "undefined"])
        case .null, .bool, .string: value
        case .integer(let number):
            number.magnitude <= UInt64(Value.maximumSafeInteger)
                ? value : marked("bigint", .string(String(number)))
        // JSON would decode it as another kind of number, or cannot represent it.
        case .double(let number):
            number.isFinite && number != number.rounded() ? value : marked("double", .string("\(number)"))
        case .bigInt(let digits): marked("bigint", .string(digits))
        case .illFormedString(let units): marked("units", .array(units.map { .integer(Int64($0)) }))
        case .date(let date): marked("date", encoded(.number(date.javaScriptMilliseconds ?? .nan)))
        case .bytes(let data): marked("bytes", .string(data.base64EncodedString()))
        case .reference(let reference): marked("reference", .string(reference.target.record.kind.rawValue))
        case .array(let elements): .array(elements.map(encoded))
        case .object(let object):
            object[mark] == nil ? .object(members(object)) : marked("object", .object(members(object)))
        }
    }

    /// Decodes a value.
    ///
    /// - Throws: `decodeFailed` for an unknown mark.
    static func decoded(_ value: Value) throws(BridgeError) -> Value {
        switch value {
        case .array(let elements):
            var result: [Value] = []
            result.reserveCapacity(elements.count)
            for element in elements { result.append(try decoded(element)) }
            return .array(result)
        case .object(let object):
            guard let kind = object[mark] else { return .object(try decodedMembers(object)) }
            return try read(kind, object["v"] ?? .undefined)
        default: return value
        }
    }

    private static func read(_ kind: Value, _ content: Value) throws(BridgeError) -> Value {
        switch (kind, content) {
        // The target of a reference does not exist in a replay.
        case ("undefined", _), ("reference", _): return .undefined
        case ("double", .string(let text)):
            if let number = Double(text) { return .double(number) }
        case ("bigint", .string(let digits)):
            let plain = digits.hasPrefix("-") ? digits.dropFirst() : digits[...]
            if !plain.isEmpty, plain.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                return .bigInteger(digits: digits)
            }
        case ("units", .array(let units)):
            let units = units.compactMap { $0.integerValue.flatMap(UInt16.init(exactly:)) }
            return .illFormedString(units)
        case ("date", _):
            if let time = try decoded(content).doubleValue {
                return .date(Date(javaScriptMilliseconds: time))
            }
        case ("bytes", .string(let text)):
            if let data = Data(base64Encoded: text) { return .bytes(data) }
        case ("object", .object(let object)): return .object(try decodedMembers(object))
        default: break
        }
        throw BridgeError(.decodeFailed, "A value marked \(kind.excerptForJournal) is malformed.")
    }

    private static func members(_ object: ValueObject) -> ValueObject {
        ValueObject(object.members.map { ($0.key, encoded($0.value)) })
    }

    private static func decodedMembers(_ object: ValueObject) throws(BridgeError) -> ValueObject {
        var result = ValueObject()
        for member in object.members { result[member.key] = try decoded(member.value) }
        return result
    }

    private static func marked(_ kind: String, _ value: Value) -> Value {
        .object([mark: .string(kind), "v": value])
    }
}

extension Value {
    /// The value on one line, cut if it is long.
    var excerptForJournal: String {
        let text = JSONLine.text([("v", JournalValue.encoded(self))], limits: Journal.lineLimits)
        return TrafficLine.cut(String(text.dropFirst(5).dropLast()), to: 200)
    }
}
