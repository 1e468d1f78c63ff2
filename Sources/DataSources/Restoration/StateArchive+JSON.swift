public import Foundation
internal import Stores

extension StateArchive {
    /// The maximum size in bytes, more than any view needs, so that a supplied archive cannot exhaust memory.
    public static let largestSize = 1 << 20

    /// Returns the archive as JSON, usually less than 4 KiB.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Creates an archive from JSON.
    ///
    /// - Throws: ``StateArchiveError``. Nothing of the archive is used then.
    public init(json: Data) throws(StateArchiveError) {
        guard json.count <= Self.largestSize else {
            throw .tooLarge(bytes: json.count, limit: Self.largestSize)
        }
        let decoder = JSONDecoder()
        do {
            let version = try decoder.decode(Version.self, from: json).version
            guard version == Self.formatVersion else {
                throw StateArchiveError.unknownVersion(found: version, known: Self.formatVersion)
            }
            self = try decoder.decode(Self.self, from: json)
        } catch let error as StateArchiveError {
            throw error
        } catch let error as DecodingError {
            throw .unreadable(error.sentence)
        } catch {
            throw .unreadable("it is not JSON")
        }
    }

    private struct Version: Decodable {
        let version: Int
    }
}

extension StateArchive: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, schema, request, time, anchor, fallbacks, section, sortedBy, sortKey, proportion
        case selected, allExcept, focus, expanded, values
    }

    /// Decodes an archive of the present format version.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func optional<Element: Decodable>(_ key: CodingKeys, _ type: Element.Type) throws -> Element? {
            try container.decodeIfPresent(type, forKey: key)
        }
        schema = try container.decode(String.self, forKey: .schema)
        request = try container.decode(String.self, forKey: .request)
        time = try optional(.time, Double.self) ?? 0
        anchor = try optional(.anchor, Anchor.self)
        fallbacks = try optional(.fallbacks, [Anchor].self) ?? []
        section = try optional(.section, [ArchivedValue].self)?.map(\.value)
        sortedBy = try optional(.sortedBy, [String].self) ?? []
        sortKey = try optional(.sortKey, [ArchivedValue].self)?.map(\.value) ?? []
        proportion = try optional(.proportion, Double.self) ?? 0
        if let ids = try optional(.allExcept, [String].self) {
            selection = .allExcept(ids)
        } else {
            selection = .ids(try optional(.selected, [String].self) ?? [])
        }
        focus = try optional(.focus, String.self)
        expanded = try optional(.expanded, [String].self) ?? []
        values = try optional(.values, [String: ArchivedValue].self)?.mapValues(\.value) ?? [:]
    }

    /// Encodes the parts that are not empty.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.formatVersion, forKey: .version)
        try container.encode(schema, forKey: .schema)
        try container.encode(request, forKey: .request)
        try container.encode(time, forKey: .time)
        try container.encodeIfPresent(anchor, forKey: .anchor)
        if !fallbacks.isEmpty { try container.encode(fallbacks, forKey: .fallbacks) }
        try container.encodeIfPresent(section?.map(ArchivedValue.init), forKey: .section)
        if !sortKey.isEmpty {
            try container.encode(sortedBy, forKey: .sortedBy)
            try container.encode(sortKey.map(ArchivedValue.init), forKey: .sortKey)
        }
        try container.encode(proportion, forKey: .proportion)
        switch selection {
        case .ids(let ids): if !ids.isEmpty { try container.encode(ids, forKey: .selected) }
        case .allExcept(let ids): try container.encode(ids, forKey: .allExcept)
        }
        try container.encodeIfPresent(focus, forKey: .focus)
        if !expanded.isEmpty { try container.encode(expanded, forKey: .expanded) }
        if !values.isEmpty { try container.encode(values.mapValues(ArchivedValue.init), forKey: .values) }
    }
}

/// An attribute's value in JSON, as a JSON value or with its kind where JSON has none.
///
/// A date is `{"date": 1.5}`. Numbers that JSON lacks, and integers that a script's numbers cannot represent, are
/// strings there, as in `{"double": "inf"}` and `{"integer": "9007199254740993"}`.
private struct ArchivedValue: Codable {
    let value: AttributeValue

    init(_ value: AttributeValue) { self.value = value }

    private enum CodingKeys: String, CodingKey {
        case date, data, double, integer
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let flag = try? container.decode(Bool.self) {
            value = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            value = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            value = .double(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            if members.contains(.date) {
                let seconds = try Self.number(members, .date)
                // Foundation's description of a date that is NaN traps; an infinite one has an order, too.
                value = .date(Date(timeIntervalSince1970: seconds.isNaN ? .infinity : seconds))
            } else if members.contains(.double) {
                value = .double(try Self.number(members, .double))
            } else if members.contains(.integer) {
                let text = try members.decode(String.self, forKey: .integer)
                guard let number = Int64(text) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .integer,
                        in: members,
                        debugDescription: "not a 64-bit integer"
                    )
                }
                value = .integer(number)
            } else {
                value = .data(try members.decode(Data.self, forKey: .data))
            }
        }
    }

    private static func number(
        _ members: KeyedDecodingContainer<CodingKeys>,
        _ kind: CodingKeys
    ) throws -> Double {
        if let number = try? members.decode(Double.self, forKey: kind) { return number }
        guard let number = Double(try members.decode(String.self, forKey: kind)) else {
            throw DecodingError.dataCorruptedError(
                forKey: kind,
                in: members,
                debugDescription: "not a number"
            )
        }
        return number
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        // A whole double would be decoded as an integer.
        case .double(let number) where number.rounded() == number && number.isFinite:
            try encode(number, as: .double, to: encoder)
        case .double(let number) where !number.isFinite: try encode("\(number)", as: .double, to: encoder)
        case .integer(let number) where number.magnitude > 1 << 53 - 1:
            try encode("\(number)", as: .integer, to: encoder)
        case .date(let date) where !date.timeIntervalSince1970.isFinite:
            try encode("\(date.timeIntervalSince1970)", as: .date, to: encoder)
        case .date(let date): try encode(date.timeIntervalSince1970, as: .date, to: encoder)
        case .data(let bytes): try encode(bytes, as: .data, to: encoder)
        default:
            var container = encoder.singleValueContainer()
            switch value {
            case .boolean(let flag): try container.encode(flag)
            case .integer(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            case .double(let number): try container.encode(number)
            default: try container.encodeNil()
            }
        }
    }

    private func encode(_ value: some Encodable, as kind: CodingKeys, to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(value, forKey: kind)
    }
}

extension DecodingError {
    /// A sentence with the path of the error and its description.
    fileprivate var sentence: String {
        let (context, missing): (Context, String?) =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context, nil)
            case .keyNotFound(let key, let context): (context, key.stringValue)
            @unknown default: (Context(codingPath: [], debugDescription: "\(self)"), nil)
            }
        let path = (context.codingPath.map(\.stringValue) + (missing.map { [$0] } ?? [])).joined(
            separator: "."
        )
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
