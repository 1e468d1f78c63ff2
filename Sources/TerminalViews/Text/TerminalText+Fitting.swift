extension TerminalText {
    /// The edge at which a shorter string is placed.
    public enum Alignment: Sendable, Hashable {
        /// The left edge.
        case leading
        /// The right edge.
        case trailing
    }

    /// Returns the number of cells of a string.
    public func width(of string: String) -> Int { width(of: string, upTo: .max) }

    /// Returns the number of cells of a string, or a limit for a string that has more.
    ///
    /// - Complexity: O(limit).
    func width(of string: String, upTo limit: Int) -> Int {
        var total = 0
        forEachGlyph(in: Self.beginning(of: string, cells: limit) ?? string) { _, width in
            total += width
            return total < limit
        }
        return min(total, limit)
    }

    /// Returns a beginning of a string with enough text for a number of cells, or `nil` if that is all of it.
    ///
    /// A field may have megabytes, of which a row shows a few cells. Clusters with more bytes than others fill fewer.
    private static func beginning(of string: String, cells: Int) -> String? {
        let (maximum, overflows) = cells.multipliedReportingOverflow(by: 64)
        guard !overflows, string.utf8.count > maximum else { return nil }
        return String(string[..<string.utf8.index(string.startIndex, offsetBy: maximum)])
    }

    /// Returns a string as it is shown, without a limit: control characters as symbols.
    public func printable(_ string: String) -> String {
        var bytes: [UInt8] = []
        forEachGlyph(in: string) { glyph, _ in
            append(glyph, to: &bytes)
            return true
        }
        if isFull { removeAll() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a string of exactly a number of cells: padded with spaces, or cut with an ellipsis.
    ///
    /// A wide character that does not fit before the ellipsis becomes a space.
    public func fitted(_ string: String, to cells: Int, _ alignment: Alignment = .leading) -> String {
        guard cells > 0 else { return "" }
        if let fitted = Self.fittedASCII(string, to: cells, alignment) { return fitted }
        var used = 0
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cells)
        // The position to return to if the string turns out too long.
        var cut = (bytes: 0, used: 0)
        let beginning = Self.beginning(of: string, cells: cells + 1)
        var isCut = beginning != nil
        forEachGlyph(in: beginning ?? string) { glyph, width in
            guard used + width <= cells else {
                isCut = true
                return false
            }
            append(glyph, to: &bytes)
            used += width
            if used <= cells - 1 { cut = (bytes.count, used) }
            return true
        }
        if isCut {
            bytes.removeSubrange(cut.bytes...)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: cells - 1 - cut.used))
            bytes.append(contentsOf: "…".utf8)
        } else {
            let padding = repeatElement(UInt8(ascii: " "), count: cells - used)
            bytes.insert(contentsOf: padding, at: alignment == .leading ? bytes.count : 0)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a string of printable ASCII, the usual case, of exactly a number of cells; `nil` for other strings.
    private static func fittedASCII(_ string: String, to cells: Int, _ alignment: Alignment) -> String? {
        var string = string
        return string.withUTF8 { bytes -> String? in
            // What is cut away does not matter.
            guard bytes.prefix(cells + 1).allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
            let ellipsis = "…".utf8
            let isCut = bytes.count > cells
            let kept = isCut ? cells - 1 : bytes.count
            let start = alignment == .leading || isCut ? 0 : cells - kept
            return String(unsafeUninitializedCapacity: isCut ? kept + ellipsis.count : cells) { target in
                for index in 0..<start { target[index] = UInt8(ascii: " ") }
                for index in 0..<kept { target[start + index] = bytes[index] }
                guard isCut else {
                    for index in start + kept..<cells { target[index] = UInt8(ascii: " ") }
                    return cells
                }
                for (index, byte) in ellipsis.enumerated() { target[kept + index] = byte }
                return kept + ellipsis.count
            }
        }
    }
}

extension TerminalText {
    private static let moreIsNotShown = "… (more is not shown)"

    /// Returns a string in lines of at most a number of cells; line ends of the string begin new lines.
    ///
    /// At most 1,000 lines are returned; the last one then says so.
    public func wrapped(_ string: String, to cells: Int) -> [String] {
        var lines: [String] = []
        let beginning = Self.beginning(of: string, cells: 1_000 * cells)
        let parts = (beginning ?? string).split(
            maxSplits: 1_000,
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        )
        for part in parts {
            // The last part is all of the rest.
            guard lines.count < 1_000 else { return lines + [Self.moreIsNotShown] }
            var bytes: [UInt8] = []
            var used = 0
            forEachGlyph(in: String(part)) { glyph, width in
                if used + width > cells, used > 0 {
                    lines.append(String(decoding: bytes, as: UTF8.self))
                    bytes = []
                    used = 0
                }
                append(glyph, to: &bytes)
                used += width
                return lines.count < 1_000
            }
            guard lines.count < 1_000 else { return lines + [Self.moreIsNotShown] }
            lines.append(String(decoding: bytes, as: UTF8.self))
        }
        return beginning == nil ? lines : lines + [Self.moreIsNotShown]
    }
}
