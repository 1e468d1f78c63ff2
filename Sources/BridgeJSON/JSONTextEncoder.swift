public import BridgeValues

/// An encoder of `Encodable` types directly as JSON text in UTF-16, the engine's form of text.
///
/// The result is that of ``ValueEncoder`` and the text wire together, without a ``Value`` in between. An optional
/// member that is `nil` is left out, and so is `undefined`, which is `null` in an array. `Decimal` and `URL` are
/// strings. Whole numbers have all their digits; other numbers have the fewest digits that identify them, as JavaScript
/// writes them (`1e+21`, `5e-7`; `-0` is `0`). The text is well-formed: a lone surrogate of a ``Value`` is escaped, and
/// so are U+007F, U+2028 and U+2029 (P63).
///
/// ```swift
/// let text = try JSONTextEncoder().encode(["id": 1])  // {"id":1}
/// ```
///
/// Members are in the order in which the type writes them, each once. A type that writes a member twice, or returns to
/// a container that it has left, costs a second encoding through ``Value``.
///
/// - Complexity: Linear in the length of the text.
public struct JSONTextEncoder: Sendable {
    /// The representation of a `Date`.
    public typealias DateStrategy = JSONTextDecoder.DateStrategy

    /// The representation of `Data`; ``JSONTextDecoder`` reads all of these.
    public enum DataStrategy: Sendable, Hashable {
        /// A base64 string.
        case base64
        /// An array of numbers.
        case numbers
        /// An object with the indexes as keys, as `JSON.stringify` makes of a `Uint8Array` (P64).
        case indexes
        /// An error that names the member.
        case fail
    }

    /// The representation of a number that JSON lacks: NaN or an infinity.
    public enum NonFiniteStrategy: Sendable, Hashable {
        /// An error that names the member (P70).
        case fail
        /// `null`, as `JSON.stringify` writes it (P64).
        case null
    }

    /// The representation of a `Date`; one outside the range of JavaScript's dates is `null`, as in JavaScript.
    public var dateStrategy: DateStrategy
    /// The representation of `Data`.
    public var dataStrategy: DataStrategy
    /// The representation of NaN and infinities.
    public var nonFiniteStrategy: NonFiniteStrategy
    /// The limits on the length, the depth and the number of values of a text.
    public var limits: BridgeLimits
    /// A Boolean value that indicates whether references without extension values are written as marks, for a log.
    var marksReferences = false

    /// The configuration of an encoder.
    typealias Configuration = JSONTextEncoder

    /// Creates an encoder.
    public init(
        dateStrategy: DateStrategy = .iso8601,
        dataStrategy: DataStrategy = .base64,
        nonFiniteStrategy: NonFiniteStrategy = .fail,
        limits: BridgeLimits = BridgeLimits()
    ) {
        self.dateStrategy = dateStrategy
        self.dataStrategy = dataStrategy
        self.nonFiniteStrategy = nonFiniteStrategy
        self.limits = limits
    }

    /// Encodes a value as a string.
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded`; with `encodeFailed` and the path, for NaN or an
    ///   infinity and where the type's own coding throws an `EncodingError`; any other error of the type.
    public func encode(_ value: some Encodable) throws -> String {
        try withEncodedUnits(of: value) { String(decoding: $0, as: UTF16.self) }
    }

    /// Encodes a value as UTF-16 code units.
    ///
    /// - Throws: The errors of ``encode(_:)``.
    public func encodeUnits(of value: some Encodable) throws -> [UInt16] {
        try withEncodedUnits(of: value) { Array($0) }
    }

    /// Encodes a value and passes its UTF-16 code units to a closure, without a copy.
    ///
    /// - Throws: The errors of ``encode(_:)`` and of `body`.
    public func withEncodedUnits<Result>(
        of value: some Encodable,
        _ body: (UnsafeBufferPointer<UInt16>) throws -> Result
    ) throws -> Result {
        let sink = try sink(with: value, places: nil)
        return try withExtendedLifetime(sink) {
            try body(UnsafeBufferPointer(start: sink.units, count: sink.count))
        }
    }

    /// Encodes a value, with extension values for the parts that JSON lacks, for a reader that supports them.
    ///
    /// - Returns: The text, and the extension values where there are any.
    /// - Throws: The errors of ``encode(_:)``.
    func encodeUnitsAndExtensionValues(
        of value: some Encodable,
        takesReferences: Bool
    ) throws -> ([UInt16], ExtensionValues?) {
        var empty = ExtensionValues()
        empty.takesReferences = takesReferences
        let sink = try sink(with: value, places: empty)
        let places = sink.places.flatMap { $0.isNeeded ? $0 : nil }
        return (Array(UnsafeBufferPointer(start: sink.units, count: sink.count)), places)
    }

    /// Encodes a value and passes its units to a closure, with extension values for the parts that JSON lacks.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - takesReferences: Whether the reader supports references; `nil` if it supports nothing but JSON.
    ///   - body: A closure that receives the units, and the extension values where there are any.
    /// - Throws: The errors of ``encode(_:)`` and of `body`.
    package func withUnitsAndExtensionValues(
        of value: some Encodable,
        takesReferences: Bool?,
        _ body: (UnsafeBufferPointer<UInt16>, ExtensionValues?) throws -> Void
    ) throws {
        let empty = takesReferences.map { takesReferences in
            var places = ExtensionValues()
            places.takesReferences = takesReferences
            return places
        }
        let sink = try sink(with: value, places: empty)
        let places = sink.places.flatMap { $0.isNeeded ? $0 : nil }
        try withExtendedLifetime(sink) {
            try body(UnsafeBufferPointer(start: sink.units, count: sink.count), places)
        }
    }

    private func sink(with value: some Encodable, places: ExtensionValues?) throws -> JSONSink {
        do {
            return try writtenSink(with: value, places: places)
        } catch let error as EncodingError {
            throw BridgeError(encoding: error)
        }
    }

    private func writtenSink(with value: some Encodable, places: ExtensionValues?) throws -> JSONSink {
        var sink = JSONSink(self, capacity: 512)
        sink.places = places
        try sink.encode(value)
        if let failure = sink.failure { throw failure }
        if sink.isIrregular {
            let tree = try ValueEncoder().encode(value)
            sink = JSONSink(self, capacity: 512)
            sink.places = places
            try sink.write(value: tree)
        }
        try sink.checkLength()
        return sink
    }
}
