extension SourceMap {
    // The number of lines before a position that are searched for the beginning of its function.
    private static let maximumLineCount = 500

    /// Returns the name that a function had in its source; `nil` if the map does not contain it.
    ///
    /// A map has names for positions, not for functions. A function's name is recorded where the function is
    /// declared. That is the nearest position before the frame's at which the script has the function's short name
    /// after `function` or `class`, or before `=` or `:`.
    func name(ofFunction short: String, in script: EvaluatedScript, line: Int, column: Int) -> String? {
        guard !short.isEmpty, short.utf8.allSatisfy(Self.isIdentifier) else { return nil }
        let wanted = Array(short.utf16)
        let first = max(0, line - Self.maximumLineCount)
        let lines = script.text.utf16.split(
            maxSplits: line + 1,
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == 10 }
        )
        guard lines.indices.contains(line) else { return nil }
        for index in (first...line).reversed() {
            let units = Array(lines[index])
            for (start, name) in names(ofLine: index).reversed() {
                guard index < line || start < column, start + wanted.count <= units.count,
                    units[start..<start + wanted.count].elementsEqual(wanted), !name.isEmpty,
                    Self.isDeclaration(in: units, from: start, to: start + wanted.count)
                else { continue }
                return name
            }
        }
        return nil
    }

    private static func isDeclaration(in units: [UInt16], from start: Int, to end: Int) -> Bool {
        if end < units.count, isIdentifier(UInt8(truncatingIfNeeded: units[end])), units[end] < 0x80 {
            return false
        }
        let before = String(decoding: units[max(0, start - 16)..<start], as: UTF16.self)
        let words = before.split { !$0.isASCII || !($0.isLetter || $0 == "*") }
        let isBehindSpace = before.last.map { $0 == " " || $0 == "*" } ?? false
        if isBehindSpace, let word = words.last, ["function", "function*", "*", "class"].contains(word) {
            return true
        }
        let after = units[end...].drop { $0 == 32 }
        guard let next = after.first else { return false }
        return next == 58 || next == 61 && after.dropFirst().first != 61
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        (byte | 32) >= 97 && (byte | 32) <= 122 || byte >= 48 && byte <= 57 || byte == 95 || byte == 36
    }
}
