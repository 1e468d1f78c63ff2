/// Reads `Decodable` types straight from JSON text in UTF-16, as the engine holds text.
///
/// It gives the answers of ``ValueDecoder`` without a ``Value`` in between: the same types, the same rules for
/// `null` and missing members, the same errors with the same words. Beyond what JSON readers usually do
///
/// - `true` is never a number and a number never a boolean (P68);
/// - whole numbers are exact in every integer type they fit, however they are written (`1.0`, `1e3`), and one
///   that `Double` cannot hold is an error for a `Double`, never rounded;
/// - a lone surrogate costs its own place, which becomes U+FFFD and is counted, and not the whole text (P66);
/// - depth, number of values and length are limited, and checked before memory is taken (P67);
/// - of two members with one key the last counts, and keys are told apart by their code units.
///
/// ```swift
/// let message = try JSONTextDecoder().decode(Message.self, from: #"{"id":1,"text":"hello"}"#)
/// ```
///
/// The text is scanned once, whole; then members are looked up in the order in which the type asks for them,
/// which costs nothing where that is the text's order.
///
/// - Complexity: Linear in the length of the text.
public struct JSONTextDecoder: Sendable {
    /// How a `Date` stands in the text.
    public enum DateStrategy: Sendable, Hashable {
        /// As ISO 8601 text: what `Date.prototype.toJSON` writes, and other forms of that standard.
        case iso8601
        /// As a number: what `Date.prototype.getTime` gives.
        case millisecondsSince1970
    }

    /// How a `Date` stands in the text.
    public var dateStrategy: DateStrategy {
        get { configuration.dateStrategy }
        set { configuration.dateStrategy = newValue }
    }

    /// What to do with text that has lone surrogates, which `String` cannot hold.
    ///
    /// Read as ``Value`` it stays exact in either case. In keys each becomes U+FFFD in either case.
    public var illFormedText: ValueDecoder.IllFormedTextPolicy {
        get { configuration.illFormedText }
        set { configuration.illFormedText = newValue }
    }

    /// How long, deep and full a text may be.
    public var limits: BridgeLimits {
        get { configuration.limits }
        set { configuration.limits = newValue }
    }

    /// What a text is read by.
    struct Configuration: Sendable {
        var dateStrategy = DateStrategy.iso8601
        var illFormedText = ValueDecoder.IllFormedTextPolicy.replace
        var limits = BridgeLimits()
    }

    private var configuration: Configuration

    /// Makes a decoder.
    public init(
        dateStrategy: DateStrategy = .iso8601,
        illFormedText: ValueDecoder.IllFormedTextPolicy = .replace,
        limits: BridgeLimits = BridgeLimits()
    ) {
        configuration = Configuration(
            dateStrategy: dateStrategy,
            illFormedText: illFormedText,
            limits: limits
        )
    }

    /// Decodes a type from text.
    ///
    /// - Throws: ``BridgeError`` with the code `decodeFailed` for text that is not JSON or does not fit the type,
    ///   which names the place, or `limitExceeded`; else what the type's own coding throws.
    public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self, from text: String) throws
        -> Decoded
    {
        let units = UTF16Copy(text)
        return try decode(type, from: units.buffer)
    }

    /// Decodes a type from UTF-16 code units, which may hold lone surrogates.
    ///
    /// The units are read while this runs; nothing of them is kept.
    ///
    /// - Throws: As ``decode(_:from:)-(_,String)``.
    public func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        from units: UnsafeBufferPointer<UInt16>
    ) throws -> Decoded {
        var repairedTexts = 0
        return try decode(type, from: units, repairedTexts: &repairedTexts)
    }

    /// Decodes a type from UTF-16 code units, and counts the texts that had a lone surrogate (P66).
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - units: The code units; nothing of them is kept.
    ///   - repairedTexts: Becomes the number of texts and keys in `units` with a lone surrogate, whether the type
    ///     asked for them or not.
    /// - Returns: The value.
    /// - Throws: As ``decode(_:from:)-(_,String)``.
    public func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        from units: UnsafeBufferPointer<UInt16>,
        repairedTexts: inout Int
    ) throws -> Decoded {
        var scanner = try JSONTapeScanner(units, in: 0..<units.count, limits: configuration.limits)
        try scanner.scanAll()
        var document = JSONDocument(of: scanner, configuration)
        // A type may keep its decoder; the units are only lent.
        defer { if !isKnownUniquelyReferenced(&document) { document.endBorrowing() } }
        repairedTexts = document.illFormedTexts
        do {
            return try document.decode(type, at: 0, 0)
        } catch let error as DecodingError {
            throw BridgeError(decoding: error)
        }
    }
}

/// The UTF-16 code units of a `String`, which holds UTF-8.
struct UTF16Copy: ~Copyable {
    let buffer: UnsafeBufferPointer<UInt16>

    init(_ text: String) {
        var text = text
        buffer = text.withUTF8 { bytes in
            let units = UnsafeMutablePointer<UInt16>.allocate(capacity: max(1, bytes.count))
            let count = UTF16Writer.write(bytes, to: units)
            return UnsafeBufferPointer(start: units, count: count)
        }
    }

    deinit { buffer.baseAddress.map { UnsafeMutablePointer(mutating: $0).deallocate() } }
}
