package import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// Writes what one message consists of, for the package's own script to build part by part.
package struct MessageWriter {
    let slab: SlabWriter
    // The open turn keeps it alive.
    unowned(unsafe) let context: JSContext

    /// Adds a number.
    package func put(number: Double) { slab.put(ValueSlab.Tag.number, number) }

    /// Adds a text.
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded`.
    package func put(_ text: String) throws {
        slab.put(ValueSlab.Tag.string)
        try slab.put(text: text)
    }

    /// Adds `undefined`.
    package func putUndefined() { slab.put(ValueSlab.Tag.undefined) }

    /// Adds data.
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded`.
    package func put(_ value: Value) throws { try slab.write(value) }

    /// Adds a value of a Swift type, which lies in memory, by its codec.
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded`, or what its `encode(to:)` throws.
    package func put(_ memory: UnsafeRawPointer, as type: Any.Type) throws {
        try context.codecs.codec(for: type).encode(memory, into: slab)
    }

    /// Adds a value of a Swift type, which lies in memory, by its shape.
    ///
    /// - Throws: As ``put(_:as:)-(_,Any.Type)``.
    @inline(__always)
    package func put(_ memory: UnsafeRawPointer, as shape: MessageShape) throws {
        try shape.codec.encode(memory, into: slab)
    }
}

/// How values of a type cross as messages of one context, found out once.
package struct MessageShape {
    // The context owns it.
    fileprivate unowned(unsafe) let codec: Codec
}

/// What the package's own script hands payloads of one type to.
package struct MessageReceiver {
    /// The closure, for the script's `call`.
    package let box: JSValue
    /// The script's `{ readMessage }`, which hands the members over that the type asks for.
    package let slot: JSValue
}

/// What a receiver answers the script.
package struct ReceiverAnswer {
    fileprivate let value: EncodedValue
}

extension HostCall {
    /// It has taken the payload.
    package var taken: ReceiverAnswer { ReceiverAnswer(value: arguments.lane.encode(true)) }

    /// It takes no payloads as its type any more: the script shall hand this one and those that follow over as data.
    package var refused: ReceiverAnswer { ReceiverAnswer(value: arguments.lane.encode(false)) }

    /// A message in return.
    ///
    /// - Throws: What the body throws.
    package func message(_ body: (MessageWriter) throws -> Void) throws -> ReceiverAnswer {
        try arguments.unmanaged._withUnsafeGuaranteedRef { context in
            ReceiverAnswer(value: try context.writing { try body(MessageWriter(slab: $0, context: context)) })
        }
    }
}

extension ReceiverAnswer {
    /// The answer as the value of a function.
    package func jsValue(in context: JSContext) -> JSValue { JSValue(encoded: value, in: context) }
}

extension JSContext {
    /// How values of a type cross as messages.
    package func messageShape(of type: Any.Type) -> MessageShape {
        MessageShape(codec: codecs.codec(for: type))
    }

    /// Makes what the package's own script calls to have the microtasks run that wait.
    package func makeMicrotaskFunction() -> JSValue {
        let box = HostFunction.makeBox(countsAsNested: false, in: self) { arguments in
            arguments.unmanaged._withUnsafeGuaranteedRef { $0.runMicrotasks() }
            return arguments.lane.undefined
        }
        return JSValue(box, in: self)
    }

    /// What tells its machine from others while one of its turns is open.
    package var machineIdentity: UInt {
        UInt(bitPattern: Unmanaged.passUnretained(virtualMachine).toOpaque())
    }

    /// Whether a turn of a machine is open on this thread.
    @inline(__always)
    package static func isInTurn(ofMachine identity: UInt) -> Bool {
        UInt(bitPattern: jsb_current_machine()) == identity
    }

    /// Calls the function of a handle with a message that a body writes, and a value of this context behind it where
    /// there is one.
    ///
    /// A turn must be open. What cannot be written is told to `onUnmakeable`, and nothing is called then; what the
    /// function throws is thrown.
    ///
    /// - Returns: Whether something that the function has begun may wait for a promise: what it returned, if that is no
    ///   error.
    @discardableResult
    package func call(
        _ handle: JSHandle,
        writing body: (MessageWriter) throws -> Void,
        _ last: JSValue? = nil,
        onUnmakeable: (any Error) -> Void
    ) throws -> Bool {
        let text: EncodedValue
        do {
            text = try writing { try body(MessageWriter(slab: $0, context: self)) }
        } catch {
            onUnmakeable(error)
            return false
        }
        return try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 2) { arguments in
            arguments[0] = text.ref
            arguments[1] = last?.ref
            let count = last == nil ? 1 : 2
            let result = try call(handle.ref, this: nil, UnsafeBufferPointer(rebasing: arguments[..<count]))
            // The script's half gives the error of what it could not build.
            let mayWait = lane.bool(of: EncodedValue(result))
            if mayWait == nil, !JSValueIsUndefined(ref, result) { onUnmakeable(exception(from: result)) }
            return mayWait ?? false
        }
    }

    /// Whether payloads of a type are read member by member, so that nobody asks for other members.
    package func readsMembers(of type: Any.Type) -> Bool { !codecs.codec(for: type).readsData }

    /// Makes what the package's own script hands payloads of a type to: `slot.readMessage(box, value, a, b, c)`, which
    /// gives `undefined` for what the script shall hand over as data, this time.
    ///
    /// A turn must be open.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - isNested: Whether the body may run scripts, so that it counts as a nested call.
    ///   - body: Takes the call, whose first three arguments are `a`, `b` and `c`, and what makes the value in memory of
    ///     the type. What it throws is thrown into the script.
    /// - Returns: The receiver; `nil` for types that are read as data in any case.
    /// - Throws: ``JSException`` where the turn was stopped.
    package func makeReceiver(
        of type: Any.Type,
        isNested: Bool,
        _ body: @escaping (HostCall, (UnsafeMutableRawPointer) throws -> Void) throws -> ReceiverAnswer
    ) throws -> MessageReceiver? {
        let codec = codecs.codec(for: type)
        guard !codec.readsData else { return nil }
        let object = codec as? ObjectCodec
        try object?.prepare()
        let meter = decodeMeter
        let box = HostFunction.makeBox(countsAsNested: isNested, in: self) { arguments in
            let answer = try body(HostCall(arguments: arguments)) { memory in
                let payload = arguments.dropFirst(Self.argumentsBeforePayload)
                let wasMessage = meter.pointee.isMessage
                meter.pointee.isMessage = true
                defer { meter.pointee.isMessage = wasMessage }
                if let object {
                    try object.receive(payload, into: memory)
                } else {
                    try codec.decode(payload[0], into: memory)
                }
            }
            return answer.value
        }
        let slot = try object?.slot ?? plainMessageSlot()
        return MessageReceiver(box: JSValue(box, in: self), slot: JSValue(slot, in: self))
    }

    /// How many arguments stand before a payload.
    private static let argumentsBeforePayload = 3

    private func plainMessageSlot() throws -> JSObjectRef? {
        if let slot = plainSlot { return slot }
        plainSlot = try makeSlot(ShapeSource.plainReader)
        return plainSlot
    }

    /// Calls a function of the package's own script with numbers, texts and values.
    package func call(_ handle: JSHandle, with values: [JSValue]) throws {
        _ = try call(handle.ref, this: nil, values.map { Optional($0.ref) })
    }

    /// Calls a function of the package's own script without arguments, and gives what it returns.
    package func result(ofCalling handle: JSHandle) throws -> JSValue {
        JSValue(try call(handle.ref, this: nil, UnsafeBufferPointer(start: nil, count: 0)), in: self)
    }

    /// Does the work that every turn does before it ends.
    ///
    /// A turn must be open.
    package func doTurnWork() {
        while !virtualMachine.watchdog.mustStop(in: ref), virtualMachine.doTurnWork() {}
    }
}

extension JSValue {
    /// Makes text of a context of UTF-16 code units.
    package convenience init(units: UnsafeBufferPointer<UInt16>, in context: JSContext) {
        self.init(encoded: context.makeText(of: units), in: context)
    }

    /// Lends the UTF-16 code units of text; `nil` where this is none.
    package func withUnits<Result>(_ body: (UnsafeBufferPointer<UInt16>?) throws -> Result) rethrows -> Result
    {
        guard isString, let string = JSValueToStringCopy(context.ref, ref, nil) else { return try body(nil) }
        defer { JSStringRelease(string) }
        return try EngineText.withUnits(of: string) { try body($0) }
    }
}
