internal import CJavaScriptCore
public import Foundation

/// Bytes that a script's typed arrays show: an `ArrayBuffer`.
///
/// Like ``JSValue`` it stays with its context's owner.
public struct JSArrayBuffer {
    /// The buffer as a value.
    public let value: JSValue

    /// Takes a value for a buffer.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` where it is none.
    public init(_ value: JSValue) throws {
        guard
            JSValueGetTypedArrayType(value.context.ref, value.ref, nil) == kJSTypedArrayTypeArrayBuffer
        else {
            throw JSException(
                name: "TypeError",
                message: "a value that is no ArrayBuffer was taken for one"
            )
        }
        self.value = value
    }

    /// Makes a buffer of bytes, without a copy where nobody else holds them.
    ///
    /// The rules are those of ``JSTypedArray/init(of:data:in:)``.
    ///
    /// - Throws: ``JSException`` where the engine has no memory for them.
    public init(data: consuming Data, in context: JSContext) throws {
        let count = data.count
        value = try ByteOwner(data, alignment: 1).makeValue(in: context) {
            JSObjectMakeArrayBufferWithBytesNoCopy(context.ref, $0, count, $1, $2, $3)
        }
    }

    /// How many bytes the buffer has now; 0 where it is detached.
    public var byteCount: Int { JSObjectGetArrayBufferByteLength(value.context.ref, value.ref, nil) }

    /// Whether the bytes were taken away, by `transfer()` or by ``take()``.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    public func isDetached() throws -> Bool { try ask("ArrayBufferPrototypeGetDetached") }

    /// Whether a script may change the buffer's size.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    public func isResizable() throws -> Bool { try ask("ArrayBufferPrototypeGetResizable") }

    /// Copies the bytes.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` where the buffer is detached.
    public func toData() throws -> Data { try value.toData() }

    /// Takes the bytes away from the script, without a copy: the buffer is detached, its views are empty.
    ///
    /// The bytes stay in the engine's memory, so the result keeps the context alive as a ``JSValue`` does. A
    /// buffer whose bytes were shown to native code before (``JSTypedArray/withUnsafeBytes(_:)``) keeps its
    /// own, and the result is a copy.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` where the buffer is detached.
    public func take() throws -> Data {
        let context = value.context
        return try context.withTurn {
            guard try !isDetached() else { throw Self.isDetachedError }
            let transfer = try context.primordial("ArrayBufferPrototypeTransferToFixedLength")
            let taken = JSValue(try context.call(transfer, [value.ref]), in: context)
            var exception: JSValueRef?
            let count = JSObjectGetArrayBufferByteLength(context.ref, taken.ref, &exception)
            guard count > 0,
                let start = JSObjectGetArrayBufferBytesPtr(context.ref, taken.ref, &exception)
            else { return Data() }
            let deallocator = Data.Deallocator.custom { _, _ in withExtendedLifetime(taken) {} }
            return Data(bytesNoCopy: start, count: count, deallocator: deallocator)
        }
    }

    static let isDetachedError = JSException(
        name: "TypeError",
        message: "a buffer has no bytes any more: it is detached"
    )
    static let isResizableError = JSException(
        name: "TypeError",
        message: "the bytes of a resizable buffer cannot be shown where they are: copy them with toData()"
    )

    private func ask(_ getter: String) throws -> Bool {
        let context = value.context
        return try context.withTurn {
            JSValueToBoolean(context.ref, try context.call(context.primordial(getter), [value.ref]))
        }
    }
}

/// Bytes of a `Data` that the engine reads and writes, until it lets them go.
final class ByteOwner {
    private static let smallest = 1024

    private var data: Data
    private var copy: UnsafeMutableRawBufferPointer?
    private let alignment: Int
    private var releases: Graveyard?

    init(_ data: consuming Data, alignment: Int) {
        self.data = data
        self.alignment = alignment
    }

    deinit { copy?.deallocate() }

    /// Where the bytes are.
    ///
    /// As long as this object lives and nobody else touches its `Data`, they stay there: a `Data` beyond its
    /// inline form keeps its bytes in one allocation of its own.
    private func start() -> UnsafeMutableRawPointer? {
        if data.count > Self.smallest {
            // This copies if another `Data` has the same bytes.
            let start = data.withUnsafeMutableBytes { $0.baseAddress }
            if let start, Int(bitPattern: start).isMultiple(of: alignment) { return start }
        }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(data.count, 1), alignment: 16)
        data.copyBytes(to: copy)
        data = Data()
        self.copy = copy
        return copy.baseAddress
    }

    /// Makes a value of the engine over the bytes.
    func makeValue(
        in context: JSContext,
        _ make: (
            UnsafeMutableRawPointer?, JSTypedArrayBytesDeallocator, UnsafeMutableRawPointer,
            UnsafeMutablePointer<JSValueRef?>
        ) -> JSObjectRef?
    ) throws -> JSValue {
        releases = context.virtualMachine.releases
        return try context.withTurn {
            var exception: JSValueRef?
            let bytes = start()
            // The engine lets the bytes go in either case: with the value, or at once where it makes none. It
            // may be in the middle of a collection, and what made the `Data` may have a deallocator of its
            // own, so this object goes at the next turn.
            let value = make(
                bytes,
                { _, owner in
                    guard let owner else { return }
                    Unmanaged<ByteOwner>.fromOpaque(owner).takeUnretainedValue().releases?
                        .bury(Unmanaged<AnyObject>.fromOpaque(owner))
                },
                Unmanaged.passRetained(self).toOpaque(),
                &exception
            )
            guard let value else { throw context.exception(from: exception) }
            return JSValue(value, in: context)
        }
    }
}

extension JSValue {
    /// Copies the bytes of an `ArrayBuffer`, a typed array or a `DataView`: those that the view shows.
    ///
    /// The buffer stays as it is: asking the engine for its address would make it one that cannot be
    /// detached.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` where this is none of these, or has lost its
    ///   bytes.
    public func toData() throws -> Data {
        try context.withTurn {
            let part = try bytePart()
            guard part.count > 0 else { return Data() }
            return try context.copyBytes(of: part.buffer, at: part.offset, count: part.count)
        }
    }

    private func bytePart() throws -> (buffer: JSValue, offset: Int, count: Int) {
        let type = JSValueGetTypedArrayType(context.ref, ref, nil)
        if type == kJSTypedArrayTypeArrayBuffer {
            guard try !JSArrayBuffer(self).isDetached() else { throw JSArrayBuffer.isDetachedError }
            return (self, 0, try number("ArrayBufferPrototypeGetByteLength"))
        }
        var view = "TypedArray"
        let buffer: JSValue
        if type != kJSTypedArrayTypeNone {
            buffer = try ask("TypedArrayPrototypeGetBuffer")
        } else if isObject, let found = try? ask("TypedArrayPrototypeGetBuffer") {
            // The engine's interface knows neither Float16Array nor DataView; the language's own getters do.
            buffer = found
        } else if isObject, let found = try? ask("DataViewPrototypeGetBuffer") {
            view = "DataView"
            buffer = found
        } else {
            throw Self.hasNoBytesError
        }
        guard try !JSArrayBuffer(buffer).isDetached() else { throw JSArrayBuffer.isDetachedError }
        return (
            buffer, try number("\(view)PrototypeGetByteOffset"), try number("\(view)PrototypeGetByteLength")
        )
    }

    private static let hasNoBytesError = JSException(
        name: "TypeError",
        message: "a value that is no ArrayBuffer and no view on one has no bytes"
    )

    private func ask(_ getter: String) throws -> JSValue {
        JSValue(try context.call(context.primordial(getter), [ref]), in: context)
    }

    private func number(_ getter: String) throws -> Int { Int(exactly: try ask(getter).toDouble()) ?? 0 }
}

extension JSContext {
    private static let scratchCount = 131_072

    /// Copies bytes out of a buffer through an area of ours that stays in the processor's cache.
    ///
    /// A turn must be open.
    fileprivate func copyBytes(of buffer: JSValue, at offset: Int, count: Int) throws -> Data {
        let (scratch, memory) = try byteScratch()
        let (construct, set) = (try primordial("Uint8Array"), try primordial("TypedArrayPrototypeSet"))
        guard let result = malloc(count) else {
            throw JSException(name: "RangeError", message: "there is no memory for \(count) bytes")
        }
        var done = 0
        defer { if done < count { free(result) } }
        while done < count {
            let part = min(Self.scratchCount, count - done)
            var exception: JSValueRef?
            let arguments: [JSValueRef?] = [
                buffer.ref, JSValueMakeNumber(ref, Double(offset + done)),
                JSValueMakeNumber(ref, Double(part)),
            ]
            guard let view = JSObjectCallAsConstructor(ref, construct, 3, arguments, &exception) else {
                throw self.exception(from: exception)
            }
            try call(set, [scratch, view])
            memcpy(result + done, memory, part)
            done += part
        }
        // Only now, as a short one copies the bytes and frees them here.
        return Data(bytesNoCopy: result, count: count, deallocator: .free)
    }

    /// The area, made at its first use.
    private func byteScratch() throws -> (JSObjectRef, UnsafeMutableRawPointer) {
        if let byteArea { return byteArea }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.scratchCount, alignment: 16)
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            ref,
            kJSTypedArrayTypeUint8Array,
            memory,
            Self.scratchCount,
            { bytes, _ in bytes?.deallocate() },
            nil,
            &exception
        )
        guard let array else { throw self.exception(from: exception) }
        JSValueProtect(ref, array)
        held.append(array)
        byteArea = (array, memory)
        return (array, memory)
    }
}
