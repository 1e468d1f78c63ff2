public import Stores

/// The whole content of a fetched results controller at one version, as a value.
///
/// Creating and retaining one costs nothing by itself. Sections and identities are read from it on access and never
/// change.
public struct FetchedResultsSnapshot: Sendable {
    private let content: FetchedContent
    /// The surviving rows whose values changed since the last snapshot.
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
