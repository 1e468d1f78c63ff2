/// A control sequence that a terminal sent: `CSI`, parameters and a final byte.
struct ControlSequence {
    private let prefix: UInt8?
    // The parameters, each with its parts.
    private let parameters: [[Int]]
    private let final: UInt8

    init(parameters bytes: ArraySlice<UInt8>, final: UInt8) {
        var bytes = bytes
        prefix = bytes.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
        if prefix != nil { bytes.removeFirst() }
        parameters = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            parameter in
            parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Self.number)
        }
        self.final = final
    }

    // At most 9 digits count, so that no number overflows.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.filter { (0x30...0x39).contains($0) }.prefix(9).reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private func value(_ index: Int) -> Int {
        parameters.indices.contains(index) ? parameters[index].first ?? 0 : 0
    }

    /// A Boolean value that indicates whether a paste follows.
    var isPasteStart: Bool { prefix == nil && final == UInt8(ascii: "~") && value(0) == 200 }

    /// Returns the event of the sequence, or `nil` if it has none.
    func event(expectsCursorReport: Bool) -> TerminalEvent? {
        switch (prefix, final) {
        case (UInt8(ascii: "<"), UInt8(ascii: "M")): return mouse(isRelease: false)
        case (UInt8(ascii: "<"), UInt8(ascii: "m")): return mouse(isRelease: true)
        case (UInt8(ascii: "?"), UInt8(ascii: "c")): return .reply(.deviceAttributes)
        case (nil, UInt8(ascii: "R")) where expectsCursorReport && parameters.count == 2:
            return .reply(.cursor(row: max(0, value(0) - 1), column: max(0, value(1) - 1)))
        case (nil, UInt8(ascii: "I")): return .focus(true)
        case (nil, UInt8(ascii: "O")): return .focus(false)
        case (nil, UInt8(ascii: "Z")): return .key(KeyPress(.tab, .shift))
        case (nil, UInt8(ascii: "u")): return kitty
        case (nil, UInt8(ascii: "~")):
            return KeyCodes.key(ofNumber: value(0)).map { .key(KeyPress($0, modifiers)) }
        case (nil, _): return KeyCodes.key(ofFinal: final).map { .key(KeyPress($0, modifiers)) }
        default: return nil
        }
    }

    private var modifiers: KeyPress.Modifiers { KeyCodes.modifiers(value(1)) }

    private var kitty: TerminalEvent? {
        // The release of a key.
        if parameters.indices.contains(1), parameters[1].count > 1, parameters[1][1] == 3 { return nil }
        guard var key = KeyCodes.key(ofCode: value(0)) else { return nil }
        var modifiers = modifiers
        if case .character = key, modifiers.contains(.shift), !modifiers.contains(.control) {
            // The character that Shift makes, if the terminal sent it.
            if parameters[0].count > 1, let shifted = KeyCodes.key(ofCode: parameters[0][1]) { key = shifted }
            modifiers.remove(.shift)
        }
        return .key(KeyPress(key, modifiers))
    }

    private func mouse(isRelease: Bool) -> TerminalEvent? {
        guard parameters.count == 3 else { return nil }
        let code = value(0)
        // Side buttons.
        guard code < 128 else { return nil }
        let button = code & 3
        let kind: MouseEvent.Kind
        switch (code & 64 != 0, code & 32 != 0) {
        case (true, _) where button < 2: kind = .wheel(button == 0 ? -1 : 1)
        case (true, _): return nil
        case (false, true) where button == 3: return nil
        case (false, true): kind = .drag(button)
        case (false, false): kind = isRelease ? .release(button) : .press(button)
        }
        return .mouse(MouseEvent(kind, column: max(0, value(1) - 1), row: max(0, value(2) - 1)))
    }
}
