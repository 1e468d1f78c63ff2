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
        let end = contentOffset + viewportLength
        var paths: [IndexPath] = []
        var section = firstSection(endingAfter: contentOffset)
        while section < counts.count, starts[section] < end {
            let first = starts[section] + headerLength
            let from = max(0, ((contentOffset - first) / rowLength).rounded(.down))
            let to = min(Double(counts[section]), ((end - first) / rowLength).rounded(.up))
            if from < to {
                for item in Int(from)..<Int(to) { paths.append(IndexPath(item: item, section: section)) }
            }
            section += 1
        }
        return paths
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
