internal import BridgeValues

/// The keyed container of an object in a JSON text.
struct JSONKeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: JSONDocument
    let object: UInt32

    var codingPath: [any CodingKey] { document.path(to: object) }
    var allKeys: [Key] { document.keys(of: object).compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { document.member(key.stringValue, of: object) != nil }
    func decodeNil(forKey key: Key) -> Bool { present(key) == nil }

    @inline(__always)
    private func value(_ key: Key) throws -> UInt32 {
        guard let index = document.member(key.stringValue, of: object) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: ""))
        }
        return index
    }

    /// Returns the member, unless it is `null` or missing.
    @inline(__always)
    private func present(_ key: Key) -> UInt32? {
        guard let index = document.member(key.stringValue, of: object), !document.isNil(index) else {
            return nil
        }
        return index
    }

    private func decoder(_ key: Key) throws -> JSONTokenDecoder {
        let index = try value(key)
        return JSONTokenDecoder(document: document, index: index, place: index)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let index = document.member("super", of: object) else {
            return JSONTokenDecoder(document: document, index: document.missing, place: object)
        }
        return JSONTokenDecoder(document: document, index: index, place: index)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

// MARK: - Types

// One key lookup for each; the default implementations of `decodeIfPresent` do three.
extension JSONKeyedReader {
    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
        let index = try value(key)
        return try document.decode(type, at: index, index)
    }
    func decodeIfPresent<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded? {
        guard let index = present(key) else { return nil }
        return try document.decode(type, at: index, index)
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let index = try value(key)
        return try document.bool(at: index, index)
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let index = present(key) else { return nil }
        return try document.bool(at: index, index)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let index = try value(key)
        return try document.string(at: index, index)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let index = present(key) else { return nil }
        return try document.string(at: index, index)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        let index = try value(key)
        return try document.double(at: index, index)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let index = present(key) else { return nil }
        return try document.double(at: index, index)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        let index = try value(key)
        return try document.float(at: index, index)
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let index = present(key) else { return nil }
        return try document.float(at: index, index)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        let index = try value(key)
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        guard let index = present(key) else { return nil }
        return try document.integer(type, at: index, index)
    }
}
