package import BridgeValues

/// A payload as its JSON text on the wire, validated as a whole and not decoded yet.
///
/// A type that is known is decoded directly from the text, without a tree in between. The payload is data like
/// ``Value``, and retains nothing of the message that it was cut from.
package struct JSONPayload: Sendable, Hashable {
    /// The text: one value without whitespace around it.
    package let units: [UInt16]
    /// The number of strings and keys with a lone surrogate (P66).
    package let repairedTexts: Int
    /// The extension values that replace the marks in the text, where both sides support them.
    package var places: ExtensionValues?
    /// A Boolean value that indicates whether it may be a string that contains the JSON of the requested type, as in
    /// dialects whose payloads are strings.
    package var mayHoldJSON = false
    /// A Boolean value that indicates whether the whole payload is a secret (R38).
    package var isSecret = false

    /// Cuts one value out of a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - position: The start of the value, with optional whitespace before it; becomes the end of the value.
    ///     Unchanged if this throws.
    ///   - end: The end of the text.
    ///   - limits: The limits on the length, the depth and the number of values.
    /// - Throws: `decodeFailed` for a text that is not JSON, `limitExceeded`.
    package init(
        cutting text: UnsafeBufferPointer<UInt16>,
        from position: inout Int,
        to end: Int,
        limits: BridgeLimits
    ) throws(BridgeError) {
        var scanner = try JSONTapeScanner(text, in: position..<end, limits: limits, fillsRange: false)
        scanner.skipSpace()
        let start = scanner.position
        try scanner.scanValue()
        units = Array(text[start..<scanner.position])
        repairedTexts = scanner.tape.illFormedTexts
        position = scanner.position
    }

    /// Encodes a value.
    ///
    /// - Throws: The errors of ``JSONTextEncoder/encode(_:)``.
    package init(encoding value: some Encodable, by encoder: JSONTextEncoder) throws {
        units = try encoder.encodeUnits(of: value)
        repairedTexts = 0
    }

    /// Encodes a value, with extension values for the parts that JSON lacks.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder.
    ///   - takesReferences: Whether the reader also supports references.
    /// - Throws: The errors of ``JSONTextEncoder/encode(_:)``; `unsupported` for a reference that the reader does not
    ///   support.
    package init(
        encodingWithPlaces value: some Encodable,
        by encoder: JSONTextEncoder,
        takesReferences: Bool = false
    ) throws {
        (units, places) = try encoder.encodeUnitsAndExtensionValues(
            of: value,
            takesReferences: takesReferences
        )
        repairedTexts = 0
    }

    /// Creates a payload from a text that ``units(ofObject:limits:)`` just wrote.
    package init(written units: [UInt16], _ places: ExtensionValues? = nil) {
        self.units = units
        repairedTexts = 0
        self.places = places
    }

    /// Decodes a type.
    ///
    /// - Throws: The errors of ``JSONTextDecoder/decode(_:from:)-(_,String)``.
    package func decode<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self,
        by decoder: JSONTextDecoder = JSONTextDecoder()
    ) throws -> Decoded {
        if let places {
            let text = try units.withUnsafeBufferPointer { try decoder.decode(Value.self, from: $0) }
            return try ValueDecoder().decode(type, from: places.fill(text))
        }
        do {
            return try units.withUnsafeBufferPointer { try decoder.decode(type, from: $0) }
        } catch {
            // A string stays a string where one is requested; otherwise its content is decoded.
            guard mayHoldJSON, units.first == .quote,
                let text = try? units.withUnsafeBufferPointer({ try decoder.decode(String.self, from: $0) }),
                let held = try? decoder.decode(type, from: text)
            else { throw error }
            return held
        }
    }
}

extension JSONPayload {
    /// The value of a member of an object that is put together from parts.
    package enum Part {
        /// Data, which is encoded here.
        case value(Value)
        /// JSON text, which is copied as it is.
        case text(JSONPayload)
    }

    /// Writes an object of parts: a message around its payload.
    ///
    /// - Parameters:
    ///   - members: The members in order, with unique keys; a member that is `nil` or `undefined` is left out.
    ///   - limits: The limit on the length of the text, and on the depth and the number of the values that are encoded
    ///     here. The object itself does not count.
    /// - Returns: The code units of the text.
    /// - Throws: `limitExceeded`.
    package static func units(
        ofObject members: [(key: String, part: Part?)],
        limits: BridgeLimits
    ) throws(BridgeError) -> [UInt16] {
        var inner = limits
        inner.maximumDepth = min(limits.maximumDepth, .max - 1) + 1
        inner.maximumNodes = min(limits.maximumNodes, .max - 1) + 1
        return try units(limits: inner) { sink in
            try sink.open(isObject: true, slot: 0)
            for (key, part) in members {
                switch part {
                case nil, .value(.undefined)?: continue
                case .value(let value)?:
                    try sink.beginMember(key)
                    try sink.write(value: value)
                case .text(let payload)?:
                    try sink.beginMember(key)
                    try sink.write(units: payload.units)
                }
            }
            try sink.close(to: 0)
        }
    }

    private static func units(limits: BridgeLimits, _ write: (JSONSink) throws -> Void) throws(BridgeError)
        -> [UInt16]
    {
        var encoder = JSONTextEncoder(dataStrategy: .indexes, nonFiniteStrategy: .null, limits: limits)
        encoder.marksReferences = true
        do {
            let sink = JSONSink(encoder, capacity: 512)
            try write(sink)
            try sink.checkLength()
            return Array(UnsafeBufferPointer(start: sink.units, count: sink.count))
        } catch let error as BridgeError {
            throw error
        } catch {
            throw BridgeError(.internal, "A message could not be written. \(error)")
        }
    }

    /// Encodes data by JavaScript's rules where JSON has none (P64): `undefined` leaves its member out, and is `null` in
    /// an array; NaN and infinities are `null`; a date is its ISO string; bytes are an object of indexes.
    ///
    /// A whole number beyond 2^53 has all its digits. A reference is a mark, as in a log.
    ///
    /// - Throws: `limitExceeded`.
    package init(_ value: Value, limits: BridgeLimits) throws(BridgeError) {
        self.init(written: try Self.units(limits: limits) { try $0.write(value: value) })
    }

    /// Formats JSON text without whitespace on several lines, for a log.
    package static func lines(of units: [UInt16]) -> String {
        var lines: [UInt16] = []
        lines.reserveCapacity(units.count * 2)
        var indentation = 0
        func breakLine() {
            lines.append(0x0A)
            lines.append(contentsOf: repeatElement(.space, count: 2 * indentation))
        }
        var isInText = false
        var index = 0
        while index < units.count {
            let unit = units[index]
            index += 1
            if isInText {
                lines.append(unit)
                if unit == .backslash, index < units.count {
                    lines.append(units[index])
                    index += 1
                }
                isInText = unit != .quote
                continue
            }
            switch unit {
            case .openBrace, .openBracket:
                lines.append(unit)
                let isEmpty =
                    index < units.count && (units[index] == .closeBrace || units[index] == .closeBracket)
                if isEmpty {
                    lines.append(units[index])
                    index += 1
                } else {
                    indentation += 1
                    breakLine()
                }
            case .closeBrace, .closeBracket:
                indentation -= 1
                breakLine()
                lines.append(unit)
            case .comma:
                lines.append(unit)
                breakLine()
            case .colon: lines.append(contentsOf: [.space, .colon, .space])
            default:
                isInText = unit == .quote
                lines.append(unit)
            }
        }
        return String(decoding: lines, as: UTF16.self)
    }
}

extension Value {
    /// Decodes one value of a text, without an intermediate payload, and stops after it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - position: The start of the value, with optional whitespace before it; becomes the end of the value.
    ///     Unchanged if this throws.
    ///   - end: The end of the text.
    ///   - limits: The limits on the length, the depth and the number of values.
    ///   - repairedKeys: Grows by the number of keys with a lone surrogate, each of which became U+FFFD.
    /// - Throws: `decodeFailed` for a text that is not JSON, `limitExceeded`.
    package init(
        reading text: UnsafeBufferPointer<UInt16>,
        from position: inout Int,
        to end: Int,
        limits: BridgeLimits,
        repairedKeys: inout Int
    ) throws(BridgeError) {
        var scanner = try JSONTapeScanner(text, in: position..<end, limits: limits, fillsRange: false)
        try scanner.scanValue()
        position = scanner.position
        let document = JSONDocument(of: scanner)
        self = document.value(at: 0)
        repairedKeys += document.illFormedKeys
    }
}
