package import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A writer of the parts of one message, which the package's script builds one by one.
package struct MessageWriter {
    let slab: SlabWriter
    // The open turn keeps it alive.
    unowned(unsafe) let context: JSContext

    /// Adds a number.
    package func put(number: Double) { slab.put(ValueSlab.Tag.number, number) }

    /// Adds a string.
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

    /// Adds a value of a Swift type from memory, by its codec.
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded`, or an error of its `encode(to:)`.
    package func put(_ memory: UnsafeRawPointer, as type: Any.Type) throws {
        try context.codecs.codec(for: type).encode(memory, into: slab)
    }

    /// Adds a value of a Swift type from memory, by its shape.
    ///
    /// - Throws: As ``put(_:as:)-(_,Any.Type)``.
    @inline(__always)
    package func put(_ memory: UnsafeRawPointer, as shape: MessageShape) throws {
        try shape.codec.encode(memory, into: slab)
    }
}

/// The codec for values of a type in messages of one context, looked up once.
package struct MessageShape {
    // The context owns it.
    fileprivate unowned(unsafe) let codec: Codec
}

/// A receiver of the payloads of one type, which the package's script calls.
package struct MessageReceiver {
    /// The closure, for the script's `call`.
    package let box: JSValue
    /// The script's `{ readMessage }` object, which passes the members that the type requests.
    package let slot: JSValue
}

/// A receiver's answer to the script.
package struct ReceiverAnswer {
    fileprivate let value: EncodedValue
}

extension HostCall {
    /// The answer that the receiver has accepted the payload.
    package var taken: ReceiverAnswer { ReceiverAnswer(value: arguments.scalars.encode(true)) }

    /// The answer that the receiver no longer accepts payloads as its type: the script passes this one and later ones
    /// as data.
    package var refused: ReceiverAnswer { ReceiverAnswer(value: arguments.scalars.encode(false)) }

    /// Returns an answer that is a message.
    ///
    /// - Throws: The error of the body.
    package func message(_ body: (MessageWriter) throws -> Void) throws -> ReceiverAnswer {
        try arguments.unmanaged._withUnsafeGuaranteedRef { context in
            ReceiverAnswer(value: try context.writing { try body(MessageWriter(slab: $0, context: context)) })
        }
    }
}

extension ReceiverAnswer {
    /// Returns the answer as the result of a function.
    package func jsValue(in context: JSContext) -> JSValue { JSValue(encoded: value, in: context) }
}

extension JSContext {
    /// Returns the codec for values of a type in messages.
    package func messageShape(of type: Any.Type) -> MessageShape {
        MessageShape(codec: codecs.codec(for: type))
    }

    /// Creates the function by which the package's script runs the pending microtasks.
    package func makeMicrotaskFunction() -> JSValue {
        let box = HostFunction.makeBox(countsAsNested: false, in: self) { arguments in
            arguments.unmanaged._withUnsafeGuaranteedRef { $0.runMicrotasks() }
            return arguments.scalars.undefined
        }
        return JSValue(box, in: self)
    }

    /// The identity of the context's virtual machine, which is valid while one of its turns is open.
    package var machineIdentity: UInt {
        UInt(bitPattern: Unmanaged.passUnretained(virtualMachine).toOpaque())
    }

    /// Returns whether a turn of a machine is open on this thread.
    @inline(__always)
    package static func isInTurn(ofMachine identity: UInt) -> Bool {
        UInt(bitPattern: jsb_current_machine()) == identity
    }

    /// Calls the function of a handle with a message that a body writes, and optionally a value of this context after
    /// it.
    ///
    /// A turn must be open. If the message cannot be written, `onConversionError` is called with the error, and the function
    /// is not. An error of the function is thrown.
    ///
    /// - Returns: Whether work that the function has started may be waiting for a promise: the function's result,
    ///   unless it is an error.
    @discardableResult
    package func call(
        _ handle: JSHandle,
        writing body: (MessageWriter) throws -> Void,
        _ last: JSValue? = nil,
        onConversionError: (any Error) -> Void
    ) throws -> Bool {
        let text: EncodedValue
        do {
            text = try writing { try body(MessageWriter(slab: $0, context: self)) }
        } catch {
            onConversionError(error)
            return false
        }
        return try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 2) { arguments in
            arguments[0] = text.ref
            arguments[1] = last?.ref
            let count = last == nil ? 1 : 2
            let result = try call(handle.ref, this: nil, UnsafeBufferPointer(rebasing: arguments[..<count]))
            // The package's script returns the error of a part that it could not build.
            let mayWait = scalars.bool(of: EncodedValue(result))
            if mayWait == nil, !JSValueIsUndefined(ref, result) { onConversionError(exception(from: result)) }
            return mayWait ?? false
        }
    }

    /// Returns whether payloads of a type are read member by member, so that other members are never read.
    package func readsMembers(of type: Any.Type) -> Bool {
        let codec = codecs.codec(for: type)
        return !codec.readsData && !codec.readsKeys
    }

    /// Creates the receiver through which the package's script passes payloads of a type: `slot.readMessage(box, value,
    /// a, b, c)`.
    ///
    /// That function returns `undefined` if the script has to pass this payload as data.
    ///
    /// A turn must be open.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - isNested: Whether the body may run scripts, so that it counts as a nested call.
    ///   - body: Receives the call, whose first three arguments are `a`, `b` and `c`, and a function that decodes the
    ///     value into memory of the type. Its errors are thrown into the script.
    /// - Returns: The receiver; `nil` for types that are always read as data.
    /// - Throws: ``JSException`` if the turn was terminated.
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

    /// The number of arguments before a payload.
    private static let argumentsBeforePayload = 3

    private func plainMessageSlot() throws -> JSObjectRef? {
        if let slot = held.plainSlot { return slot }
        held.plainSlot = try makeSlot(ShapeCodeGenerator.plainReader)
        return held.plainSlot
    }

    /// Calls a function of the package's script with values of the engine.
    package func call(_ handle: JSHandle, with values: [JSValue]) throws {
        _ = try call(handle.ref, this: nil, values.map { Optional($0.ref) })
    }

    /// Calls a function of the package's script without arguments, and returns its result.
    package func result(ofCalling handle: JSHandle) throws -> JSValue {
        JSValue(try call(handle.ref, this: nil, UnsafeBufferPointer(start: nil, count: 0)), in: self)
    }

    /// Runs the work that every turn does before it ends.
    ///
    /// A turn must be open.
    package func doTurnWork() {
        while !virtualMachine.watchdog.mustStop(in: ref), virtualMachine.doTurnWork() {}
    }
}

extension JSValue {
    /// Creates a string of a context from UTF-16 code units.
    package convenience init(units: UnsafeBufferPointer<UInt16>, in context: JSContext) {
        self.init(encoded: context.makeString(of: units), in: context)
    }

    /// Runs a body with the UTF-16 code units of a string, or with `nil` if the value is not a string.
    package func withUnits<Result>(_ body: (UnsafeBufferPointer<UInt16>?) throws -> Result) rethrows -> Result
    {
        guard isString, let string = JSValueToStringCopy(context.ref, ref, nil) else { return try body(nil) }
        defer { JSStringRelease(string) }
        return try EngineString.withUnits(of: string) { try body($0) }
    }
}
