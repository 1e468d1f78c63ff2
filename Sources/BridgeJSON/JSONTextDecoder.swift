public import BridgeValues

/// A decoder of `Decodable` types directly from JSON text in UTF-16, the engine's form of text.
///
/// The results are those of ``ValueDecoder``, without a ``Value`` in between: the same types, the same rules for `null`
/// and missing members, the same error messages. Beyond most JSON decoders:
///
/// - `true` is never a number, and a number is never a boolean (P68);
/// - whole numbers are exact in every integer type that they fit, however they are written (`1.0`, `1e3`);
/// - a whole number that `Double` cannot hold is an error for a `Double`, never rounded;
/// - a lone surrogate becomes U+FFFD and is counted; the rest of the text is still decoded (P66);
/// - length, depth and number of values are limited, and checked before memory is allocated (P67);
/// - of several members with the same key the last one counts, and keys are compared by their code units.
///
/// ```swift
/// let message = try JSONTextDecoder().decode(Message.self, from: #"{"id":1,"text":"hello"}"#)
/// ```
///
/// The text is scanned once as a whole. Then members are looked up in the order in which the type requests them, which
/// costs nothing if that is their order in the text.
///
/// - Complexity: Linear in the length of the text.
public struct JSONTextDecoder: Sendable {
    /// The representation of a `Date` in the text.
    public enum DateStrategy: Sendable, Hashable {
        /// An ISO 8601 string: the form that `Date.prototype.toJSON` writes, and other forms of that standard.
        case iso8601
        /// A number: the result of `Date.prototype.getTime`.
        case millisecondsSince1970
    }

    /// The representation of a `Date` in the text.
    public var dateStrategy: DateStrategy {
        get { configuration.dateStrategy }
        set { configuration.dateStrategy = newValue }
    }

    /// The treatment of strings with lone surrogates, which `String` cannot hold.
    ///
    /// A string that is decoded as ``Value`` keeps its lone surrogates in either case. In keys each becomes U+FFFD in
    /// either case.
    public var illFormedText: ValueDecoder.IllFormedTextPolicy {
        get { configuration.illFormedText }
        set { configuration.illFormedText = newValue }
    }

    /// The limits on the length, the depth and the number of values of a text.
    public var limits: BridgeLimits {
        get { configuration.limits }
        set { configuration.limits = newValue }
    }

    /// The configuration of a decoder.
    struct Configuration: Sendable {
        var dateStrategy = DateStrategy.iso8601
        var illFormedText = ValueDecoder.IllFormedTextPolicy.replace
        var limits = BridgeLimits()
    }

    private var configuration: Configuration

    /// Creates a decoder.
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

    /// Decodes a type from a string.
    ///
    /// - Throws: ``BridgeError`` with the code `decodeFailed` and the path, for text that is not JSON or does not fit
    ///   the type; with `limitExceeded`; any other error of the type's own coding.
    public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self, from text: String) throws
        -> Decoded
    {
        let units = UTF16Copy(text)
        return try decode(type, from: units.buffer)
    }

    /// Decodes a type from UTF-16 code units, which may contain lone surrogates.
    ///
    /// The units are read only during the call.
    ///
    /// - Throws: The errors of ``decode(_:from:)-(_,String)``.
    public func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        from units: UnsafeBufferPointer<UInt16>
    ) throws -> Decoded {
        var repairedTexts = 0
        return try decode(type, from: units, repairedTexts: &repairedTexts)
    }

    /// Decodes a type from UTF-16 code units, and counts the strings that had a lone surrogate (P66).
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - units: The code units, which are read only during the call.
    ///   - repairedTexts: Becomes the number of strings and keys in `units` with a lone surrogate, including those that
    ///     the type did not decode.
    /// - Returns: The value.
    /// - Throws: The errors of ``decode(_:from:)-(_,String)``.
    public func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        from units: UnsafeBufferPointer<UInt16>,
        repairedTexts: inout Int
    ) throws -> Decoded {
        var scanner = try JSONTapeScanner(units, in: 0..<units.count, limits: configuration.limits)
        try scanner.scanAll()
        var document = JSONDocument(of: scanner, configuration)
        // A type may retain its decoder, but the units are only borrowed.
        defer { if !isKnownUniquelyReferenced(&document) { document.endBorrowing() } }
        repairedTexts = document.illFormedTexts
        do {
            return try document.decode(type, at: 0, 0)
        } catch let error as DecodingError {
            throw BridgeError(decoding: error)
        }
    }
}

/// A copy of a string's UTF-16 code units; `String` itself stores UTF-8.
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
