internal import Foundation

/// Coding in the formats of other coders: JSON's kinds are kept, and the rest is converted.
///
/// A date is an ISO 8601 string to the millisecond (an invalid one is `null`, as in JSON), bytes are base64,
/// `undefined` is `null`.
extension Value: Codable {
    /// Decodes any value of a self-describing format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? container.decode([Value].self) {
            self = .array(elements)
        } else {
            self = .object(try ValueObject(from: decoder))
        }
    }

    /// Encodes the value.
    ///
    /// - Throws: `EncodingError` beyond a nesting depth of 512 levels, because encoders use the native stack.
    public func encode(to encoder: any Encoder) throws {
        let maximum = BridgeLimits().maximumDepth
        guard encoder.codingPath.count <= maximum else {
            throw EncodingError.invalidValue(
                self.kind,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: BridgeError.tooDeep("value", limit: maximum).message
                )
            )
        }
        if case .object(let object) = self { return try object.encode(to: encoder) }
        var container = encoder.singleValueContainer()
        switch self {
        case .undefined, .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .bigInt(let digits): try container.encode(digits)
        case .string(let text): try container.encode(text)
        case .illFormedString(let units): try container.encode(String(decoding: units, as: UTF16.self))
        case .date(let date):
            if let text = JSONDate(date).text {
                try container.encode(text)
            } else {
                try container.encodeNil()
            }
        case .bytes(let data): try container.encode(data.base64EncodedString())
        case .array(let elements): try container.encode(elements)
        case .object: break
        case .reference: throw BridgeError(.unsupported, Self.noReference)
        }
    }

    /// The error message where a reference cannot cross.
    package static let noReference =
        "A reference cannot cross here: the other side does not support references, or this is not a message."
}

extension ValueObject: Codable {
    private struct MemberKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    /// Decodes the members, in the order of the format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberKey.self)
        self.init()
        for key in container.allKeys { self[key.stringValue] = try container.decode(Value.self, forKey: key) }
    }

    /// Encodes the members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        for member in members {
            try container.encode(member.value, forKey: MemberKey(stringValue: member.key))
        }
    }
}
