package import Foundation

/// Rows for other programs, whose fields have one line each.
public struct CopiedRows: Sendable, Hashable {
    /// The fields of each row.
    public let rows: [[String]]
    /// The number of marked rows that a filter hides, and that are not among the rows.
    public var filteredCount: Int

    /// Takes the fields of rows, in which tabs and line ends become spaces.
    ///
    /// - Parameters:
    ///   - rows: The fields of each row.
    ///   - maximumByteCount: The number of bytes beyond which no further row is taken. A renderer refuses what is longer.
    ///   - filteredCount: The number of marked rows that a filter hides.
    public init(
        _ rows: some Sequence<[String]>,
        maximumByteCount: Int = .max,
        filteredCount: Int = 0
    ) {
        var lines: [[String]] = []
        // The tabs between fields and the line ends between rows.
        var count = -1
        for fields in rows {
            let line = fields.map(Self.oneLine)
            lines.append(line)
            count += line.reduce(0) { $0 + $1.utf8.count + 1 }
            // A row more than fits shows the limit; no further one is read.
            if count > maximumByteCount { break }
        }
        self.rows = lines
        self.filteredCount = filteredCount
    }

    /// The rows as lines with two spaces between the fields.
    public var text: String { joined("  ") }

    /// The rows as lines with tabs between the fields.
    public var tabSeparatedValues: String { joined("\t") }

    /// A sentence that says how many rows were copied, or why there was none.
    public var summary: String {
        let copied =
            switch rows.count {
            case 0: "no row is marked or has the focus"
            case _ where text.isEmpty: "the rows have no text to copy"
            case 1: "copied 1 row"
            default: "copied \(Grouped.text(rows.count)) rows"
            }
        return switch filteredCount {
        case 0: copied
        case 1: "\(copied); the filter hides 1 marked row"
        default: "\(copied); the filter hides \(Grouped.text(filteredCount)) marked rows"
        }
    }

    private func joined(_ separator: String) -> String {
        rows.map { $0.joined(separator: separator) }.joined(separator: "\n")
    }

    private static func oneLine(_ field: String) -> String {
        String(field.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
}

extension ViewContent {
    /// Returns the marked rows or, if there are none, the one with the focus; `nil` if rows have no text.
    ///
    /// - Parameters:
    ///   - view: The view of the renderer.
    ///   - focus: The row with the focus.
    ///   - maximumByteCount: The number of bytes beyond which no further row is taken.
    /// - Returns: The rows, those of folded groups included.
    package func copiedRows(
        of view: CollectionView,
        orFocused focus: IndexPath?,
        maximumByteCount: Int
    ) -> CopiedRows? {
        let marked = copiedMarkedRows(maximumByteCount: maximumByteCount)
        if let marked, !marked.rows.isEmpty { return marked }
        let paths = view.selectedPaths(orFocused: focus)
            .compactMap { view.dataSourceIndexPath(forPresentationIndexPath: $0) }
        var copied = copiedRows(at: paths, maximumByteCount: maximumByteCount)
        copied?.filteredCount = marked?.filteredCount ?? 0
        return copied
    }
}
