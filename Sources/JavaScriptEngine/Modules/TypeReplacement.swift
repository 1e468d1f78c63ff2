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

    private struct Place {
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
        guard source.utf8.count < 1 << 24, Self.mayHavePlace(source)
        else { return nil }
        let expression =
            #/(?<open>["'])(?<name>[^"'\\\n]*)\k<open>\s*with\s*\{\s*type\s*:\s*(?<quote>["'])(?<type>text|bytes)\k<quote>\s*,?\s*\}/#
        let found = source.matches(of: expression).prefix(Self.maximumPlaceCount)
        guard !found.isEmpty else { return nil }
        places = found.map { match in
            let start = source.utf8.distance(from: source.startIndex, to: match.output.type.startIndex)
            let type: ModuleType = match.output.type == "text" ? .text : .bytes
            return Place(
                range: start..<start + match.output.type.utf8.count + 1,
                type: type,
                specifier: String(match.output.name)
            )
        }
        text = Array(source.utf8)
        self.url = url
    }

    /// Returns whether a text has one of the types in quotation marks.
    private static func mayHavePlace(_ source: String) -> Bool {
        var source = source
        return source.withUTF8 { bytes in
            // At each quotation mark, because String.contains takes long.
            for index in bytes.indices.dropFirst(5) where bytes[index] == 0x22 || bytes[index] == 0x27 {
                let before = bytes[..<index]
                if before.hasEnd("text") || before.hasEnd("bytes") { return true }
            }
            return false
        }
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

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate func hasEnd(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        let start = endIndex - length
        for offset in 0..<length where self[start + offset] != text.utf8Start[offset] { return false }
        return true
    }
}
