internal import BridgeValues

/// The decoder of one value of a JSON text.
///
/// It has at most three words, so that creating one allocates nothing.
struct JSONTokenDecoder: Decoder {
    let document: JSONDocument
    /// The value's token.
    let index: UInt32
    /// The token whose path errors report: the value itself, or the object that has no member for `super`.
    let place: UInt32

    var codingPath: [any CodingKey] { document.path(to: place) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard document.tokens[Int(index)].kind == .object else {
            throw document.mismatch("an object", at: place, index)
        }
        return KeyedDecodingContainer(JSONKeyedReader(document: document, object: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard document.tokens[Int(index)].kind == .array else {
            throw document.mismatch("an array", at: place, index)
        }
        return JSONUnkeyedReader(document: document, array: index)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONTokenDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.isNil(index) }
    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        try document.decode(type, at: index, place)
    }
    func decode(_ type: Bool.Type) throws -> Bool { try document.bool(at: index, place) }
    func decode(_ type: String.Type) throws -> String { try document.string(at: index, place) }
    func decode(_ type: Double.Type) throws -> Double { try document.double(at: index, place) }
    func decode(_ type: Float.Type) throws -> Float { try document.float(at: index, place) }
    func decode(_ type: Int.Type) throws -> Int { try document.integer(type, at: index, place) }
    func decode(_ type: Int8.Type) throws -> Int8 { try document.integer(type, at: index, place) }
    func decode(_ type: Int16.Type) throws -> Int16 { try document.integer(type, at: index, place) }
    func decode(_ type: Int32.Type) throws -> Int32 { try document.integer(type, at: index, place) }
    func decode(_ type: Int64.Type) throws -> Int64 { try document.integer(type, at: index, place) }
    func decode(_ type: Int128.Type) throws -> Int128 { try document.integer(type, at: index, place) }
    func decode(_ type: UInt.Type) throws -> UInt { try document.integer(type, at: index, place) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try document.integer(type, at: index, place) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try document.integer(type, at: index, place) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try document.integer(type, at: index, place) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try document.integer(type, at: index, place) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.integer(type, at: index, place) }
}
