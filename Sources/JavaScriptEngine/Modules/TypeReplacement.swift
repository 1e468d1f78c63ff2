/// The replacement of types in static imports that the engine's parser refuses: `text` and `bytes` become `json` there.
///
/// The text is searched for places that look like such an import. Whether a place is one, and not part of a string or a
/// comment, the engine's parser tells: the place gets a type that nothing else has, and the parser's error names it. The
/// length of the text does not change, so positions remain.
struct TypeReplacement {
    let url: String
    /// The types of the replaced imports, by specifier.
    private(set) var types: [String: ModuleType] = [:]
    private var text: [UInt8]
    private let places: [Place]
    private var current = -1

    fileprivate struct Place {
        /// The bytes of the type in its quotation marks, and the closing mark.
        let range: Range<Int>
        let type: ModuleType
        let specifier: String
    }

    /// The number of places that are examined, each of which costs a parse.
    private static let maximumPlaceCount = 64
    /// A type that nothing has, of four characters as the shorter one of the replaced.
    private static let mark = Array("\u{7f}\u{7f}?!".utf8)

    /// Creates a replacement; `nil` if the text has no such place.
    init?(_ source: String, url: String) {
        guard source.utf8.count < 1 << 24 else { return nil }
        var source = source
        let (found, bytes) = source.withUTF8 { bytes -> ([Place], [UInt8]) in
            let places = TypeAttributeScanner(bytes).places(atMost: Self.maximumPlaceCount)
            return (places, places.isEmpty ? [] : Array(bytes))
        }
        guard !found.isEmpty else { return nil }
        (places, text) = (found, bytes)
        self.url = url
    }

    /// Returns the text to parse next, after the parser's error; `nil` if nothing remains to replace.
    mutating func next(after message: String) -> String? {
        if places.indices.contains(current) {
            let place = places[current]
            if message.utf8.contains(0x7F) {
                write("json", at: place)
                types[place.specifier] = place.type
            } else {
                write(place.type.rawValue, at: place)
            }
        }
        guard current < places.count else { return nil }
        current += 1
        if current < places.count { write(String(decoding: Self.mark, as: UTF8.self), at: places[current]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes a type and the closing mark, and blanks behind it if the type is shorter than the original one.
    private mutating func write(_ type: String, at place: Place) {
        let quote = text[place.range.lowerBound - 1]
        var bytes = Array(type.utf8) + [quote]
        while bytes.count < place.range.count { bytes.append(UInt8(ascii: " ")) }
        text.replaceSubrange(place.range, with: bytes)
    }
}

/// A search for `"specifier" with { type: "text" }` in a text, from the end of each place: one pass over the bytes, as a
/// hostile text must not take longer than a plain one.
private struct TypeAttributeScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The index before which the rest of a place is read backwards.
    private var end = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the places, in their order.
    func places(atMost limit: Int) -> [TypeReplacement.Place] {
        var places: [TypeReplacement.Place] = []
        // At each quotation mark, because String.contains takes long.
        for index in bytes.indices.dropFirst(5) where bytes[index] == 0x22 || bytes[index] == 0x27 {
            let type: ModuleType? =
                hasEnd("text", before: index) ? .text : hasEnd("bytes", before: index) ? .bytes : nil
            guard let type, let place = place(of: type, closedAt: index) else { continue }
            places.append(place)
            if places.count == limit { break }
        }
        return places
    }

    private func place(of type: ModuleType, closedAt index: Int) -> TypeReplacement.Place? {
        let start = index - type.rawValue.utf8.count
        var scanner = self
        scanner.end = start
        guard scanner.take(byte: bytes[index]), scanner.skipSpace(), scanner.take(":"),
            scanner.skipSpace(), scanner.take("type"), scanner.skipSpace(), scanner.take("{"),
            scanner.skipSpace(), scanner.take("with"), scanner.skipSpace(),
            let specifier = scanner.takeString()
        else { return nil }
        return TypeReplacement.Place(range: start..<index + 1, type: type, specifier: specifier)
    }

    private func hasEnd(_ text: StaticString, before end: Int) -> Bool {
        let start = end - text.utf8CodeUnitCount
        return start > 0 && bytes[start..<end].starts(withText: text)
    }

    private mutating func take(byte: UInt8) -> Bool {
        guard end > 0, bytes[end - 1] == byte else { return false }
        end -= 1
        return true
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard hasEnd(text, before: end) else { return false }
        end -= text.utf8CodeUnitCount
        return true
    }

    /// Skips white space, up to a bound, and returns `true`.
    private mutating func skipSpace() -> Bool {
        let bound = max(0, end - 256)
        while end > bound, bytes[end - 1] == 0x20 || (0x09...0x0D).contains(bytes[end - 1]) { end -= 1 }
        return true
    }

    /// Returns the string in quotation marks, without escapes, before the end.
    private mutating func takeString() -> String? {
        guard end > 0, bytes[end - 1] == 0x22 || bytes[end - 1] == 0x27 else { return nil }
        let (mark, last) = (bytes[end - 1], end - 1)
        let bound = max(0, last - URLModuleResolver.maximumSpecifierBytes)
        var first = last
        while first > bound {
            first -= 1
            let byte = bytes[first]
            if byte == mark { return String(decoding: bytes[(first + 1)..<last], as: UTF8.self) }
            if byte == 0x22 || byte == 0x27 || byte == 0x5C || byte == 0x0A { return nil }
        }
        return nil
    }
}
