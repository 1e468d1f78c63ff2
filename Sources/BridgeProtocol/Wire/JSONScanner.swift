internal import BridgeJSON
internal import BridgeValues

/// A scanner that finds the ends of values without decoding them, so that a malformed message does not affect its
/// neighbors.
///
/// It knows only quotes, escapes and brackets, and needs no memory at any nesting depth.
struct JSONScanner {
    /// The result of scanning a batch.
    enum Batch: Equatable {
        /// The elements of an array, and whether the text is that array and nothing more.
        case elements([Range<Int>], isWhole: Bool)
        /// Nothing but whitespace.
        case empty
        /// A text that is not an array, with its first unit.
        case notAList(UInt16)
    }

    let units: UnsafeBufferPointer<UInt16>

    /// Finds the elements of an array.
    func batch() -> Batch {
        var position = skipSpace(from: 0)
        guard position < units.count else { return .empty }
        guard units[position] == .openBracket else { return .notAList(units[position]) }
        position = skipSpace(from: position + 1)
        if position < units.count, units[position] == .closeBracket { return list([], closedAt: position) }
        var ranges: [Range<Int>] = []
        while true {
            let start = skipSpace(from: position)
            let stop = endOfValue(from: start)
            ranges.append(start..<stop)
            position = skipSpace(from: stop)
            guard position < units.count else { return .elements(ranges, isWhole: false) }
            if units[position] == .closeBracket { return list(ranges, closedAt: position) }
            position += 1
        }
    }

    private func list(_ ranges: [Range<Int>], closedAt bracket: Int) -> Batch {
        .elements(ranges, isWhole: skipSpace(from: bracket + 1) == units.count)
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

    private func endOfText(from quote: Int, to end: Int) -> Int {
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

    private func skipSpace(from start: Int) -> Int {
        var position = start
        while position < units.count, units[position].isSpace { position += 1 }
        return position
    }
}
