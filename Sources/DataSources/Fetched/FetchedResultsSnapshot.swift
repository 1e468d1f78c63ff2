public import Stores

/// The whole of what a fetched results controller shows at one version, as a value.
///
/// Making and keeping one costs nothing by itself; sections and identities are read from it when they are asked
/// for, and stay as they were.
public struct FetchedResultsSnapshot: Sendable {
    private let content: FetchedContent
    /// The rows whose values changed since the last snapshot, and that are still there.
    public let reconfiguredItemIdentifiers: [RowID]

    init(_ content: FetchedContent, updated: [RowID] = []) {
        self.content = content
        reconfiguredItemIdentifiers = updated
    }

    /// The store's version.
    public var version: Int { content.version }

    /// The sections, in order.
    public var sections: FetchedResultsSections { FetchedResultsSections(content) }

    /// The identities of the sections, in order: the values of their keys.
    public var sectionIdentifiers: [[AttributeValue]] { sections.map(\.keys) }

    /// The identities of all rows, in order.
    public var itemIdentifiers: FetchedRowIDs { FetchedRowIDs(content.order, content.window) }

    /// The number of sections.
    public var numberOfSections: Int { content.shownSections.count }

    /// The number of rows.
    public var numberOfItems: Int { content.window.count }
}
