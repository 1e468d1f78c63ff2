/// The mappings of one source map: positions of a generated script with their positions in the sources.
struct SourceMapping: Sendable {
    /// The maximum number of segments of one map, with all its sections: 40 MB in memory.
    static let maximumSegmentCount = 2_000_000
    static let maximumLineCount = 1_000_000

    /// A range of the script, up to the next segment, that comes from one position of a source.
    struct Segment: Sendable {
        var column: Int32
        /// The index of the source; -1 if the range comes from no source.
        var source: Int32
        var line: Int32
        var originalColumn: Int32
        /// The index of the name; -1 if the range has no name.
        var name: Int32
    }

    /// The segments, sorted by line and column.
    private(set) var segments: [Segment] = []
    /// The index of the first segment of each line, followed by the number of segments.
    private(set) var lineStarts: [Int32] = [0]

    /// Parses the `mappings` of a map.
    ///
    /// - Parameters:
    ///   - mappings: Lines separated by `;` and segments separated by `,`, each of 1, 4 or 5 numbers relative to the
    ///     preceding ones.
    ///   - sourceCount: The number of sources in the map.
    ///   - nameCount: The number of names in the map.
    /// - Throws: ``SourceMapProblem`` that names the segment.
    init(_ mappings: String, sourceCount: Int, nameCount: Int) throws(SourceMapProblem) {
        var mappings = mappings
        let result = mappings.withUTF8 { bytes in
            Result<Self, SourceMapProblem> { () throws(SourceMapProblem) in
                try Self(bytes, sourceCount, nameCount)
            }
        }
        self = try result.get()
    }

    private init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ sourceCount: Int,
        _ nameCount: Int
    ) throws(SourceMapProblem) {
        var position = 0
        var last = Segment(column: 0, source: 0, line: 0, originalColumn: 0, name: 0)
        var isSorted = true
        while position < bytes.count {
            switch bytes[position] {
            case 59:  // ;
                if !isSorted { sortLastLine() }
                isSorted = true
                guard lineStarts.count < Self.maximumLineCount else { throw .tooLarge("lines") }
                lineStarts.append(Int32(segments.count))
                last.column = 0
                position += 1
            case 44: position += 1  // ,
            default:
                let segment = try Self.readSegment(bytes, at: &position, after: &last)
                guard segment.source < sourceCount, segment.name < nameCount else {
                    throw SourceMapProblem(
                        "a segment before byte \(position) of the mappings names a missing source"
                    )
                }
                guard segments.count < Self.maximumSegmentCount else { throw .tooLarge("segments") }
                if segments.count > Int(lineStarts[lineStarts.count - 1]),
                    let before = segments.last, before.column > segment.column
                {
                    isSorted = false
                }
                segments.append(segment)
            }
        }
        if !isSorted { sortLastLine() }
        lineStarts.append(Int32(segments.count))
    }

    private static func readSegment(
        _ bytes: UnsafeBufferPointer<UInt8>,
        at position: inout Int,
        after last: inout Segment
    ) throws(SourceMapProblem) -> Segment {
        let start = position
        var fields: (Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0)
        var count = 0
        while position < bytes.count, bytes[position] != 44, bytes[position] != 59 {
            guard let number = VLQDecoder.read(bytes, at: &position) else { throw .badSegment(at: start) }
            switch count {
            case 0: fields.0 = number
            case 1: fields.1 = number
            case 2: fields.2 = number
            case 3: fields.3 = number
            case 4: fields.4 = number
            default: throw .badSegment(at: start)
            }
            count += 1
        }
        guard count == 1 || count == 4 || count == 5 else { throw .badSegment(at: start) }
        try advance(&last.column, by: fields.0, at: start)
        guard count > 1 else {
            return Segment(column: last.column, source: -1, line: 0, originalColumn: 0, name: -1)
        }
        try advance(&last.source, by: fields.1, at: start)
        try advance(&last.line, by: fields.2, at: start)
        try advance(&last.originalColumn, by: fields.3, at: start)
        if count == 5 { try advance(&last.name, by: fields.4, at: start) }
        var segment = last
        if count == 4 { segment.name = -1 }
        return segment
    }

    private static func advance(
        _ value: inout Int32,
        by difference: Int32,
        at start: Int
    ) throws(SourceMapProblem) {
        let (sum, overflow) = value.addingReportingOverflow(difference)
        guard !overflow, sum >= 0 else { throw .badSegment(at: start) }
        value = sum
    }

    // The format requires no order within a line.
    private mutating func sortLastLine() {
        let start = Int(lineStarts[lineStarts.count - 1])
        let line = segments[start...].enumerated().sorted {
            ($0.element.column, $0.offset) < ($1.element.column, $1.offset)
        }
        segments.replaceSubrange(start..., with: line.map(\.element))
    }

    /// The number of lines.
    var lineCount: Int { lineStarts.count - 1 }

    /// Returns the segments of a line, from 0.
    func segments(ofLine line: Int) -> ArraySlice<Segment> {
        guard line >= 0, line < lineStarts.count - 1 else { return [] }
        return segments[Int(lineStarts[line])..<Int(lineStarts[line + 1])]
    }

    /// Returns the segment that contains a position: the last one at or before it in its line.
    ///
    /// - Complexity: O(log *n*) in the number of segments of the line.
    func segment(line: Int, column: Int) -> Segment? {
        let line = segments(ofLine: line)
        var (lower, upper) = (line.startIndex, line.endIndex)
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if Int(line[middle].column) <= column { lower = middle + 1 } else { upper = middle }
        }
        return lower > line.startIndex ? line[lower - 1] : nil
    }
}

/// An error that explains why a source map cannot be used.
package struct SourceMapProblem: Error, Hashable, CustomStringConvertible {
    /// The reason, as a sentence.
    var message: String

    init(_ message: String) { self.message = message }

    /// The reason.
    package var description: String { message }

    static func badSegment(at offset: Int) -> SourceMapProblem {
        SourceMapProblem("the segment at byte \(offset) of the mappings cannot be read")
    }

    static func tooLarge(_ what: String) -> SourceMapProblem {
        let limit =
            what == "lines" ? SourceMapping.maximumLineCount : SourceMapping.maximumSegmentCount
        return SourceMapProblem("the map has more than \(limit) \(what)")
    }
}
