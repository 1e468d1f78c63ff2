internal import JavaScriptEngine

extension Reference {
    /// Decodes a reference to which a message refers, as one of the objects that a type can represent.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the value.
    ///   - type: The type that is decoded, for the error.
    ///   - noun: The object, as in "a function", for the error.
    ///   - make: A closure that returns `nil` for a reference to another kind of object.
    /// - Returns: The result of the closure.
    /// - Throws: `DecodingError` for any other value.
    static func decode<Result>(
        from decoder: any Decoder,
        as type: Any.Type,
        called noun: String,
        _ make: (Reference) -> Result?
    ) throws -> Result {
        let value = try decoder.singleValueContainer().decode(Value.self)
        if case .reference(let reference) = value, let result = make(reference) { return result }
        throw mismatch(
            of: type,
            called: noun,
            found: "a value of the kind \(value.kind)",
            at: decoder.codingPath
        )
    }

    /// Creates the error for a script's value that is not an object of a type.
    static func mismatch(of type: Any.Type, called noun: String, found value: JSValue) -> DecodingError {
        mismatch(of: type, called: noun, found: "a value of the kind \(kind(of: value))", at: [])
    }

    /// Returns the kind of a value in the words of ``Value/kind``, without reading what is in it: that would run getters.
    private static func kind(of value: JSValue) -> String {
        if value.isUndefined { return "undefined" }
        if value.isNull { return "null" }
        if value.isBoolean { return "boolean" }
        if value.isNumber { return "number" }
        if value.isBigInt { return "bigint" }
        if value.isString { return "string" }
        if value.isSymbol { return "symbol" }
        if value.isFunction { return "function" }
        if value.isArray { return "array" }
        return value.isDate ? "Date" : "object"
    }

    private static func mismatch(
        of type: Any.Type,
        called noun: String,
        found: String,
        at path: [any CodingKey]
    ) -> DecodingError {
        .typeMismatch(type, .init(codingPath: path, debugDescription: "\(found) is not \(noun)"))
    }
}
