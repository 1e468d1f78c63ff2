internal import BridgeValues
internal import CJavaScriptCore
internal import Foundation

/// Conversions of values from and to the engine.
///
/// They all require an open turn.
extension JSContext {
    /// Converts an engine value to data, completely, so that later changes do not affect the result.
    func readValue(_ value: JSValueRef) throws -> Value {
        switch JSValueGetType(ref, value) {
        case kJSTypeUndefined: return .undefined
        case kJSTypeNull: return .null
        case kJSTypeBoolean: return .bool(JSValueToBoolean(ref, value))
        case kJSTypeNumber: return .number(JSValueToNumber(ref, value, nil))
        case kJSTypeString: return try readString(value)
        default:
            // A value inside a message's member is part of the message, also when it is converted to data.
            try call(readsReferences ? script.takePayload : script.take, [value, script.consumeValue])
            return slab.takeTaken()
        }
    }

    /// Creates an engine value.
    func makeRef(_ value: Value) throws -> JSValueRef? {
        switch value {
        case .undefined: return JSValueMakeUndefined(ref)
        case .null: return JSValueMakeNull(ref)
        case .bool(let flag): return JSValueMakeBoolean(ref, flag)
        case .integer(let number) where number.magnitude <= UInt64(Value.maximumSafeInteger):
            return JSValueMakeNumber(ref, Double(number))
        case .double(let number): return JSValueMakeNumber(ref, number)
        case .string(let text): return makeString(text)
        default: return try buildRef(value)
        }
    }

    private func buildRef(_ value: Value) throws -> JSValueRef? {
        let text = try writing { try $0.write(value) }
        return try call(script.build, [text.ref])
    }

    /// Passes the attachments to the script that the next built value refers to.
    func share(_ attachments: [SlabAttachment]) throws {
        var exception: JSValueRef?
        let lists = try withReferences(
            attachments.count,
            making: { index in
                switch attachments[index] {
                case .bytes(let data): try makeBytes(data)
                case .value(let value): value.ref
                }
            },
            { JSObjectMakeArray(ref, $0.count, $0.baseAddress, &exception) }
        )
        try call(script.shareLists, [lists])
    }

    /// Creates an engine string from code units, or returns the shared empty string.
    func makeString(of units: UnsafeBufferPointer<UInt16>) -> EncodedValue {
        guard units.count > 0 else { return script.emptyText }
        let string = EngineString.make(units)
        defer { JSStringRelease(string) }
        return EncodedValue(JSValueMakeString(ref, string))
    }

    private func makeBytes(_ data: Data) throws -> JSValueRef? {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(data.count, 1), alignment: 16)
        data.copyBytes(to: copy)
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            ref,
            kJSTypedArrayTypeUint8Array,
            copy.baseAddress,
            data.count,
            { bytes, _ in bytes?.deallocate() },
            nil,
            &exception
        )
        guard let array else { throw self.exception(from: exception) }
        return array
    }

    /// Creates an engine string.
    func makeString(_ text: String) -> JSValueRef? {
        EngineString.with(text) { JSValueMakeString(ref, $0) }
    }

    /// Returns a string value with lone surrogates replaced; `nil` if the value is not a string.
    func text(of value: JSValueRef?) -> String? {
        guard let value else { return nil }
        return scalars.withCharacters(of: EncodedValue(value)) { $0.repairedString }
    }

    private func readString(_ value: JSValueRef) throws -> Value {
        try scalars.withCharacters(of: EncodedValue(value)) { characters in
            try decodeMeter.pointee.spend(characters.count * 2)
            if let string = characters.string { return .string(string) }
            guard case .utf16(let units) = characters else { return .string("") }
            return .illFormedString(Array(units))
        } ?? .string("")
    }

    /// Reads the value that the script took: `start`, `text` and `buffers` are the first three arguments.
    ///
    /// Repairing lone surrogates could make two keys equal. Such a key is therefore an error, unless `repairsKeys`
    /// returns `true` because the caller does not need the keys.
    func readSlab(
        _ arguments: CallArguments,
        repairingKeys repairsKeys: () -> Bool = { false }
    ) throws -> Value {
        guard let text = arguments.ref(at: 1), let string = JSValueToStringCopy(ref, text, nil) else {
            return .undefined
        }
        defer { JSStringRelease(string) }
        var nextBuffer: UInt32 = 0
        try decodeMeter.pointee.spend(JSStringGetLength(string) * 2)
        return try EngineString.withUnits(of: string) { units in
            let cells = slab.outgoingCells(from: arguments.integer(at: 0))
            var reader = SlabReader(
                cells: cells,
                units: units,
                nextBytes: {
                    defer { nextBuffer += 1 }
                    return try self.readBytes(of: arguments.ref(at: 2), at: nextBuffer)
                },
                reference: { note in
                    guard let references = self.slab.references else {
                        // The script writes no references if they have no converter.
                        throw BridgeError(.internal, "the slab of a script's value holds a reference")
                    }
                    return try references.reference(noted: note)
                }
            )
            let value = try reader.read()
            if let key = reader.repairedKey, !repairsKeys() {
                throw BridgeError(.encodeFailed, "a key with a lone surrogate cannot cross: \(key)")
            }
            return value
        }
    }

    private func readBytes(of list: JSValueRef?, at index: UInt32) throws -> Data {
        var exception: JSValueRef?
        guard let list, let array = JSObjectGetPropertyAtIndex(ref, list, index, &exception) else {
            throw self.exception(from: exception)
        }
        let count = JSObjectGetTypedArrayByteLength(ref, array, &exception)
        guard count > 0, let start = JSObjectGetTypedArrayBytesPtr(ref, array, &exception) else {
            return Data()
        }
        try decodeMeter.pointee.spend(count)
        return Data(bytes: start + JSObjectGetTypedArrayByteOffset(ref, array, &exception), count: count)
    }
}
