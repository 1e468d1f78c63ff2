internal import BridgeValues

/// The unkeyed container of an array in a JSON text.
///
/// It has three words, so that creating one allocates nothing.
struct JSONUnkeyedReader: UnkeyedDecodingContainer {
    private let document: JSONDocument
    private let array: UInt32
    private var next: UInt32
    private let end: UInt32
    private var position: UInt32 = 0

    init(document: JSONDocument, array: UInt32) {
        self.document = document
        self.array = array
        next = array + 1
        end = document.tokens[Int(array)].next
    }

    var codingPath: [any CodingKey] { document.path(to: array) }
    var count: Int? { Int(document.tokens[Int(array)].count) }
    var currentIndex: Int { Int(position) }
    var isAtEnd: Bool { next >= end }

    @inline(__always)
    private func current() throws -> UInt32 {
        guard next < end else {
            throw DecodingError.valueNotFound(
                Any.self,
                .init(
                    codingPath: codingPath + [IndexKey(currentIndex)],
                    debugDescription: "the array has no more elements"
                )
            )
        }
        return next
    }

    @inline(__always)
    private mutating func advance() {
        next = document.tokens[Int(next)].next
        position += 1
    }

    private mutating func decoder() throws -> JSONTokenDecoder {
        let index = try current()
        return JSONTokenDecoder(document: document, index: index, place: index)
    }

    mutating func decodeNil() throws -> Bool {
        guard document.isNil(try current()) else { return false }
        advance()
        return true
    }

    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        let result = try decoder().container(keyedBy: type)
        advance()
        return result
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let result = try decoder().unkeyedContainer()
        advance()
        return result
    }

    mutating func superDecoder() throws -> any Decoder {
        let result = try decoder()
        advance()
        return result
    }

    mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        let index = try current()
        let result = try document.decode(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool {
        let index = try current()
        let result = try document.bool(at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: String.Type) throws -> String {
        let index = try current()
        let result = try document.string(at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        let index = try current()
        let result = try document.double(at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        let index = try current()
        let result = try document.float(at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Int.Type) throws -> Int {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: UInt.Type) throws -> UInt {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        let index = try current()
        let result = try document.integer(type, at: index, index)
        advance()
        return result
    }
}
