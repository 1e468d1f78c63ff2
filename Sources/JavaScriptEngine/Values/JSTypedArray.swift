internal import BridgeValues
internal import CJavaScriptCore
public import Foundation

/// A typed array: numbers of one kind in the bytes of an `ArrayBuffer`.
///
/// ```swift
/// let samples = try JSTypedArray(of: .float32, data: recording, in: context)
/// let louder = try amplify.call(withArguments: [samples.value])
/// let result = try JSTypedArray(louder).toData()
/// ```
///
/// Like ``JSValue``, it belongs to its context's owner.
public struct JSTypedArray {
    /// The type of the elements.
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
    /// The type of the elements.
    public let kind: Kind

    /// Wraps a value that is a typed array.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` if the value is not a typed array, or is a `Float16Array`.
    ///   For a `DataView` or a `Float16Array`, use ``JSValue/toData()`` to read the bytes.
    public init(_ value: JSValue) throws {
        guard let kind = Kind(engine: JSValueGetTypedArrayType(value.context.ref, value.ref, nil)) else {
            throw JSException(
                name: "TypeError",
                message: "not a typed array"
            )
        }
        self.value = value
        self.kind = kind
    }

    /// Creates a typed array from bytes, without a copy if nothing else holds them.
    ///
    /// The engine then owns the bytes. A script may change them, so they are copied first if another `Data` shares
    /// them. To avoid the copy, pass the only `Data` that holds them (`consume data`). Up to 1 KiB is always copied.
    ///
    /// - Parameters:
    ///   - kind: The type of the elements, in the machine's own byte order.
    ///   - data: The bytes.
    ///   - context: The context of the new array.
    /// - Throws: ``JSException`` with the name `RangeError` if the number of bytes is not a multiple of the element
    ///   size, or if the engine has no memory for them.
    public init(of kind: Kind = .uint8, data: consuming Data, in context: JSContext) throws {
        let count = data.count
        guard count.isMultiple(of: kind.elementSize) else {
            throw JSException(
                name: "RangeError",
                message: "\(count) bytes are not a multiple of the element size (\(kind.elementSize) bytes)"
            )
        }
        self.kind = kind
        value = try ByteOwner(data, alignment: kind.elementSize).makeValue(in: context) {
            JSObjectMakeTypedArrayWithBytesNoCopy(context.ref, kind.engine, $0, count, $1, $2, $3)
        }
    }

    /// Creates a typed array and writes its elements in place.
    ///
    /// - Parameters:
    ///   - kind: The type of the elements.
    ///   - count: The number of elements.
    ///   - context: The context of the new array.
    ///   - initialize: Writes the elements, which are initially zero.
    /// - Throws: The error of `initialize`; ``JSException`` if the engine has no memory for the array.
    public init(
        of kind: Kind,
        count: Int,
        in context: JSContext,
        initializingWith initialize: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: kind.elementSize)
        guard count >= 0, !overflow, byteCount <= UInt32.max else {
            throw JSException(name: "RangeError", message: "a typed array cannot have \(count) elements")
        }
        var data = Data(count: byteCount)
        try data.withUnsafeMutableBytes(initialize)
        try self.init(of: kind, data: data, in: context)
    }

    /// The current number of bytes of the array; 0 if its buffer is detached or has become too short.
    public var byteCount: Int { JSObjectGetTypedArrayByteLength(value.context.ref, value.ref, nil) }

    /// The current number of elements of the array.
    public var count: Int { byteCount / kind.elementSize }

    /// Returns the buffer that contains the array's elements.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
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

    /// Copies the bytes of the array.
    ///
    /// - Throws: ``JSException`` with the name `TypeError` if the buffer is detached.
    public func toData() throws -> Data { try value.toData() }

    /// Runs a body with access to the bytes of the array in place.
    ///
    /// No script may run meanwhile. Afterwards, the engine never again moves or detaches the buffer: a later
    /// `transfer()` copies. (The bytes of a resizable buffer are copied first.)
    ///
    /// - Throws: The error of the body; ``JSException`` with the name `TypeError` if the buffer is detached.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        guard try !buffer().isResizable() else { return try toData().withUnsafeBytes(body) }
        return try withBytes { try body(UnsafeRawBufferPointer($0)) }
    }

    /// Runs a body that may change the bytes of the array in place.
    ///
    /// See ``withUnsafeBytes(_:)``.
    ///
    /// - Throws: The error of the body; ``JSException`` with the name `TypeError` if the buffer is detached or
    ///   resizable.
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
            // The engine returns the address of the buffer, not of the part that belongs to the array.
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
    /// The number of bytes of an element.
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
