/// The head of a function in the text of a script.
///
/// The engine reports the ranges of functions among those of basic blocks, without names. A range of a function begins
/// with its head, which no basic block does: one of a function begins at the parameters.
struct FunctionHead {
    let name: String
    /// The offset of the parameters, which is inside the function's first block.
    let bodyOffset: Int

    private static let keywords: Set<String> = [
        "if", "for", "while", "switch", "catch", "with", "return", "else", "do", "try", "finally", "case",
    ]
    private static let modifiers: Set<String> = ["get", "set", "async", "static"]

    /// Finds the head of a function at the beginning of a range; `nil` if there is none.
    init?(of block: BlockTable.Block, in script: ScriptLines) {
        let range = block.start..<min(block.end + 1, script.units.count)
        // Between functions there are blocks that begin with white space.
        guard !range.isEmpty, !Self.isSpace(script.units[range.lowerBound]) else { return nil }
        let text = Array(script.text(range.lowerBound..<min(range.upperBound, range.lowerBound + 400)).utf16)
        var position = 0
        var word = Self.word(text, &position)
        var isKeyword = false
        if word == "async", Self.peekWord(text, position) == "function" {
            word = Self.word(text, &position)
        }
        if word == "function" {
            isKeyword = true
            Self.skip(0x2A, text, &position)
            word = Self.word(text, &position)
        } else {
            while let modifier = word, Self.modifiers.contains(modifier),
                Self.peekMember(text, position) != nil
            {
                word = Self.word(text, &position)
            }
            if word == nil, Self.skip(0x2A, text, &position) { word = Self.word(text, &position) }
        }
        Self.skipSpace(text, &position)
        let next = position < text.count ? text[position] : 0
        let before = Self.nameBefore(range.lowerBound, in: script)
        if isKeyword {
            guard next == 0x28 else { return nil }
            name = word ?? before ?? "(anonymous)"
            bodyOffset = range.lowerBound + position
        } else if let word, !Self.keywords.contains(word), next == 0x28, word != "async",
            Self.isMethod(text, position), script.units[range.upperBound - 1] == 0x7D
        {
            name = word
            bodyOffset = range.lowerBound + position
        } else if Self.isArrow(text) {
            name = before ?? "(anonymous)"
            bodyOffset = range.lowerBound
        } else {
            return nil
        }
    }

    // MARK: - Text

    private static func skipSpace(_ text: [UInt16], _ position: inout Int) {
        while position < text.count, isSpace(text[position]) { position += 1 }
    }

    private static func isSpace(_ unit: UInt16) -> Bool { unit == 0x20 || unit >= 0x09 && unit <= 0x0D }

    @discardableResult
    private static func skip(_ unit: UInt16, _ text: [UInt16], _ position: inout Int) -> Bool {
        skipSpace(text, &position)
        guard position < text.count, text[position] == unit else { return false }
        position += 1
        return true
    }

    private static func isPartOfWord(_ unit: UInt16) -> Bool {
        unit >= 0x80 || unit == 0x24 || unit == 0x5F || unit == 0x23 || unit &- 0x30 <= 9
            || (unit | 32) &- 97 < 26
    }

    /// Reads an identifier, a private name, a string or a computed name.
    private static func word(_ text: [UInt16], _ position: inout Int) -> String? {
        skipSpace(text, &position)
        let start = position
        if position < text.count, [0x22, 0x27, 0x5B].contains(text[position]) {
            let close: UInt16 = text[position] == 0x5B ? 0x5D : text[position]
            guard let end = text[(position + 1)...].firstIndex(of: close) else { return nil }
            position = end + 1
            return String(decoding: text[start..<position], as: UTF16.self)
        }
        while position < text.count, isPartOfWord(text[position]) { position += 1 }
        return position > start ? String(decoding: text[start..<position], as: UTF16.self) : nil
    }

    private static func peekWord(_ text: [UInt16], _ position: Int) -> String? {
        var position = position
        return word(text, &position)
    }

    // After a modifier comes the name of the member, or an asterisk.
    private static func peekMember(_ text: [UInt16], _ position: Int) -> String? {
        var position = position
        skip(0x2A, text, &position)
        return word(text, &position)
    }

    /// Returns the position after the parenthesis that closes the one at a position.
    private static func closing(_ text: [UInt16], _ position: Int) -> Int? {
        var depth = 0
        var quote: UInt16?
        var index = position
        while index < text.count {
            defer { index += 1 }
            let unit = text[index]
            if let open = quote {
                if unit == 0x5C { index += 1 }
                if unit == open { quote = nil }
                continue
            }
            if unit == 0x22 || unit == 0x27 || unit == 0x60 { quote = unit }
            if unit == 0x28 { depth += 1 }
            if unit == 0x29 { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return nil
    }

    private static func isMethod(_ text: [UInt16], _ position: Int) -> Bool {
        // A list of parameters that is longer than the text read here is that of a method too.
        guard var position = closing(text, position) else { return true }
        skipSpace(text, &position)
        return position < text.count && text[position] == 0x7B
    }

    private static func isArrow(_ text: [UInt16]) -> Bool {
        var position = 0
        var word = word(text, &position)
        if word == "async" {
            let start = position
            word = Self.word(text, &position)
            if word == nil { position = start }
        }
        skipSpace(text, &position)
        if word == nil || word == "async" {
            guard position < text.count, text[position] == 0x28, let end = closing(text, position) else {
                return false
            }
            position = end
        }
        skipSpace(text, &position)
        return position + 1 < text.count && text[position] == 0x3D && text[position + 1] == 0x3E
    }

    /// Returns the name that a function has by being assigned: `name = `, `name: ` or `["name"]: `.
    private static func nameBefore(_ offset: Int, in script: ScriptLines) -> String? {
        var text = Array(script.text(max(0, offset - 120)..<offset).utf16)
        func dropSpace() {
            while let last = text.last, isSpace(last) { text.removeLast() }
        }
        dropSpace()
        guard let sign = text.popLast(), sign == 0x3D || sign == 0x3A else { return nil }
        dropSpace()
        guard let last = text.last else { return nil }
        let end = text.count
        if let open = [0x5D: 0x5B, 0x22: 0x22, 0x27: 0x27][last] as UInt16? {
            guard let start = text[..<(end - 1)].lastIndex(of: open) else { return nil }
            return String(decoding: text[start...], as: UTF16.self)
        }
        var start = end
        while start > 0, isPartOfWord(text[start - 1]) { start -= 1 }
        return start < end ? String(decoding: text[start...], as: UTF16.self) : nil
    }
}
