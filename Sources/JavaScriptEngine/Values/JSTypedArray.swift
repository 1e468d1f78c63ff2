internal import BridgeValues
internal import CJavaScriptCore
public import Foundation

/// A typed array: numbers of one kind over the bytes of an `ArrayBuffer`.
///
/// ```swift
/// let samples = try JSTypedArray(of: .float32, data: recording, in: context)
/// let louder = try amplify.call(withArguments: [samples.value])
/// let result = try JSTypedArray(louder).toData()
/// ```
///
/// Like ``JSValue`` it stays with its context's owner.
public struct JSTypedArray {
    /// What the elements are.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// `Int8Array`.
        case int8
        /// `Uint8Array`.
        case uint8
        /// `Uint8ClampedArray`.
        case uint8Clamped
        /// `Int16Array`.
        case int16
        /// `Uint16Array`.
        case uint16
        /// `Int32Array`.
        case int32
        /// `Uint32Array`.
        case uint32
        /// `Float32Array`.
        case float32
        /// `Float64Array`.
        case float64
        /// `BigInt64Array`.
        case bigInt64
        /// `BigUint64Array`.
        case bigUint64
    }

    /// The array as a value.
    public let value: JSValue
    /// What the elements are.
    public let kind: Kind

    /// Takes a value for a typed array.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` where it is none. A `DataView` and a
    ///   `Float16Array` are none of these: their bytes are read by ``JSValue/toData()``.
    public init(_ value: JSValue) throws {
        guard let kind = Kind(engine: JSValueGetTypedArrayType(value.context.ref, value.ref, nil)) else {
            throw JSException(
                name: "TypeError",
                message: "a value that is no typed array was taken for one"
            )
        }
        self.value = value
        self.kind = kind
    }

    /// Makes a typed array of bytes, without a copy where nobody else holds them.
    ///
    /// The engine owns the bytes from now on. A script may change them, so they are copied first if another
    /// `Data` shares them; pass the only one on (`consume data`) to save that. Up to 1 KiB is always copied.
    ///
    /// - Parameters:
    ///   - kind: What the elements are, in the machine's own byte order.
    ///   - data: The bytes.
    ///   - context: Where it lives.
    /// - Throws: ``JSException`` with the name `RangeError` where the bytes are no whole number of elements
    ///   or the engine has no memory for them.
    public init(of kind: Kind = .uint8, data: consuming Data, in context: JSContext) throws {
        let count = data.count
        guard count.isMultiple(of: kind.elementSize) else {
            throw JSException(
                name: "RangeError",
                message: "\(count) bytes are no whole number of elements of \(kind.elementSize) bytes"
            )
        }
        self.kind = kind
        value = try ByteOwner(data, alignment: kind.elementSize).makeValue(in: context) {
            JSObjectMakeTypedArrayWithBytesNoCopy(context.ref, kind.engine, $0, count, $1, $2, $3)
        }
    }

    /// Makes a typed array and writes its bytes where the engine will find them.
    ///
    /// - Parameters:
    ///   - kind: What the elements are.
    ///   - count: How many elements there are.
    ///   - context: Where it lives.
    ///   - initialize: Writes the elements, which are zero before.
    /// - Throws: What `initialize` throws; ``JSException`` where the engine has no memory for it.
    public init(
        of kind: Kind,
        count: Int,
        in context: JSContext,
        initializingWith initialize: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: kind.elementSize)
        guard count >= 0, !overflow, byteCount <= UInt32.max else {
            throw JSException(name: "RangeError", message: "there is no typed array of \(count) elements")
        }
        var data = Data(count: byteCount)
        try data.withUnsafeMutableBytes(initialize)
        try self.init(of: kind, data: data, in: context)
    }

    /// How many bytes the array shows now: 0 where its buffer is detached or became too short.
    public var byteCount: Int { JSObjectGetTypedArrayByteLength(value.context.ref, value.ref, nil) }

    /// How many elements the array shows now.
    public var count: Int { byteCount / kind.elementSize }

    /// The buffer that the array shows a part of.
    ///
    /// - Throws: ``JSException`` where the turn was stopped.
    public func buffer() throws -> JSArrayBuffer {
        try value.context.withTurn {
            try JSArrayBuffer(
                JSValue(
                    value.context.call(
                        value.context.primordial("TypedArrayPrototypeGetBuffer"),
                        [value.ref]
                    ),
                    in: value.context
                )
            )
        }
    }

    /// Copies the bytes that the array shows.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` where the buffer is detached.
    public func toData() throws -> Data { try value.toData() }

    /// Runs a body with the bytes that the array shows, where they are.
    ///
    /// No script may run meanwhile. The engine never again moves or detaches a buffer whose bytes were shown
    /// so: a later `transfer()` copies. (Bytes of a resizable buffer are copied first.)
    ///
    /// - Throws: What the body throws; ``JSException`` with the name `TypeError` where the buffer is
    ///   detached.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        guard try !buffer().isResizable() else { return try toData().withUnsafeBytes(body) }
        return try withBytes { try body(UnsafeRawBufferPointer($0)) }
    }

    /// Runs a body that changes the bytes that the array shows, where they are.
    ///
    /// See ``withUnsafeBytes(_:)``.
    ///
    /// - Throws: What the body throws; ``JSException`` with the name `TypeError` where the buffer is detached
    ///   or resizable.
    public func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard try !buffer().isResizable() else { throw JSArrayBuffer.isResizableError }
        return try withBytes(body)
    }

    private func withBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        let context = value.context
        return try context.withTurn {
            guard try !buffer().isDetached() else { throw JSArrayBuffer.isDetachedError }
            var exception: JSValueRef?
            let count = JSObjectGetTypedArrayByteLength(context.ref, value.ref, &exception)
            // The pointer is that of the buffer, not of the part that the array shows.
            guard count > 0, let start = JSObjectGetTypedArrayBytesPtr(context.ref, value.ref, &exception)
            else {
                guard exception == nil else { throw context.exception(from: exception) }
                return try body(UnsafeMutableRawBufferPointer(start: nil, count: 0))
            }
            let offset = JSObjectGetTypedArrayByteOffset(context.ref, value.ref, &exception)
            defer { withExtendedLifetime(value) {} }
            return try body(UnsafeMutableRawBufferPointer(start: start + offset, count: count))
        }
    }
}

extension JSTypedArray.Kind {
    /// How many bytes an element takes.
    public var elementSize: Int {
        switch self {
        case .int8, .uint8, .uint8Clamped: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float32: 4
        case .float64, .bigInt64, .bigUint64: 8
        }
    }

    var engine: JSTypedArrayType {
        switch self {
        case .int8: kJSTypedArrayTypeInt8Array
        case .uint8: kJSTypedArrayTypeUint8Array
        case .uint8Clamped: kJSTypedArrayTypeUint8ClampedArray
        case .int16: kJSTypedArrayTypeInt16Array
        case .uint16: kJSTypedArrayTypeUint16Array
        case .int32: kJSTypedArrayTypeInt32Array
        case .uint32: kJSTypedArrayTypeUint32Array
        case .float32: kJSTypedArrayTypeFloat32Array
        case .float64: kJSTypedArrayTypeFloat64Array
        case .bigInt64: kJSTypedArrayTypeBigInt64Array
        case .bigUint64: kJSTypedArrayTypeBigUint64Array
        }
    }

    init?(engine type: JSTypedArrayType) {
        guard let kind = Self.allCases.first(where: { $0.engine == type }) else { return nil }
        self = kind
    }
}
