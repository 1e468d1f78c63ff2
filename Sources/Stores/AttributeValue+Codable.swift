internal import Foundation

extension AttributeValue: Codable {
    private enum Kind: String, CodingKey, CaseIterable {
        case null, boolean, integer, double, string, date, data
    }

    /// Encodes the value with the name of its kind as the key.
    ///
    /// Doubles and dates are encoded as strings, so that no value is lost.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .null: try container.encode(true, forKey: .null)
        case .boolean(let flag): try container.encode(flag, forKey: .boolean)
        case .integer(let number): try container.encode(number, forKey: .integer)
        case .double(let number): try container.encode(String(number), forKey: .double)
        case .string(let text): try container.encode(text, forKey: .string)
        case .date(let date): try container.encode(String(date.timeIntervalSince1970), forKey: .date)
        case .data(let bytes): try container.encode(bytes.base64EncodedString(), forKey: .data)
        }
    }

    /// Decodes a value that ``encode(to:)`` has encoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a value must have exactly one kind")
            )
        }
        switch kind {
        case .null: self = .null
        case .boolean: self = .boolean(try container.decode(Bool.self, forKey: kind))
        case .integer: self = .integer(try container.decode(Int64.self, forKey: kind))
        case .double: self = .double(try Self.number(container, kind))
        case .string: self = .string(try container.decode(String.self, forKey: kind))
        case .date:
            let seconds = try Self.number(container, kind)
            guard !seconds.isNaN else { throw Self.corrupted(container, kind) }
            self = .date(Date(timeIntervalSince1970: seconds))
        case .data:
            guard let bytes = Data(base64Encoded: try container.decode(String.self, forKey: kind)) else {
                throw Self.corrupted(container, kind)
            }
            self = .data(bytes)
        }
    }

    private static func number(_ container: KeyedDecodingContainer<Kind>, _ kind: Kind) throws -> Double {
        guard let number = Double(try container.decode(String.self, forKey: kind)) else {
            throw corrupted(container, kind)
        }
        return number
    }

    private static func corrupted(_ container: KeyedDecodingContainer<Kind>, _ kind: Kind) -> DecodingError {
        .dataCorruptedError(forKey: kind, in: container, debugDescription: "not a \(kind.rawValue)")
    }
}
