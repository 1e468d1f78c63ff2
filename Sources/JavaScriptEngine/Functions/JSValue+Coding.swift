internal import BridgeValues
internal import CJavaScriptCore

extension JSValue {
    /// Decodes the value as a Swift type.
    ///
    /// Each property that the type requests is read from the object once, in the order of the requests; other
    /// properties are not read. The requests of a plain `Codable` type are learned at the first value, which makes
    /// later ones faster. A ``JSShaped`` type is read without the steps of `Codable`.
    ///
    /// - Throws: `BridgeError` with the code `decodeFailed`, which names the property that does not fit, or
    ///   ``JSException`` for an error that a getter throws.
    @inlinable
    public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self) throws -> Decoded {
        try context.decode(type, encoded)
    }

    /// Creates a value of a context from a Swift value: a primitive value, an array or a new object.
    ///
    /// - Throws: `BridgeError` with the code `limitExceeded` if the value is larger than the limits allow, or an error
    ///   of its `encode(to:)`.
    @inlinable
    public convenience init(encoding value: some Encodable, in context: JSContext) throws {
        try self.init(encoded: context.encode(value), in: context)
    }

    @usableFromInline var encoded: EncodedValue { EncodedValue(ref) }

    @usableFromInline
    convenience init(encoded: EncodedValue, in context: JSContext) { self.init(encoded.ref, in: context) }
}

extension JSContext {
    @inlinable
    func decode<Decoded>(_ type: Decoded.Type, _ value: EncodedValue) throws -> Decoded {
        let codec = codecs.codec(for: type)
        return try withTurn { try decoding { try readByCodec(type, value, codec) } }
    }

    @inlinable
    func encode<Subject>(_ value: Subject) throws -> EncodedValue {
        let codec = codecs.codec(for: Subject.self)
        return try withTurn { try withUnsafePointer(to: value) { try encode(UnsafeRawPointer($0), codec) } }
    }

    @usableFromInline
    func encode(_ memory: UnsafeRawPointer, _ codec: Codec) throws -> EncodedValue {
        if codec.isScalar { return try codec.encodeScalar(memory) }
        let text = try writing { try codec.encode(memory, into: $0) }
        return EncodedValue(try call(script.build, [text.ref]))
    }
}
