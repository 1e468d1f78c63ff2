/// A converter of strings into what the cells of a terminal show.
///
/// No character of the data controls the terminal: control characters and bidirectional controls are replaced by
/// visible symbols, combining marks never start a cell, and a cluster has at most ``maximumScalars`` code points.
public final class TerminalText {
    /// The maximum number of code points in a cell; the rest of a cluster is not shown.
    public static let maximumScalars = 12
    /// The maximum number of different clusters that are remembered; more make ``isFull`` true.
    static let maximumClusters = 1 << 15

    /// The widths of clusters in this terminal.
    public var widths: ClusterWidths { didSet { generation += 1 } }
    /// A number that changes when earlier glyphs may be invalid, or strings may have other widths.
    private(set) var generation = 0

    private struct Cluster {
        let utf8: [UInt8]
        let width: Int
    }
    private var clusters: [Cluster] = []
    private var numbers: [[UInt32]: UInt32] = [:]

    /// Creates a converter for a terminal.
    public init(widths: ClusterWidths = ClusterWidths()) { self.widths = widths }

    /// A Boolean value that indicates whether so many clusters are remembered that the next frame forgets them.
    var isFull: Bool { clusters.count >= Self.maximumClusters }

    /// Forgets all clusters, so that earlier glyphs are invalid.
    func removeAll() {
        clusters = []
        numbers = [:]
        generation += 1
    }

    // MARK: - Glyphs

    /// Calls a closure for each glyph of a string, with its width in cells, until the closure returns false.
    func forEachGlyph(in string: String, _ body: (Glyph, Int) -> Bool) {
        var string = string
        // The usual case needs no clusters.
        if string.withUTF8({ forEachCertainGlyph(in: $0, body) }) { return }
        for character in Self.visible(string) {
            let (glyph, width) = shape(character)
            guard body(glyph, width) else { return }
        }
    }

    /// Calls a closure for each code point of a string, each of which is a cluster of a known width by itself.
    ///
    /// - Returns: `false` for other strings, for which the closure is not called.
    private func forEachCertainGlyph(
        in bytes: UnsafeBufferPointer<UInt8>,
        _ body: (Glyph, Int) -> Bool
    ) -> Bool {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            for byte in bytes where !body(Glyph(ascii: byte), 1) { break }
            return true
        }
        var index = 0
        while index < bytes.count {
            guard CodePointWidth.isCertain(Self.scalar(in: bytes, at: &index)) else { return false }
        }
        index = 0
        while index < bytes.count {
            let scalar = Self.scalar(in: bytes, at: &index)
            guard body(Glyph(scalar), CodePointWidth.of(scalar)) else { break }
        }
        return true
    }

    /// Returns the code point at an index of valid UTF-8, and moves the index behind it.
    private static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>,
        at index: inout Int
    ) -> Unicode.Scalar {
        let first = UInt32(bytes[index])
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = count == 1 ? first : first & (0x7F >> UInt32(count))
        for next in index + 1..<index + count { value = value << 6 | UInt32(bytes[next]) & 0x3F }
        index += count
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    /// Returns the glyph of a character without replaced code points, and its width in cells.
    private func shape(_ character: Character) -> (glyph: Glyph, width: Int) {
        var scalars = character.unicodeScalars.makeIterator()
        guard let first = scalars.next() else { return (.space, 1) }
        guard let second = scalars.next() else {
            let width = Self.cells(first)
            return (Glyph(first), width)
        }
        var all = [first, second]
        while all.count < Self.maximumScalars, let next = scalars.next() { all.append(next) }
        return cluster(all, width: width(of: all))
    }

    private func cluster(_ scalars: [Unicode.Scalar], width: Int) -> (glyph: Glyph, width: Int) {
        let key = scalars.map(\.value)
        if let number = numbers[key] { return (Glyph(cluster: number), clusters[Int(number)].width) }
        guard !isFull else { return (Glyph("\u{FFFD}"), 1) }
        let number = UInt32(clusters.count)
        var string = String.UnicodeScalarView()
        string.append(contentsOf: scalars)
        clusters.append(Cluster(utf8: Array(String(string).utf8), width: width))
        numbers[key] = number
        return (Glyph(cluster: number), width)
    }

    private func width(of scalars: [Unicode.Scalar]) -> Int {
        let sum = min(8, max(1, scalars.reduce(0) { $0 + max(0, CodePointWidth.of($1)) }))
        if scalars.contains("\u{200D}"), scalars[0].value > 0x7F, scalars[0].properties.isEmoji {
            return widths.joinsFamilies ? 2 : sum
        }
        if scalars.allSatisfy({ (0x1F1E6...0x1F1FF).contains($0.value) }) {
            return widths.joinsFlags ? 2 : sum
        }
        if scalars.dropFirst().contains(where: { (0x1F3FB...0x1F3FF).contains($0.value) }) {
            return widths.joinsSkinTones ? 2 : sum
        }
        if scalars.contains("\u{FE0F}") { return widths.widensPresentation ? 2 : sum }
        return sum
    }

    // MARK: - Code points

    /// Returns a string in which code points that must not reach the terminal are replaced, and a mark at the beginning
    /// has a base.
    ///
    /// Code points are replaced before they are clustered, so that what is shown has the same clusters when it is read
    /// again.
    private static func visible(_ string: String) -> String {
        let scalars = string.unicodeScalars
        let startsWithMark = scalars.first.map { isMark(visible($0)) } ?? false
        guard startsWithMark || scalars.contains(where: { visible($0) != $0 }) else { return string }
        var result = String.UnicodeScalarView()
        if startsWithMark { result.append(markBase) }
        result.append(contentsOf: scalars.lazy.map(visible))
        return String(result)
    }

    // The base of a mark without one.
    private static let markBase: Unicode.Scalar = "\u{25CC}"

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: return true
        default: return CodePointWidth.of(scalar) == 0
        }
    }

    private static func cells(_ scalar: Unicode.Scalar) -> Int {
        let width = CodePointWidth.of(scalar)
        // Emoji that are newer than the C library.
        return width < 0 ? ((0x1F000...0x1FAFF).contains(scalar.value) ? 2 : 1) : max(1, width)
    }

    /// Returns the code point that is shown for one that must not reach the terminal, or the code point itself.
    static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let value = scalar.value
        switch value {
        case 0..<0x20: return Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
        case 0x20..<0x7F: return scalar
        case 0x7F: return "\u{2421}"
        case 0x80..<0xA0: return "\u{FFFD}"
        case 0x200C, 0x200D: return scalar
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return "\u{2194}"
        case 0x2028, 0x2029: return "\u{2424}"
        default: break
        }
        guard !CodePointWidth.isCertain(scalar) else { return scalar }
        switch scalar.properties.generalCategory {
        case .format: return (0xE0020...0xE007F).contains(value) ? scalar : "\u{B7}"
        case .unassigned: return (0x1F000...0x1FAFF).contains(value) ? scalar : "\u{FFFD}"
        case .control, .surrogate: return "\u{FFFD}"
        default: return scalar
        }
    }

    // MARK: - Bytes

    /// Returns whether the cursor must be set after a glyph, because terminals differ on its width.
    func isUncertain(_ glyph: Glyph) -> Bool {
        if glyph == .continuation { return false }
        guard let scalar = glyph.scalar else { return true }
        return !CodePointWidth.isCertain(scalar)
    }

    /// Appends the UTF-8 of a glyph; nothing for the rest of a wide one.
    func append(_ glyph: Glyph, to bytes: inout [UInt8]) {
        if glyph.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: glyph.rawValue))
        } else if let scalar = glyph.scalar {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        } else if let number = glyph.clusterNumber, clusters.indices.contains(Int(number)) {
            bytes.append(contentsOf: clusters[Int(number)].utf8)
        }
    }
}
