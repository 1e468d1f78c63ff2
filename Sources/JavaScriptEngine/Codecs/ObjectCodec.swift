internal import BridgeValues
internal import CJavaScriptCore

/// Types that cross as objects with known members: the script's half reads all of them in one call of native
/// code, whose arguments they are.
@usableFromInline
class ObjectCodec: Codec {
    /// The script's `{ read }` of this type.
    private(set) var slot: JSObjectRef?
    /// What the reader calls with the members of an object that is no argument of a typed function.
    private var receiver: JSObjectRef?
    /// Where the receiver puts what it reads.
    private var destination: UnsafeMutableRawPointer?

    /// The names of the members that the reader hands over.
    var memberNames: [String] { [] }

    /// Makes a value of an object: it, how many members follow, and these in the order of ``memberNames``.
    func decodeMembers(_ arguments: CallArguments, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("a codec that reads no members")
    }

    /// Whether objects are read as data first.
    var isReadInSteps: Bool { false }

    /// Makes a value of what is no object, or is read as data first.
    func decodeOther(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("a codec that reads objects only")
    }

    /// Makes the script's half.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    final func prepare() throws {
        guard slot == nil else { return }
        slot = try context.makeSlot(ShapeSource.reader(of: memberNames))
        receiver = context.hold(
            HostFunction.makeBox(countsAsNested: false, in: context) { [unowned(unsafe) self] arguments in
                guard let destination = self.destination else { return .undefined }
                try self.receive(arguments, into: destination)
                return self.lane.undefined
            }
        )
    }

    /// Replaces the reader by one of the members as they are known now.
    final func renewReader() throws {
        guard let slot else { return }
        let new = try context.makeSlot(
            isReadInSteps ? ShapeSource.plainReader : ShapeSource.reader(of: memberNames)
        )
        for name in ["read", "readMember", "readMessage"] {
            try context.copyInternal(name, from: new, to: slot)
        }
    }

    /// Makes a value of what a reader handed over: an object and its members, or one value that is none.
    @usableFromInline
    final func receive(_ arguments: CallArguments, into memory: UnsafeMutableRawPointer) throws {
        if arguments.count > 1 {
            if meter.pointee.depth > 0 { try meter.pointee.count(arguments.count - 2) }
            return try decodeMembers(arguments, into: memory)
        }
        guard !isReadInSteps, arguments[0].isObject(in: lane), let ref = arguments[0].ref else {
            return try decodeOther(arguments[0], into: memory)
        }
        // It is to be read as data: an object of that has members, like any other.
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
    func isObject(in lane: Lane) -> Bool {
        guard !lane.isFast || isCell else { return false }
        return JSValueIsObject(lane.ref, ref)
    }
}

extension JSContext {
    /// Keeps a value for as long as the context lives.
    func hold(_ value: JSValueRef?) -> JSValueRef? {
        guard let value else { return nil }
        JSValueProtect(ref, value)
        held.append(value)
        return value
    }

    /// Runs the text of a script's half.
    func runShape(_ source: String) throws -> JSObjectRef {
        var exception: JSValueRef?
        let function = EngineText.with(source) { source in
            EngineText.with(Self.internalSourceURL) { JSEvaluateScript(ref, source, nil, $0, 1, &exception) }
        }
        guard let function else { throw self.exception(from: exception) }
        return function
    }

    func makeSlot(_ source: String) throws -> JSObjectRef? {
        hold(try call(script.makeSlot, [runShape(source)]))
    }

    func copyInternal(_ name: String, from source: JSObjectRef?, to target: JSObjectRef) throws {
        var exception: JSValueRef?
        let value = EngineText.with(name) { JSObjectGetProperty(ref, source, $0, &exception) }
        try setInternal(name, to: value, on: target)
    }

    /// Has a reader hand a value over to a receiver.
    func callReader(slot: JSObjectRef?, receiver: JSObjectRef?, value: EncodedValue) throws {
        let read = decodeMeter.pointee.isMessage ? script.readMember : script.readOne
        let result = try call(read, [receiver, value.ref, slot])
        if EncodedValue(result) == failed { throw takePendingFailure() }
    }

    /// The error of the closure that failed last.
    func takePendingFailure() -> any Error {
        defer { pendingFailure = nil }
        return pendingFailure ?? JSException(name: "Error", message: "a closure failed without an error")
    }

    /// Counts levels of objects in objects while a body reads one.
    func nestingDecode(_ body: () throws -> Void) throws {
        let limit = virtualMachine.maximumDepth
        guard decodeMeter.pointee.depth < limit else {
            throw BridgeError(
                .limitExceeded,
                "a payload may nest \(limit) levels deep, this one goes deeper"
            )
        }
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

/// How much of a payload has been read.
///
/// Behind a pointer that codecs have, too: to ask the context costs two counts of its references, which are slow as it
/// is held weakly (8 % of a window of 60 structures of four members, measured).
@usableFromInline
struct DecodeMeter {
    /// How many objects in objects are being read.
    var depth = 0
    /// How many values the payload that is being read holds so far.
    var nodes = 0
    /// How many it may hold.
    var maximumNodes = Int.max
    /// How many bytes of strings and data it holds so far.
    var size = 0
    /// How many it may hold.
    var maximumSize = Int.max
    /// The long strings that were read, by their addresses in the engine: an array may have the same in many places.
    var longStrings: [UnsafeRawPointer: String] = [:]
    /// Whether it is of a message, in which functions and objects cross by reference.
    var isMessage = false

    /// Counts values of the payload that is being read.
    ///
    /// - Throws: `BridgeError` where it holds too many.
    @inline(__always)
    mutating func count(_ count: Int) throws {
        nodes += count
        guard nodes <= maximumNodes else { throw tooMany() }
    }

    /// Counts bytes of strings and data, where there is a payload around them.
    ///
    /// - Returns: Whether they may be read.
    @inline(__always)
    mutating func mayTake(_ bytes: Int) -> Bool {
        guard depth > 0 else { return true }
        size += bytes
        return size <= maximumSize
    }

    /// Counts bytes of strings and data, where there is a payload around them.
    ///
    /// - Throws: `BridgeError` where it holds too many.
    mutating func spend(_ bytes: Int) throws {
        guard mayTake(bytes) else { throw BridgeError.payloadTooLarge(maximumSize) }
    }

    /// Gives the string that was read before where it has the same bytes, and keeps this one otherwise.
    mutating func shared(_ string: String, at address: UnsafeRawPointer) -> String {
        if let known = longStrings[address], EngineText.areSame(known, string) { return known }
        longStrings[address] = string
        return string
    }

    private func tooMany() -> BridgeError {
        BridgeError(
            .limitExceeded,
            "a payload may hold \(maximumNodes) values, this one holds more"
        )
    }
}
