/// The keys of bytes and numbers, in all spellings.
enum KeyCodes {
    /// Returns the key of an ASCII byte.
    static func key(ofByte byte: UInt8, _ modifiers: KeyPress.Modifiers) -> KeyPress? {
        switch byte {
        case 0x08: KeyPress(.backspace, modifiers.union(.control))
        case 0x09: KeyPress(.tab, modifiers)
        case 0x0D: KeyPress(.enter, modifiers)
        case 0x1B: KeyPress(.escape, modifiers)
        case 0x7F: KeyPress(.backspace, modifiers)
        case 0x00: KeyPress(.character(" "), modifiers.union(.control))
        case 0x01..<0x1B: KeyPress(.character(letter(byte + 0x60)), modifiers.union(.control))
        case 0x1C..<0x20: KeyPress(.character(letter(byte + 0x40)), modifiers.union(.control))
        case 0x20..<0x7F: KeyPress(.character(letter(byte)), modifiers)
        default: nil
        }
    }

    private static func letter(_ byte: UInt8) -> Character { Character(Unicode.Scalar(byte)) }

    /// Returns the key of the last byte of `CSI ... X` or `SS3 X`.
    ///
    /// `M` is the keypad's Enter after SS3 only: `CSI M` begins a mouse event of the old form.
    static func key(ofFinal byte: UInt8, isSingleShift: Bool = false) -> KeyPress.Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M") where isSingleShift: .enter
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte) - 0x4F)
        default: nil
        }
    }

    /// Returns the key of the number in `CSI number ~`.
    static func key(ofNumber number: Int) -> KeyPress.Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...24: .function(number - 12)
        default: nil
        }
    }

    /// Returns the key of the code in `CSI code u` of the Kitty protocol, or `nil` for keys that mean nothing here.
    static func key(ofCode code: Int) -> KeyPress.Key? {
        switch code {
        case 9: return .tab
        case 13, 57414: return .enter
        case 27: return .escape
        case 127, 8: return .backspace
        case 57399...57408: return .character(letter(UInt8(code - 57399) + 0x30))
        case 57417: return .left
        case 57418: return .right
        case 57419: return .up
        case 57420: return .down
        case 57421: return .pageUp
        case 57422: return .pageDown
        case 57423: return .home
        case 57424: return .end
        case 57425: return .insert
        case 57426: return .delete
        case 57344...63743, 0..<32: return nil
        default: return UInt32(exactly: code).flatMap(Unicode.Scalar.init).map { .character(Character($0)) }
        }
    }

    /// Returns the modifiers of a parameter, which is 1 plus their bits.
    static func modifiers(_ parameter: Int) -> KeyPress.Modifiers {
        KeyPress.Modifiers(rawValue: UInt8(truncatingIfNeeded: max(0, min(parameter, 256) - 1)) & 7)
    }
}
