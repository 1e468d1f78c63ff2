public import Foundation

/// A view of rows of one length, with a header of one length above each section: a list of a terminal, or of
/// a page that sets its rows' height.
///
/// A value: counts are those of the moment in which it was made.
public struct RowsView: RestorableView, Sendable {
    /// How long a row is.
    public let rowLength: Double
    /// How long a section's header is.
    public let headerLength: Double
    /// How much is seen at once.
    public var viewportLength: Double
    /// How far the content is scrolled.
    public var contentOffset: Double
    // Where each section's header begins, and behind them the end of the content.
    private let starts: [Double]
    private let counts: [Int]

    /// Makes a view of sections with so many rows each.
    public init(
        counts: [Int],
        rowLength: Double = 1,
        headerLength: Double = 0,
        viewportLength: Double,
        contentOffset: Double = 0
    ) {
        self.counts = counts
        self.rowLength = rowLength
        self.headerLength = headerLength
        self.viewportLength = viewportLength
        self.contentOffset = contentOffset
        var starts: [Double] = [0]
        starts.reserveCapacity(counts.count + 1)
        for count in counts { starts.append((starts.last ?? 0) + headerLength + Double(count) * rowLength) }
        self.starts = starts
    }

    /// Makes a view of what a data source has now.
    public init(
        of source: some DataSource,
        rowLength: Double = 1,
        headerLength: Double = 0,
        viewportLength: Double,
        contentOffset: Double = 0
    ) {
        self.init(
            counts: (0..<source.numberOfSections).map(source.numberOfItems(in:)),
            rowLength: rowLength,
            headerLength: headerLength,
            viewportLength: viewportLength,
            contentOffset: contentOffset
        )
    }

    /// How long the whole content is.
    public var contentLength: Double { starts.last ?? 0 }

    /// Where a row stands.
    public func position(of indexPath: IndexPath) -> Range<Double>? {
        guard counts.indices.contains(indexPath.section),
            (0..<counts[indexPath.section]).contains(indexPath.item)
        else { return nil }
        let start = starts[indexPath.section] + headerLength + Double(indexPath.item) * rowLength
        return start..<start + rowLength
    }

    /// The rows that are seen.
    ///
    /// - Complexity: O(log s) in the sections, and O(v) in the rows that are seen.
    public var visibleIndexPaths: [IndexPath] {
        var paths: [IndexPath] = []
        forEachVisible { path in
            paths.append(path)
            return true
        }
        return paths
    }

    /// The first of the seen rows that satisfies a condition.
    ///
    /// - Complexity: O(log s) in the sections, and O(n) in the rows that are asked of and the empty sections before them.
    public func firstVisibleIndexPath(limit: Int, where condition: (IndexPath) -> Bool) -> IndexPath? {
        var found: IndexPath?
        var left = limit
        forEachVisible { path in
            guard left > 0 else { return false }
            left -= 1
            if condition(path) { found = path }
            return found == nil
        }
        return found
    }

    /// Calls a body with the path of each seen row until it returns `false`.
    private func forEachVisible(_ body: (IndexPath) -> Bool) {
        let end = contentOffset + viewportLength
        var section = firstSection(endingAfter: contentOffset)
        while section < counts.count, starts[section] < end {
            let first = starts[section] + headerLength
            let from = max(0, ((contentOffset - first) / rowLength).rounded(.down))
            let to = min(Double(counts[section]), ((end - first) / rowLength).rounded(.up))
            if from < to {
                for item in Int(from)..<Int(to) {
                    guard body(IndexPath(item: item, section: section)) else { return }
                }
            }
            section += 1
        }
    }

    private func firstSection(endingAfter offset: Double) -> Int {
        var low = 0
        var high = counts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle + 1] > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
