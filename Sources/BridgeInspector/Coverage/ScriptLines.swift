/// The lines of a script as the engine counts them, with offsets in UTF-16 code units.
struct ScriptLines {
    let units: [UInt16]
    /// The offsets of the first unit of each line.
    private let starts: [Int]

    init(_ text: String) {
        units = Array(text.utf16)
        var starts = [0]
        for (index, unit) in units.enumerated() {
            let isEnd =
                unit == 0x0A || unit == 0x2028 || unit == 0x2029
                || unit == 0x0D && (index + 1 == units.count || units[index + 1] != 0x0A)
            if isEnd { starts.append(index + 1) }
        }
        self.starts = starts
    }

    /// The number of lines.
    var count: Int { starts.count }

    /// Returns the offset of a position, from 0; `nil` for one outside the script.
    func offset(line: Int, column: Int) -> Int? {
        guard starts.indices.contains(line), column >= 0 else { return nil }
        let offset = starts[line] + column
        return offset <= units.count ? offset : nil
    }

    /// Returns the position of an offset, from 0.
    ///
    /// - Complexity: O(log *n*) in the number of lines.
    func position(of offset: Int) -> (line: Int, column: Int) {
        var (lower, upper) = (0, starts.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if starts[middle] <= offset { lower = middle + 1 } else { upper = middle }
        }
        return (lower - 1, offset - starts[max(0, lower - 1)])
    }

    /// Returns the text of a range.
    func text(_ range: Range<Int>) -> String {
        String(decoding: units[range.clamped(to: 0..<units.count)], as: UTF16.self)
    }
}
