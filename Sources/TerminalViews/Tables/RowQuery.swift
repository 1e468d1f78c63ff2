/// A condition on rows that is typed: words that must be there, in any column and any order.
///
/// `column:word` looks in one column, `!word` excludes rows. A word without capital letters matches in any case.
package struct RowQuery: Sendable {
    struct Term: Sendable {
        let column: Int?
        let isExcluded: Bool
        let pattern: BytePattern
    }

    let terms: [Term]

    /// Parses what was typed; an empty query matches all rows.
    init(_ string: String, columns: [TableColumn]) {
        terms = string.split(separator: " ").compactMap { word in
            var rest = word
            let isExcluded = rest.hasPrefix("!")
            if isExcluded { rest.removeFirst() }
            var column: Int?
            if let colon = rest.firstIndex(of: ":") {
                let name = rest[..<colon].lowercased()
                column = columns.firstIndex { $0.name.lowercased() == name }
                if column != nil { rest = rest[rest.index(after: colon)...] }
            }
            return rest.isEmpty
                ? nil : Term(column: column, isExcluded: isExcluded, pattern: BytePattern(String(rest)))
        }
    }

    /// Parses what was typed for rows without columns.
    package init(_ string: String) { self.init(string, columns: []) }

    var isEmpty: Bool { terms.isEmpty }

    /// Returns whether the texts of a row have all words.
    package func matches(_ texts: [String]) -> Bool { matches(StringFields(strings: texts)) }

    func matches(_ fields: any TableFields) -> Bool {
        terms.allSatisfy { term in
            let isFound =
                if let column = term.column {
                    column < fields.count && fields.withBytes(column, term.pattern.isContained)
                } else {
                    (0..<fields.count).contains { fields.withBytes($0, term.pattern.isContained) }
                }
            return isFound != term.isExcluded
        }
    }

    /// Returns the ranges of a column's string at which words were found, in ascending order.
    func spans(_ string: String, column: Int) -> [Range<String.Index>] {
        let ranges = terms.filter { !$0.isExcluded && ($0.column == nil || $0.column == column) }
            .flatMap { $0.pattern.ranges(in: string) }
            // A part of a character cannot be drawn by itself.
            .map { range in
                let start = string.rangeOfCharacter(at: range.lowerBound).lowerBound
                let last =
                    range.isEmpty ? range.upperBound : string.unicodeScalars.index(before: range.upperBound)
                return start..<max(range.upperBound, string.rangeOfCharacter(at: last).upperBound)
            }
            .sorted { $0.lowerBound < $1.lowerBound }
        // Overlapping ones become one.
        return ranges.reduce(into: []) { result, range in
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
    }
}

extension String {
    /// Returns the range of the character that contains an index.
    fileprivate func rangeOfCharacter(at index: Index) -> Range<Index> {
        guard index < endIndex else { return endIndex..<endIndex }
        // The index is rounded down to its character.
        let end = self.index(after: index)
        return self.index(before: end)..<end
    }
}

/// A word that is searched for in UTF-8, in any case if it has no capital letter.
struct BytePattern: Sendable {
    private let bytes: [UInt8]
    private let ignoresCase: Bool
    // Set if case differs in letters outside ASCII too.
    private let folded: String?

    init(_ word: String) {
        ignoresCase = word == word.lowercased()
        bytes = Array(word.utf8)
        folded = ignoresCase && !bytes.allSatisfy { $0 < 0x80 } ? word.lowercased() : nil
    }

    func isContained(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if let folded { return String(decoding: text, as: UTF8.self).lowercased().contains(folded) }
        return position(in: text, from: 0) != nil
    }

    /// Returns the ranges of a string at which the word is.
    func ranges(in string: String) -> [Range<String.Index>] {
        if let folded { return string.lowercased() == string ? string.ranges(of: folded) : [] }
        var copy = string
        let offsets = copy.withUTF8 { text -> [Int] in
            var found: [Int] = []
            var start = 0
            while let next = position(in: text, from: start) {
                found.append(next)
                start = next + bytes.count
            }
            return found
        }
        return offsets.map { offset in
            let start = string.utf8.index(string.startIndex, offsetBy: offset)
            return start..<string.utf8.index(start, offsetBy: bytes.count)
        }
    }

    private func position(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let first = bytes.first, text.count - start >= bytes.count else { return nil }
        let last = text.count - bytes.count
        var index = start
        while index <= last {
            if fold(text[index]) == first, isEqual(text, at: index) { return index }
            index += 1
        }
        return nil
    }

    private func isEqual(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        for offset in 1..<max(1, bytes.count) where fold(text[start + offset]) != bytes[offset] {
            return false
        }
        return true
    }

    private func fold(_ byte: UInt8) -> UInt8 {
        ignoresCase && byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
