internal import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Creates a function that scripts can call and that runs a Swift closure with parameters of Swift types.
    ///
    /// ```swift
    /// let add = try context.makeFunction("add") { (left: Int, right: Int) in left + right }
    /// ```
    ///
    /// The closure runs inside the caller's turn, on its thread. Arguments are decoded by the parameters' types:
    /// numbers, strings and booleans directly, `Codable` and ``JSShaped`` types from objects, and nil from `null`,
    /// `undefined` and missing arguments. An argument that does not fit throws an `Error` with the code `decodeFailed`
    /// into the script, which names the argument. An error of the closure is thrown into the script as described for
    /// ``makeFunction(named:parameterCount:fileID:line:_:)``. Further arguments are ignored.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - fileID: The file that traces show for the function; by default the caller's.
    ///   - line: The line that traces show for the function; by default the caller's.
    ///   - body: The closure. It must not retain this context.
    /// - Returns: The function, which is a real function for scripts.
    /// - Throws: ``JSException`` if the turn was terminated.
    @inlinable
    public func makeFunction<each Parameter: Decodable, Result: Encodable>(
        _ name: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping (repeat each Parameter) throws -> Result
    ) throws -> JSFunction {
        let signature = Signature(
            JSFunction.types(repeat (each Parameter).self),
            result: Result.self,
            in: self
        )
        return try makeTyped(name, signature, fileID, line) { arguments in
            var reader = ArgumentReader(arguments, signature)
            return try reader.answer(body(repeat reader.next((each Parameter).self)))
        }
    }

    /// Creates a function that scripts can call and that runs a Swift closure with one parameter of a Swift type.
    ///
    /// It works like ``makeFunction(_:fileID:line:_:)`` for any number of parameters, and is faster.
    @inlinable
    public func makeFunction<Parameter: Decodable, Result: Encodable>(
        _ name: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping (Parameter) throws -> Result
    ) throws -> JSFunction {
        let signature = Signature([Parameter.self], result: Result.self, in: self)
        return try makeTyped(name, signature, fileID, line) { arguments in
            var reader = ArgumentReader(arguments, signature)
            return try reader.answer(body(reader.next(Parameter.self)))
        }
    }

    /// Creates a function that scripts can call and that runs a Swift closure with two parameters of Swift types.
    ///
    /// It works like ``makeFunction(_:fileID:line:_:)`` for any number of parameters, and is faster.
    @inlinable
    public func makeFunction<First: Decodable, Second: Decodable, Result: Encodable>(
        _ name: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping (First, Second) throws -> Result
    ) throws -> JSFunction {
        let signature = Signature([First.self, Second.self], result: Result.self, in: self)
        return try makeTyped(name, signature, fileID, line) { arguments in
            var reader = ArgumentReader(arguments, signature)
            return try reader.answer(body(reader.next(First.self), reader.next(Second.self)))
        }
    }

    /// Creates a function that scripts can call and that runs a Swift closure without a result.
    ///
    /// It works like ``makeFunction(_:fileID:line:_:)`` with a result; scripts get `undefined`.
    @inlinable
    public func makeFunction<each Parameter: Decodable>(
        _ name: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping (repeat each Parameter) throws -> Void
    ) throws -> JSFunction {
        let signature = Signature(JSFunction.types(repeat (each Parameter).self), result: nil, in: self)
        return try makeTyped(name, signature, fileID, line) { arguments in
            var reader = ArgumentReader(arguments, signature)
            try body(repeat reader.next((each Parameter).self))
            return reader.nothing
        }
    }

    /// Creates a function that scripts can call and that runs a Swift closure with one parameter and no result.
    ///
    /// It works like ``makeFunction(_:fileID:line:_:)`` for any number of parameters, and is faster.
    @inlinable
    public func makeFunction<Parameter: Decodable>(
        _ name: String,
        fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping (Parameter) throws -> Void
    ) throws -> JSFunction {
        let signature = Signature([Parameter.self], result: nil, in: self)
        return try makeTyped(name, signature, fileID, line) { arguments in
            var reader = ArgumentReader(arguments, signature)
            try body(reader.next(Parameter.self))
            return reader.nothing
        }
    }

    @usableFromInline
    func makeTyped(
        _ name: String,
        _ signature: Signature,
        _ fileID: String,
        _ line: Int,
        _ body: @escaping (CallArguments) throws -> EncodedValue
    ) throws -> JSFunction {
        noteHostFunction(name, fileID: fileID, line: line)
        return try withTurn {
            try signature.object?.prepare()
            return try withReferences(
                5,
                making: { index in
                    switch index {
                    case 0: HostFunction.makeBox(named: name, in: self, body)
                    case 1: makeString(name)
                    case 2: JSValueMakeNumber(ref, Double(signature.parameters.count))
                    case 3: signature.object?.slot ?? JSValueMakeNull(ref)
                    default: JSValueMakeBoolean(ref, signature.isBuilt)
                    }
                },
                { try JSFunction(JSValue(try call(script.makeTyped, $0), in: self)) }
            )
        }
    }
}

/// The types of a typed function.
@usableFromInline
final class Signature {
    @usableFromInline let parameters: [Codec]
    @usableFromInline let result: Codec?
    /// The codec of the only parameter if it is an object; then the wrapper passes the object's members.
    let object: ObjectCodec?
    /// A Boolean value that indicates whether results are written to the slab, from which the wrapper builds them.
    @usableFromInline let isBuilt: Bool

    @usableFromInline
    init(_ parameters: [Any.Type], result: Any.Type?, in context: JSContext) {
        self.parameters = parameters.map { context.codecs.codec(for: $0) }
        self.result = result.map { context.codecs.codec(for: $0) }
        object = parameters.count == 1 ? self.parameters[0] as? ObjectCodec : nil
        isBuilt = self.result.map { !$0.isScalar } ?? false
    }
}

/// A reader of a call's arguments, in order, which also encodes the result.
@usableFromInline
struct ArgumentReader {
    @usableFromInline let arguments: CallArguments
    // The closure that creates the reader retains it.
    @usableFromInline unowned(unsafe) let signature: Signature
    @usableFromInline var index = 0

    @inlinable @inline(__always)
    init(_ arguments: CallArguments, _ signature: Signature) {
        self.arguments = arguments
        self.signature = signature
    }

    /// Reads the next argument.
    @inlinable @inline(__always)
    mutating func next<Parameter>(_ type: Parameter.Type) throws -> Parameter {
        defer { index += 1 }
        let scalars = arguments.scalars
        if Parameter.self == Double.self, let number = scalars.number(of: arguments[index]) {
            return unsafeBitCast(number, to: Parameter.self)
        }
        if Parameter.self == Int.self, let whole = scalars.wholeNumber(of: arguments[index]) {
            return unsafeBitCast(whole, to: Parameter.self)
        }
        if Parameter.self == Bool.self, let flag = scalars.bool(of: arguments[index]) {
            return unsafeBitCast(flag, to: Parameter.self)
        }
        if Parameter.self == String.self, let text = scalars.string(of: arguments[index]) {
            return unsafeBitCast(text, to: Parameter.self)
        }
        return try read(type)
    }

    // Never inlined: every call would reserve its stack space.
    @inlinable @inline(never)
    func read<Parameter>(_ type: Parameter.Type) throws -> Parameter {
        try withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Parameter>.size,
            alignment: MemoryLayout<Parameter>.alignment
        ) { memory in
            guard let start = memory.baseAddress else { preconditionFailure("no memory on the stack") }
            try fill(start)
            return start.assumingMemoryBound(to: Parameter.self).move()
        }
    }

    @usableFromInline
    func fill(_ memory: UnsafeMutableRawPointer) throws {
        do {
            if let object = signature.object {
                try object.receive(arguments, into: memory)
            } else {
                try signature.parameters[index].decode(arguments[index], into: memory)
            }
        } catch let error as DecodingError {
            throw signature.parameters.count == 1
                ? BridgeError(decoding: error) : BridgeError(decoding: error, ofArgument: index)
        }
    }

    /// Encodes the result.
    @inlinable @inline(__always)
    func answer<Result>(_ result: Result) throws -> EncodedValue {
        let scalars = arguments.scalars
        if Result.self == Double.self { return scalars.encode(unsafeBitCast(result, to: Double.self)) }
        if Result.self == Bool.self { return scalars.encode(unsafeBitCast(result, to: Bool.self)) }
        return try answerByCodec(result)
    }

    @inlinable
    func answerByCodec<Result>(_ result: Result) throws -> EncodedValue {
        try withUnsafePointer(to: result) { try encode(UnsafeRawPointer($0)) }
    }

    @usableFromInline
    func encode(_ memory: UnsafeRawPointer) throws -> EncodedValue {
        guard let codec = signature.result else { return nothing }
        if codec.isScalar { return try codec.encodeScalar(memory) }
        return try arguments.unmanaged._withUnsafeGuaranteedRef { context in
            try context.writing { try codec.encode(memory, into: $0) }
        }
    }

    @usableFromInline var nothing: EncodedValue { arguments.scalars.undefined }
}
