public import Foundation

/// A view of rows of one length, with a header of one length above each section: a list in a terminal, or on a page
/// with a fixed row height.
///
/// This is a value: the counts are those at the time of creation.
public struct RowsView: RestorableView, Sendable {
    /// The length of a row.
    public let rowLength: Double
    /// The length of a section's header.
    public let headerLength: Double
    /// The length of the visible part.
    public var viewportLength: Double
    /// The position in the content at which the viewport begins.
    public var contentOffset: Double
    // The start of each section's header, followed by the end of the content.
    private let starts: [Double]
    private let counts: [Int]

    /// Creates a view of sections with the given numbers of rows.
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

    /// Creates a view of a data source's present sections.
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

    /// The length of the whole content.
    public var contentLength: Double { starts.last ?? 0 }

    /// Returns the range of a row in the content.
    public func position(of indexPath: IndexPath) -> Range<Double>? {
        guard counts.indices.contains(indexPath.section),
            (0..<counts[indexPath.section]).contains(indexPath.item)
        else { return nil }
        let start = starts[indexPath.section] + headerLength + Double(indexPath.item) * rowLength
        return start..<start + rowLength
    }

    /// The paths of the visible rows.
    ///
    /// - Complexity: O(log s) in the sections, and O(v) in the visible rows.
    public var visibleIndexPaths: [IndexPath] {
        var paths: [IndexPath] = []
        forEachVisible { path in
            paths.append(path)
            return true
        }
        return paths
    }

    /// Returns the first visible row that satisfies a condition.
    ///
    /// - Complexity: O(log s) in the sections, and O(n) in the examined rows and the empty sections before them.
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

    /// Calls a closure with the path of each visible row until it returns `false`.
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
