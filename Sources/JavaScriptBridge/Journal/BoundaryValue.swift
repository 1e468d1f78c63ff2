package import Foundation

/// A value other than data at the boundary of the data API: a journal writes it as an object with the key `@`.
///
/// ```text
/// {"@":["host",3]}                   an object of Swift, by number
/// {"@":["function",4]}               a function of Swift, by a number of the same row; it is called as "#4"
/// {"@":["script",1]}                 a function of the script, by number
/// {"@":["float64",{"$":"bytes",..}]} a typed array
/// {"@":["thrown",2]}                 what the script threw when it was called back for the second time
/// {"@":["object",{"@":1}]}           an object with that key of its own
/// ```
package enum BoundaryValue {
    /// A Swift object.
    case host(Int)
    /// A Swift function.
    case function(Int)
    /// A script's function.
    case script(Int)
    /// The exception of a script's function.
    case thrown(Int)
    /// A typed array.
    case array(JSTypedArray.Kind, Data)

    private static let key = "@"

    /// Creates the mark of a typed array; `nil` for another value.
    package init?(typedArray value: JSValue) {
        guard value.isObject, let array = try? JSTypedArray(value), let bytes = try? array.toData() else {
            return nil
        }
        self = .array(array.kind, bytes)
    }

    /// The mark as a journal writes it.
    package var value: Value {
        switch self {
        case .host(let number): Self.marked("host", .integer(Int64(number)))
        case .function(let number): Self.marked("function", .integer(Int64(number)))
        case .script(let number): Self.marked("script", .integer(Int64(number)))
        case .thrown(let number): Self.marked("thrown", .integer(Int64(number)))
        case .array(let kind, let bytes): Self.marked("\(kind)", .bytes(bytes))
        }
    }

    /// Creates the mark that a value of a journal encodes; `nil` for data.
    package init?(_ value: Value) {
        guard case .object(let object) = value, object.count == 1, let parts = object[Self.key]?.arrayValue,
            parts.count == 2, let kind = parts[0].stringValue
        else { return nil }
        if let kind = JSTypedArray.Kind.allCases.first(where: { "\($0)" == kind }) {
            guard case .bytes(let bytes) = parts[1] else { return nil }
            self = .array(kind, bytes)
            return
        }
        guard let number = parts[1].integerValue.flatMap(Int.init(exactly:)), number > 0 else { return nil }
        switch kind {
        case "host": self = .host(number)
        case "function": self = .function(number)
        case "script": self = .script(number)
        case "thrown": self = .thrown(number)
        default: return nil
        }
    }

    /// Returns data in the form that cannot be mistaken for a mark.
    package static func escaped(_ data: Value) -> Value {
        guard hasKey(data) else { return data }
        switch data {
        case .array(let elements): return .array(elements.map(escaped))
        case .object(let object):
            let members = Value.object(ValueObject(object.members.map { ($0.key, escaped($0.value)) }))
            return object[key] == nil ? members : marked("object", members)
        default: return data
        }
    }

    /// Returns the properties of an escaped object that has the key itself; `nil` for anything else.
    package static func members(_ value: Value) -> ValueObject? {
        guard case .object(let object) = value, object.count == 1, let parts = object[key]?.arrayValue,
            parts.count == 2, parts[0] == "object", case .object(let members) = parts[1]
        else { return nil }
        return members
    }

    private static func hasKey(_ data: Value) -> Bool {
        switch data {
        case .array(let elements): elements.contains(where: hasKey)
        case .object(let object): object[key] != nil || object.members.contains { hasKey($0.value) }
        default: false
        }
    }

    private static func marked(_ kind: String, _ value: Value) -> Value {
        .object([key: .array([.string(kind), value])])
    }
}
