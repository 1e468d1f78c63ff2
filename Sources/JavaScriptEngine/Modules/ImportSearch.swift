/// A search for the import that names a module, for an error of loading it.
enum ImportSearch {
    /// The largest text that is searched.
    private static let maximumBytes = 256 * 1024

    /// Returns the line and the column, from 1, of a specifier after `from`, `import` or `import(`.
    ///
    /// - Returns: The position; `nil` if there is not exactly one such place.
    static func position(of specifier: String, in text: String) -> (line: Int, column: Int)? {
        guard text.utf8.count <= maximumBytes, !specifier.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        let places = [UInt8(ascii: "\""), UInt8(ascii: "'")].flatMap { mark in
            Self.places(of: [mark] + Array(specifier.utf8) + [mark], in: bytes)
        }.filter { isImport(bytes[..<$0]) }
        guard let place = places.first, places.count == 1 else { return nil }
        let before = String(decoding: bytes[..<place], as: UTF8.self)
        let lines = before.utf16.split(separator: 10, omittingEmptySubsequences: false)
        return (lines.count, (lines.last?.count ?? 0) + 1)
    }

    private static func places(of name: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard bytes.count >= name.count else { return [] }
        return (0...bytes.count - name.count).filter { start in
            bytes[start] == name[0] && bytes[start..<start + name.count].elementsEqual(name)
        }
    }

    /// Returns whether a specifier of an import can follow.
    private static func isImport(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = trimmed(bytes)
        if rest.last == UInt8(ascii: "(") { rest = trimmed(rest.dropLast()) }
        return ["from", "import"].contains { rest.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = bytes.lastIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        return end.map { bytes[...$0] } ?? bytes.prefix(0)
    }
}
