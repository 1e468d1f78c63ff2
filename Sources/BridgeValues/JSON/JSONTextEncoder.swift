/// Writes `Encodable` types straight as JSON text in UTF-16, as the engine takes text.
///
/// It writes what ``ValueEncoder`` and the text wire make together, without a ``Value`` in between: `nil` of an
/// optional member is left out, `undefined` likewise and `null` in a list, `Decimal` and `URL` are text, whole
/// numbers have all their digits, other numbers the fewest that lead back to them, as JavaScript writes them
/// (`1e+21`, `5e-7`; `-0` is `0`). The text is well-formed: a lone surrogate of a ``Value`` is escaped; so are
/// U+007F, U+2028 and U+2029 (P63).
///
/// ```swift
/// let text = try JSONTextEncoder().encode(["id": 1])  // {"id":1}
/// ```
///
/// Members stand in the order in which the type writes them, each once. A type that writes a member twice, or goes
/// back to a container that it has left, costs a second encoding by way of ``Value``.
///
/// - Complexity: Linear in the length of the text.
public struct JSONTextEncoder: Sendable {
    /// How a `Date` is written.
    public typealias DateStrategy = JSONTextDecoder.DateStrategy

    /// How `Data` is written; ``JSONTextDecoder`` reads all of these.
    public enum DataStrategy: Sendable, Hashable {
        /// As text in base64.
        case base64
        /// As a list of numbers.
        case numbers
        /// As an object of indexes, which is what `JSON.stringify` makes of a `Uint8Array` (P64).
        case indexes
        /// Not at all: an error that names the member.
        case fail
    }

    /// What becomes of a number that JSON has no number for: a NaN or an infinity.
    public enum NonFiniteStrategy: Sendable, Hashable {
        /// An error that names the member (P70).
        case fail
        /// `null`, as `JSON.stringify` writes it (P64).
        case null
    }

    /// How a `Date` is written; one outside the range of JavaScript's dates is `null`, as there.
    public var dateStrategy: DateStrategy
    /// How `Data` is written.
    public var dataStrategy: DataStrategy
    /// What becomes of a NaN or an infinity.
    public var nonFiniteStrategy: NonFiniteStrategy
    /// How long, deep and full a text may become.
    public var limits: BridgeLimits

    /// What a text is written by.
    typealias Configuration = JSONTextEncoder

    /// Makes an encoder.
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

    /// Encodes a value as text.
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded`, or `encodeFailed` that names the place, for a NaN or an
    ///   infinity and where the type's own coding throws an `EncodingError`; what that throws else.
    public func encode(_ value: some Encodable) throws -> String {
        try withEncodedUnits(of: value) { String(decoding: $0, as: UTF16.self) }
    }

    /// Encodes a value as UTF-16 code units.
    ///
    /// - Throws: As ``encode(_:)``.
    public func encodeUnits(of value: some Encodable) throws -> [UInt16] {
        try withEncodedUnits(of: value) { Array($0) }
    }

    /// Encodes a value and lends its UTF-16 code units, which saves their copy.
    ///
    /// - Throws: As ``encode(_:)``, and what `body` throws.
    public func withEncodedUnits<Result>(
        of value: some Encodable,
        _ body: (UnsafeBufferPointer<UInt16>) throws -> Result
    ) throws -> Result {
        let sink = try sink(with: value, places: nil)
        return try withExtendedLifetime(sink) {
            try body(UnsafeBufferPointer(start: sink.units, count: sink.count))
        }
    }

    /// Encodes a value with what JSON lacks beside it, for a reader that puts it in its place.
    ///
    /// - Returns: The text, and the list where something of it is not JSON's.
    /// - Throws: As ``encode(_:)``.
    func encodeUnitsAndPlaces(
        of value: some Encodable,
        takesReferences: Bool
    ) throws -> ([UInt16], PayloadPlaces?) {
        var empty = PayloadPlaces()
        empty.takesReferences = takesReferences
        let sink = try sink(with: value, places: empty)
        let places = sink.places.flatMap { $0.isNeeded ? $0 : nil }
        return (Array(UnsafeBufferPointer(start: sink.units, count: sink.count)), places)
    }

    /// Encodes a value and lends its units, with what JSON lacks beside them.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - takesReferences: Whether the reader takes references; `nil` where it takes nothing but JSON.
    ///   - body: Gets the units, and the places where something of the value is not JSON's.
    /// - Throws: As ``encode(_:)``, and what `body` throws.
    package func withUnitsAndPlaces(
        of value: some Encodable,
        takesReferences: Bool?,
        _ body: (UnsafeBufferPointer<UInt16>, PayloadPlaces?) throws -> Void
    ) throws {
        let empty = takesReferences.map { takesReferences in
            var places = PayloadPlaces()
            places.takesReferences = takesReferences
            return places
        }
        let sink = try sink(with: value, places: empty)
        let places = sink.places.flatMap { $0.isNeeded ? $0 : nil }
        try withExtendedLifetime(sink) {
            try body(UnsafeBufferPointer(start: sink.units, count: sink.count), places)
        }
    }

    private func sink(with value: some Encodable, places: PayloadPlaces?) throws -> JSONSink {
        do {
            return try writtenSink(with: value, places: places)
        } catch let error as EncodingError {
            throw BridgeError(encoding: error)
        }
    }

    private func writtenSink(with value: some Encodable, places: PayloadPlaces?) throws -> JSONSink {
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
