internal import CTerminal

/// The width of single code points, as the C library knows it.
enum CodePointWidth {
    /// Returns the number of cells of a code point: 0 for one that combines, -1 for one that the library does not know.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x7F { return value < 0x20 ? -1 : 1 }
        // Latin letters beyond ASCII, without the control characters and the soft hyphen.
        if (0xA0..<0x300).contains(value), value != 0xAD { return 1 }
        if (0x4E00...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value) { return 2 }
        return Int(CTerminal_width(value))
    }

    /// Returns whether every terminal draws a code point in the same number of cells: ASCII, Latin, Greek, Cyrillic,
    /// plain CJK and line drawing.
    static func isCertain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300, 0x370..<0x378, 0x391..<0x3A2, 0x3A3..<0x483,
            0x48A..<0x530:
            true
        case 0x2026, 0x2400...0x2424, 0x2500...0x259F: true
        case 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0xFF01...0xFF5E:
            true
        default: false
        }
    }
}
