internal import BridgeJSON
internal import BridgeValues

/// A scanner that finds the ends of values without decoding them, so that a malformed message does not affect its
/// neighbors.
///
/// It knows only quotes, escapes and brackets, and needs no memory at any nesting depth.
struct JSONScanner {
    let units: UnsafeBufferPointer<UInt16>

    /// Returns whether an element of an array may end at an index.
    func isEndOfElement(_ index: Int) -> Bool {
        let next = skipSpace(from: index)
        guard next < units.count else { return true }
        // A brace that nothing opened is the end of the array, too: the elements before it are whole.
        return units[next] == .comma || units[next] == .closeBracket || units[next] == .closeBrace
    }

    /// Returns the end of the value that starts at an index: the next comma or closing bracket outside of it, or the
    /// end.
    func endOfValue(from start: Int, to end: Int? = nil) -> Int {
        let end = end ?? units.count
        var depth = 0
        var position = start
        while position < end {
            switch units[position] {
            case .quote: position = endOfText(from: position, to: end) - 1
            case .openBrace, .openBracket: depth += 1
            case .closeBrace, .closeBracket:
                guard depth > 0 else { return position }
                depth -= 1
            case .comma where depth == 0: return position
            default: break
            }
            position += 1
        }
        return end
    }

    /// Returns the index after the string that begins at a quote, or the end.
    func endOfText(from quote: Int, to end: Int) -> Int {
        var position = quote + 1
        while position < end {
            switch units[position] {
            case .quote: return position + 1
            case .backslash: position += 2
            default: position += 1
            }
        }
        return end
    }

    func skipSpace(from start: Int) -> Int {
        var position = start
        while position < units.count, units[position].isSpace { position += 1 }
        return position
    }
}
