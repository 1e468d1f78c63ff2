internal import BridgeValues
internal import CJavaScriptCore

extension JSValue {
    /// Reads the value as a Swift type.
    ///
    /// An object is asked for each member that the type wants once, in the order in which it wants them; other
    /// members are not touched. What a plain `Codable` type wants is learned at the first time and quicker from
    /// then on; a ``JSShaped`` type is read without the steps of `Codable`.
    ///
    /// - Throws: `BridgeError` with the code `decodeFailed` that names the member that does not fit, or
    ///   ``JSException`` for what a getter throws.
    @inlinable
    public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self) throws -> Decoded {
        try context.decode(type, encoded)
    }

    /// Makes a value of a context of a Swift value: a plain value, a list or a new object.
    ///
    /// - Throws: `BridgeError` with the code `limitExceeded` where the value is larger than the limits allow,
    ///   or what its `encode(to:)` throws.
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
        if codec.isLeaf { return try codec.encodeLeaf(memory) }
        let text = try writing { try codec.encode(memory, into: $0) }
        return EncodedValue(try call(script.build, [text.ref]))
    }
}
