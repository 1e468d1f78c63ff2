internal import BridgeValues
internal import CJavaScriptCore

/// A codec of types that are objects with known members in scripts.
///
/// The package's script reads all members and passes them as the arguments of one native call.
@usableFromInline
class ObjectCodec: Codec {
    /// The script's `{ read }` object of this type.
    private(set) var slot: JSObjectRef?
    /// The function that the reader calls with the members of an object that is not an argument of a typed function.
    private var receiver: JSObjectRef?
    /// The memory that the receiver decodes into.
    private var destination: UnsafeMutableRawPointer?

    /// The source of the reader.
    var readerSource: String { preconditionFailure("this codec does not decode members") }

    /// Decodes an object.
    ///
    /// The arguments are the object and what ``readerSource`` passes with it.
    func decodeMembers(_ arguments: CallArguments, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("this codec does not decode members")
    }

    /// A Boolean value that indicates whether objects are read as data first.
    var isReadInSteps: Bool { false }

    /// Decodes a value that is not an object, or is read as data first.
    func decodeOther(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("this codec decodes objects only")
    }

    /// Creates the script's reader and the receiver.
    ///
    /// - Throws: ``JSException`` if the turn was terminated.
    final func prepare() throws {
        guard slot == nil else { return }
        slot = try context.makeSlot(readerSource)
        receiver = context.hold(
            HostFunction.makeBox(countsAsNested: false, in: context) { [unowned(unsafe) self] arguments in
                guard let destination = self.destination else { return .undefined }
                try self.receive(arguments, into: destination)
                return self.scalars.undefined
            }
        )
    }

    /// Replaces the reader by one for the members that are known now.
    final func renewReader() throws {
        guard let slot else { return }
        let new = try context.makeSlot(readerSource)
        for name in ["read", "readMember", "readMessage"] {
            try context.copyInternal(name, from: new, to: slot)
        }
    }

    /// Decodes what a reader passed: an object and its members, or one value that is not an object.
    @usableFromInline
    final func receive(_ arguments: CallArguments, into memory: UnsafeMutableRawPointer) throws {
        if arguments.count > 1 {
            if meter.pointee.depth > 0 { try meter.pointee.count(arguments.count - 2) }
            return try decodeMembers(arguments, into: memory)
        }
        guard !isReadInSteps, arguments[0].isObject(in: scalars), let ref = arguments[0].ref else {
            return try decodeOther(arguments[0], into: memory)
        }
        // The object has to be read as data first. An object in that data has members like any other.
        let data = try context.readValue(ref)
        try context.withReferences(
            1,
            making: { _ in try context.makeRef(data) },
            { made in
                if case .object = data {
                    try decode(EncodedValue(made[0]), into: memory)
                } else {
                    try decodeOther(EncodedValue(made[0]), into: memory)
                }
            }
        )
    }

    override final func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        guard value.isObject(in: scalars) else {
            // On the stack, where the collector finds the value while code of the type runs.
            var value = value
            return try withUnsafePointer(to: &value) { try decodeOther($0.pointee, into: memory) }
        }
        try prepare()
        let outer = destination
        destination = memory
        defer { destination = outer }
        try context.nestingDecode {
            try context.callReader(slot: slot, receiver: receiver, value: value)
        }
    }
}

extension EncodedValue {
    func isObject(in scalars: ScalarConverter) -> Bool {
        guard !scalars.isFast || isCell else { return false }
        return JSValueIsObject(scalars.ref, ref)
    }
}

extension JSContext {
    /// Protects a value for the life of the context.
    func hold(_ value: JSValueRef?) -> JSValueRef? {
        guard let value else { return nil }
        JSValueProtect(ref, value)
        held.values.append(value)
        return value
    }

    /// Evaluates the source of a reader or builder.
    func runShape(_ source: String) throws -> JSObjectRef {
        var exception: JSValueRef?
        let function = EngineString.with(source) { source in
            EngineString.with(Self.internalSourceURL) {
                JSEvaluateScript(ref, source, nil, $0, 1, &exception)
            }
        }
        guard let function else { throw self.exception(from: exception) }
        return function
    }

    func makeSlot(_ source: String) throws -> JSObjectRef? {
        hold(try call(script.makeSlot, [runShape(source)]))
    }

    func copyInternal(_ name: String, from source: JSObjectRef?, to target: JSObjectRef) throws {
        var exception: JSValueRef?
        let value = EngineString.with(name) { JSObjectGetProperty(ref, source, $0, &exception) }
        try setInternal(name, to: value, on: target)
    }

    /// Calls a reader, which passes a value to a receiver.
    func callReader(slot: JSObjectRef?, receiver: JSObjectRef?, value: EncodedValue) throws {
        let read = decodeMeter.pointee.isMessage ? script.readMember : script.readOne
        let result = try call(read, [receiver, value.ref, slot])
        if EncodedValue(result) == script.failed { throw takePendingFailure() }
    }

    /// Returns and clears the error of the closure that failed last.
    func takePendingFailure() -> any Error {
        defer { errors.pendingFailure = nil }
        return errors.pendingFailure
            ?? JSException(name: "Error", message: "a closure failed without an error")
    }

    /// Counts a level of nested objects while a body reads one.
    func nestingDecode(_ body: () throws -> Void) throws {
        let limit = virtualMachine.maximumDepth
        guard decodeMeter.pointee.depth < limit else { throw BridgeError.tooDeep(limit: limit) }
        if decodeMeter.pointee.depth == 0 {
            decodeMeter.pointee.nodes = 0
            decodeMeter.pointee.maximumNodes = virtualMachine.maximumNodes
            decodeMeter.pointee.size = 0
            decodeMeter.pointee.maximumSize = virtualMachine.maximumPayloadBytes
        }
        try decodeMeter.pointee.count(1)
        decodeMeter.pointee.depth += 1
        defer {
            decodeMeter.pointee.depth -= 1
            if decodeMeter.pointee.depth == 0, !decodeMeter.pointee.longStrings.isEmpty {
                decodeMeter.pointee.longStrings = [:]
            }
        }
        try body()
    }
}

/// A counter of the payload that has been read.
///
/// It is behind a pointer that codecs also have. Access through the context would count its references twice, which is
/// slow because it has weak references: 8 % of a window of 60 structures of four members (measured).
@usableFromInline
struct DecodeMeter {
    /// The number of nested objects that are being read.
    var depth = 0
    /// The number of values that the current payload contains so far.
    var nodes = 0
    /// The maximum number of values.
    var maximumNodes = Int.max
    /// The number of bytes of strings and data that the payload contains so far.
    var size = 0
    /// The maximum number of bytes.
    var maximumSize = Int.max
    /// The long strings that were read, by their addresses in the engine, because an array may contain the same one
    /// many times.
    var longStrings: [UnsafeRawPointer: String] = [:]
    /// A Boolean value that indicates whether the payload is a message, in which functions and objects cross the
    /// boundary by reference.
    var isMessage = false

    /// Counts values of the current payload.
    ///
    /// - Throws: `BridgeError` if it contains too many.
    @inline(__always)
    mutating func count(_ count: Int) throws {
        nodes += count
        guard nodes <= maximumNodes else { throw BridgeError.tooManyValues(limit: maximumNodes) }
    }

    /// Counts bytes of strings and data if a payload is being read.
    ///
    /// - Returns: Whether they are within the limit.
    @inline(__always)
    mutating func mayTake(_ bytes: Int) -> Bool {
        guard depth > 0 else { return true }
        size += bytes
        return size <= maximumSize
    }

    /// Counts bytes of strings and data if a payload is being read.
    ///
    /// - Throws: `BridgeError` if it contains too many.
    mutating func spend(_ bytes: Int) throws {
        guard mayTake(bytes) else { throw BridgeError.payloadTooLarge(maximumSize) }
    }

    /// Returns the string that was read from the address before if it has the same bytes, and otherwise stores this
    /// one.
    mutating func shared(_ string: String, at address: UnsafeRawPointer) -> String {
        if let known = longStrings[address], EngineString.areByteEqual(known, string) { return known }
        longStrings[address] = string
        return string
    }
}
