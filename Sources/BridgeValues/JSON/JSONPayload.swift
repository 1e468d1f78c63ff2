/// A payload as the JSON text that it is on the wire, checked from end to end and not read yet.
///
/// A type is read straight from it when it is known which: no tree stands in between. It is data like ``Value``,
/// and holds nothing of the message that it was cut out of.
package struct JSONPayload: Sendable, Hashable {
    /// The text: one value without space around it.
    package let units: [UInt16]
    /// How many texts and keys have a lone surrogate (P66).
    package let repairedTexts: Int
    /// What the text has marks for, where its writer and its reader know how to put it in its place.
    package var places: PayloadPlaces?
    /// Whether it may be a text that holds the JSON of what a reader asks for, as in dialects whose payloads are texts.
    package var mayHoldJSON = false
    /// Whether the whole is a secret (R38).
    package var isSecret = false

    /// Cuts one value out of a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - position: Where the value begins, space before it allowed; becomes its end. Unchanged if this throws.
    ///   - end: Where the text ends.
    ///   - limits: How long, deep and full the value may be.
    /// - Throws: `decodeFailed` for what is not JSON, `limitExceeded`.
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
    /// - Throws: As ``JSONTextEncoder/encode(_:)``.
    package init(encoding value: some Encodable, by encoder: JSONTextEncoder) throws {
        units = try encoder.encodeUnits(of: value)
        repairedTexts = 0
    }

    /// Encodes a value with what JSON lacks beside its text.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: How it is written.
    ///   - takesReferences: Whether the reader takes references, too.
    /// - Throws: As ``JSONTextEncoder/encode(_:)``; `unsupported` for a reference that the reader does not take.
    package init(
        encodingWithPlaces value: some Encodable,
        by encoder: JSONTextEncoder,
        takesReferences: Bool = false
    ) throws {
        (units, places) = try encoder.encodeUnitsAndPlaces(of: value, takesReferences: takesReferences)
        repairedTexts = 0
    }

    /// Takes a text that was just written by ``units(ofObject:limits:)``.
    package init(written units: [UInt16], _ places: PayloadPlaces? = nil) {
        self.units = units
        repairedTexts = 0
        self.places = places
    }

    /// Decodes a type.
    ///
    /// - Throws: As ``JSONTextDecoder/decode(_:from:)-(_,String)``.
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
            // A text is a text for who asks for one; for anybody else it is looked into.
            guard mayHoldJSON, units.first == .quote,
                let text = try? units.withUnsafeBufferPointer({ try decoder.decode(String.self, from: $0) }),
                let held = try? decoder.decode(type, from: text)
            else { throw error }
            return held
        }
    }
}

extension JSONPayload {
    /// What stands behind a key of an object that is put together.
    package enum Part {
        /// Data, which is written here.
        case value(Value)
        /// Text, which is taken as it is.
        case text(JSONPayload)
    }

    /// Writes an object of parts: a message around its payload.
    ///
    /// - Parameters:
    ///   - members: The members in their order, each key once; `nil` leaves its member out.
    ///   - limits: How long the text may be, and how deep and full each part that is written here.
    /// - Returns: The units of the text.
    /// - Throws: `limitExceeded`.
    package static func units(
        ofObject members: [(key: String, part: Part?)],
        limits: BridgeLimits
    ) throws(BridgeError) -> [UInt16] {
        do {
            let sink = JSONSink(JSONTextEncoder(nonFiniteStrategy: .null, limits: limits), capacity: 512)
            try sink.open(isObject: true, slot: 0)
            for (key, part) in members {
                guard let part else { continue }
                try sink.beginMember(key)
                switch part {
                case .value(let value): try sink.write(value: value)
                case .text(let payload): try sink.write(units: payload.units)
                }
            }
            try sink.close(to: 0)
            try sink.checkLength()
            return Array(UnsafeBufferPointer(start: sink.units, count: sink.count))
        } catch let error as BridgeError {
            throw error
        } catch {
            throw BridgeError(.internal, "A message could not be written. \(error)")
        }
    }
}

extension Value {
    /// Reads one value of a text and stops behind it: the direct way from text to data.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - position: Where the value begins, space before it allowed; becomes its end. Unchanged if this throws.
    ///   - end: Where the text ends.
    ///   - limits: How long, deep and full the value may be.
    ///   - repairedKeys: Grows by the number of keys with a lone surrogate, each of which became U+FFFD.
    /// - Throws: `decodeFailed` for what is not JSON, `limitExceeded`.
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
