internal import CJavaScriptCore
public import Foundation

/// An `ArrayBuffer`: bytes that a script accesses through typed arrays.
///
/// Like ``JSValue``, it belongs to its context's owner.
public struct JSArrayBuffer {
    /// The buffer as a value.
    public let value: JSValue

    /// Wraps a value that is an `ArrayBuffer`.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` if the value is not an `ArrayBuffer`.
    public init(_ value: JSValue) throws {
        guard
            JSValueGetTypedArrayType(value.context.ref, value.ref, nil) == kJSTypedArrayTypeArrayBuffer
        else {
            throw JSException(
                name: "TypeError",
                message: "not an ArrayBuffer"
            )
        }
        self.value = value
    }

    /// Creates a buffer from bytes, without a copy if nothing else holds them.
    ///
    /// The rules are those of ``JSTypedArray/init(of:data:in:)``.
    ///
    /// - Throws: ``JSException`` if the engine has no memory for them.
    public init(data: consuming Data, in context: JSContext) throws {
        let count = data.count
        value = try ByteOwner(data, alignment: 1).makeValue(in: context) {
            JSObjectMakeArrayBufferWithBytesNoCopy(context.ref, $0, count, $1, $2, $3)
        }
    }

    /// The current number of bytes; 0 if the buffer is detached.
    public var byteCount: Int { JSObjectGetArrayBufferByteLength(value.context.ref, value.ref, nil) }

    /// Returns whether the buffer was detached, by `transfer()` or by ``take()``.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
    public func isDetached() throws -> Bool { try ask("ArrayBufferPrototypeGetDetached") }

    /// Returns whether a script may change the buffer's size.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
    public func isResizable() throws -> Bool { try ask("ArrayBufferPrototypeGetResizable") }

    /// Copies the bytes.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` if the buffer is detached.
    public func toData() throws -> Data { try value.toData() }

    /// Takes the bytes from the script, without a copy: the buffer is then detached, and its views are empty.
    ///
    /// The bytes remain in the engine's memory, so the result keeps the context alive as a ``JSValue`` does. A
    /// buffer whose bytes native code has accessed in place (``JSTypedArray/withUnsafeBytes(_:)``) keeps its own bytes,
    /// and the result is a copy.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` if the buffer is detached.
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
        message: "the buffer is detached"
    )
    static let isResizableError = JSException(
        name: "TypeError",
        message: "the bytes of a resizable buffer cannot be accessed in place: copy them with toData()"
    )

    private func ask(_ getter: String) throws -> Bool {
        let context = value.context
        return try context.withTurn {
            JSValueToBoolean(context.ref, try context.call(context.primordial(getter), [value.ref]))
        }
    }
}

/// An owner of a `Data`'s bytes, which lives until the engine releases them.
final class ByteOwner {
    private static let smallest = 1024

    private var data: Data
    private var copy: UnsafeMutableRawBufferPointer?
    private let alignment: Int
    private var releases: DeferredReleaseQueue?

    init(_ data: consuming Data, alignment: Int) {
        self.data = data
        self.alignment = alignment
    }

    deinit { copy?.deallocate() }

    /// Returns the address of the bytes.
    ///
    /// The address is stable as long as this object lives and no other code uses its `Data`: a `Data` beyond its
    /// inline form keeps its bytes in one allocation of its own.
    private func start() -> UnsafeMutableRawPointer? {
        if data.count > Self.smallest {
            // This copies the bytes if another `Data` shares them.
            let start = data.withUnsafeMutableBytes { $0.baseAddress }
            if let start, Int(bitPattern: start).isMultiple(of: alignment) { return start }
        }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(data.count, 1), alignment: 16)
        data.copyBytes(to: copy)
        data = Data()
        self.copy = copy
        return copy.baseAddress
    }

    /// Creates a value of the engine over the bytes.
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
            // The engine releases the bytes in any case: with the value, or immediately if it creates none. It may be
            // in the middle of a collection, and the `Data` may have a custom deallocator. This object is therefore
            // released at the next turn.
            let value = make(
                bytes,
                { _, owner in
                    guard let owner else { return }
                    Unmanaged<ByteOwner>.fromOpaque(owner).takeUnretainedValue().releases?
                        .enqueueRelease(Unmanaged<AnyObject>.fromOpaque(owner))
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
    /// Copies the bytes that an `ArrayBuffer`, a typed array or a `DataView` contains or shows.
    ///
    /// The buffer stays detachable: reading its address from the engine would prevent a later detachment.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` if the value is none of these, or is detached.
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
            // The engine's C API knows neither Float16Array nor DataView; the language's own getters do.
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
        message: "not an ArrayBuffer, a typed array or a DataView"
    )

    private func ask(_ getter: String) throws -> JSValue {
        JSValue(try context.call(context.primordial(getter), [ref]), in: context)
    }

    private func number(_ getter: String) throws -> Int { Int(exactly: try ask(getter).toDouble()) ?? 0 }
}

extension JSContext {
    private static let scratchCount = 131_072

    /// Copies bytes out of a buffer through a scratch area of the package that stays in the processor's cache.
    ///
    /// A turn must be open.
    fileprivate func copyBytes(of buffer: JSValue, at offset: Int, count: Int) throws -> Data {
        let (scratch, memory) = try byteScratch()
        let (construct, set) = (try primordial("Uint8Array"), try primordial("TypedArrayPrototypeSet"))
        guard let result = malloc(count) else {
            throw JSException(name: "RangeError", message: "cannot allocate \(count) bytes")
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
        // Created only here, because a short `Data` copies the bytes and frees them immediately.
        return Data(bytesNoCopy: result, count: count, deallocator: .free)
    }

    /// Returns the scratch area and creates it on first use.
    private func byteScratch() throws -> (JSObjectRef, UnsafeMutableRawPointer) {
        if let area = held.byteArea { return area }
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
        held.values.append(array)
        held.byteArea = (array, memory)
        return (array, memory)
    }
}
