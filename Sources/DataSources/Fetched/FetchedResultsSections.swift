internal import Stores

/// The sections of fetched results, as they were when this was made.
///
/// Sections are made when they are asked for, in O(log s) each.
public struct FetchedResultsSections: RandomAccessCollection, Sendable {
    private let content: FetchedContent
    private let shown: Range<Int>
    /// The index titles that a delegate gives, if it does.
    private let titles: [String?]?

    init(_ content: FetchedContent, titles: [String?]? = nil) {
        self.content = content
        self.titles = titles
        shown = content.shownSections
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { shown.count }

    /// A section.
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
