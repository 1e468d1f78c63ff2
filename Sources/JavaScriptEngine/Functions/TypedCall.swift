internal import BridgeValues
internal import CJavaScriptCore

/// A call of a script's function with arguments and a result of Swift types.
@usableFromInline
final class TypedCall {
    @usableFromInline let function: JSValue
    @usableFromInline let context: JSContext
    @usableFromInline let scalars: ScalarConverter
    /// The codecs of the parameters.
    @usableFromInline let parameters: [Codec]
    @usableFromInline let result: Codec?
    /// A Boolean value that indicates whether every argument is encoded without the slab.
    @usableFromInline let hasScalarsOnly: Bool
    private let object: ObjectCodec?
    private let this: JSValue?
    private var receiver: JSHandle?
    private var destination: UnsafeMutableRawPointer?

    @usableFromInline
    init(_ function: JSFunction, parameters: [Any.Type], result: Any.Type?) {
        self.function = function.value
        this = function.this
        context = function.value.context
        scalars = context.scalars
        let context = context
        self.parameters = parameters.map { context.codecs.codec(for: $0) }
        self.result = result.map { context.codecs.codec(for: $0) }
        hasScalarsOnly = self.parameters.allSatisfy(\.isScalar)
        object = self.result as? ObjectCodec
    }

    /// Calls the function and decodes its result.
    @inlinable
    func run<Result>(_ type: Result.Type, _ fill: (inout ArgumentWriter) throws -> Void) throws -> Result {
        guard let result else { preconditionFailure("the type of the result does not have a codec") }
        if hasScalarsOnly {
            var read: Result?
            try call(fill) { read = try self.context.read(type, $0, with: result) }
            guard let read else { preconditionFailure("a call without a result") }
            return read
        }
        return try withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Result>.size,
            alignment: MemoryLayout<Result>.alignment
        ) { memory in
            guard let start = memory.baseAddress else { preconditionFailure("no memory on the stack") }
            try callBuilt(fill, into: start)
            return start.assumingMemoryBound(to: Result.self).move()
        }
    }

    /// Calls the function.
    @inlinable
    func run(_ fill: (inout ArgumentWriter) throws -> Void) throws {
        if hasScalarsOnly { try call(fill) { _ in } } else { try callBuilt(fill, into: nil) }
    }

    /// Calls the function with arguments on the stack, where the collector finds them.
    @usableFromInline
    func call(_ fill: (inout ArgumentWriter) throws -> Void, _ read: (EncodedValue) throws -> Void) throws {
        try context.withTurn {
            try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(1, parameters.count)) { slots in
                slots.initialize(repeating: 0)
                guard let start = slots.baseAddress else { return }
                var writer = ArgumentWriter(call: self, slots: start)
                try fill(&writer)
                let arguments = UnsafeRawPointer(start).assumingMemoryBound(to: JSValueRef?.self)
                let value = try context.call(
                    function.ref,
                    this: this?.ref,
                    UnsafeBufferPointer(start: arguments, count: parameters.count)
                )
                try context.decoding { try read(EncodedValue(value)) }
            }
        }
    }

    /// Calls the function with arguments in the slab.
    ///
    /// The package's script builds them, and also reads a resulting object.
    @usableFromInline
    func callBuilt(_ fill: (inout ArgumentWriter) throws -> Void, into memory: UnsafeMutableRawPointer?)
        throws
    {
        try context.withTurn {
            let reads = try memory == nil ? nil : prepare()
            let text = try context.writing { slab in
                var writer = ArgumentWriter(call: self, slab: slab)
                try fill(&writer)
            }
            let outer = destination
            destination = memory
            defer { destination = outer }
            try context.decoding {
                let value = try context.callBuilt(
                    function.ref,
                    text: text,
                    count: parameters.count,
                    slot: reads?.slot,
                    receiver: reads.flatMap { _ in receiver?.ref },
                    this: this?.ref
                )
                if EncodedValue(value) == context.script.failed, reads != nil {
                    throw context.takePendingFailure()
                }
                guard reads == nil, let memory, let result else { return }
                try result.decode(EncodedValue(value), into: memory)
            }
        }
    }

    /// Creates the receiver of a resulting object, unless the result type is not an object.
    private func prepare() throws -> ObjectCodec? {
        guard let object else { return nil }
        try object.prepare()
        guard receiver == nil else { return object }
        let box = HostFunction.makeBox(countsAsNested: false, in: context) {
            [unowned(unsafe) self] arguments in
            // Only `callBuilt` passes it to a script, for the duration of the call.
            guard let destination = self.destination else { return .undefined }
            try object.receive(arguments, into: destination)
            return self.scalars.undefined
        }
        receiver = JSHandle(JSValue(box, in: context))
        return object
    }
}

/// A writer of a call's arguments, in order.
@usableFromInline
struct ArgumentWriter {
    @usableFromInline let call: TypedCall
    @usableFromInline let slots: UnsafeMutablePointer<UInt64>?
    let slab: SlabWriter?
    @usableFromInline var count = 0

    init(call: TypedCall, slots: UnsafeMutablePointer<UInt64>) {
        self.call = call
        self.slots = slots
        slab = nil
    }

    init(call: TypedCall, slab: SlabWriter) {
        self.call = call
        slots = nil
        self.slab = slab
    }

    /// Adds an argument.
    @inlinable @inline(__always)
    mutating func add<Argument>(_ argument: Argument) throws {
        defer { count += 1 }
        guard let slots else { return try addToSlab(argument) }
        if Argument.self == Double.self {
            slots[count] = call.scalars.encode(unsafeBitCast(argument, to: Double.self)).bits
        } else if Argument.self == Bool.self {
            slots[count] = call.scalars.encode(unsafeBitCast(argument, to: Bool.self)).bits
        } else {
            slots[count] = try leaf(argument)
        }
    }

    @inlinable
    func leaf<Argument>(_ argument: Argument) throws -> UInt64 {
        try withUnsafePointer(to: argument) { try leaf(at: UnsafeRawPointer($0)) }
    }

    @usableFromInline
    func leaf(at memory: UnsafeRawPointer) throws -> UInt64 {
        try call.parameters[count].encodeScalar(memory).bits
    }

    @inlinable
    func addToSlab<Argument>(_ argument: Argument) throws {
        try withUnsafePointer(to: argument) { try write(UnsafeRawPointer($0)) }
    }

    @usableFromInline
    func write(_ memory: UnsafeRawPointer) throws {
        guard let slab else { return }
        try call.parameters[count].encode(memory, into: slab)
    }
}

extension JSContext {
    /// Decodes a value as a type.
    @inlinable @inline(__always)
    func read<Result>(_ type: Result.Type, _ value: EncodedValue, with codec: Codec) throws -> Result {
        if Result.self == Double.self, let number = scalars.number(of: value) {
            return unsafeBitCast(number, to: Result.self)
        }
        if Result.self == Int.self, let whole = scalars.wholeNumber(of: value) {
            return unsafeBitCast(whole, to: Result.self)
        }
        if Result.self == Bool.self, let flag = scalars.bool(of: value) {
            return unsafeBitCast(flag, to: Result.self)
        }
        if Result.self == String.self, let text = scalars.string(of: value) {
            return unsafeBitCast(text, to: Result.self)
        }
        return try readByCodec(type, value, codec)
    }

    @inlinable
    func readByCodec<Result>(_ type: Result.Type, _ value: EncodedValue, _ codec: Codec) throws -> Result {
        try withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Result>.size,
            alignment: MemoryLayout<Result>.alignment
        ) { memory in
            guard let start = memory.baseAddress else { preconditionFailure("no memory on the stack") }
            try codec.decode(value, into: start)
            return start.assumingMemoryBound(to: Result.self).move()
        }
    }

    /// Runs a body that decodes, and adds the coding path to a decoding error.
    @usableFromInline
    func decoding<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DecodingError {
            throw BridgeError(decoding: error)
        }
    }

    func callBuilt(
        _ function: JSObjectRef,
        text: EncodedValue,
        count: Int,
        slot: JSObjectRef?,
        receiver: JSObjectRef?,
        this: JSObjectRef?
    ) throws -> JSValueRef {
        let null = JSValueMakeNull(ref)
        return try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 6) { arguments in
            arguments[0] = function
            arguments[1] = text.ref
            arguments[2] = JSValueMakeNumber(ref, Double(count))
            arguments[3] = slot ?? null
            arguments[4] = receiver ?? null
            arguments[5] = this ?? JSValueMakeUndefined(ref)
            return try call(script.callBuilt, UnsafeBufferPointer(arguments))
        }
    }
}
