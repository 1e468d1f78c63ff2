internal import Stores

/// The sections of fetched results, as they were at the time of creation.
///
/// Each section is created on access, in O(log s).
public struct FetchedResultsSections: RandomAccessCollection, Sendable {
    private let content: FetchedContent
    private let shown: Range<Int>
    /// The index titles from a delegate, if it gives any.
    private let titles: [String?]?

    init(_ content: FetchedContent, titles: [String?]? = nil) {
        self.content = content
        self.titles = titles
        shown = content.shownSections
    }

    /// Zero, the index of the first section.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { shown.count }

    /// Accesses the section at an index.
    public subscript(index: Int) -> FetchedResultsSectionInfo {
        guard let range = content.range(ofShown: index) else {
            preconditionFailure("section \(index) of \(shown.count) fetched sections")
        }
        let keys = content.sectionValues(shown.lowerBound + index)
        let ids = FetchedRowIDs(content.order, range)
        guard let titles else { return FetchedResultsSectionInfo(keys: keys, objectIDs: ids) }
        return FetchedResultsSectionInfo(keys: keys, objectIDs: ids, indexTitle: titles[index])
    }
}
