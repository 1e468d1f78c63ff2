internal import CJavaScriptCoreSPI
internal import Foundation

/// The number of terminal columns that a text occupies.
package enum DisplayWidth {
    // The C library's table depends on the locale; this one exists on every system and covers all of Unicode.
    // nonisolated(unsafe) because it is created once and only read.
    nonisolated(unsafe) private static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    /// Returns the width of a text: wide characters count 2, combining marks and control characters 0.
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        let outer = uselocale(locale)
        defer { uselocale(outer) }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Int {
        // A cluster such as a family of emoji is drawn as its widest part. A variation selector requests a picture.
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return character.unicodeScalars.reduce(0) { max($0, Int(jsb_display_width($1.value))) }
    }
}
