public import CollectionViews

/// The content of a view that a page shows: what ``ViewContent`` has, and what only pages use.
///
/// Each member has a default.
public protocol PageContent: ViewContent {
    /// The titles of the columns; empty for rows without columns.
    var columnTitles: [StyledText] { get }
    /// A Boolean value that indicates whether the page measures the lengths of rows, for layouts that can adopt them.
    var measuresLengths: Bool { get }
    /// A Boolean value that indicates whether rows can be moved by the user at present.
    var canReorder: Bool { get }
    /// A Boolean value that indicates whether the content may have details of rows.
    var hasDetails: Bool { get }
    /// The maximum number of bytes of a file that is dropped on the page; a drop with a longer one is refused.
    var maximumFileSize: Int { get }

    /// Returns a sentence about changes since the last call that were not batches of the view, or `nil`.
    func takeAnnouncement() -> String?
}

extension PageContent {
    /// An empty array.
    public var columnTitles: [StyledText] { [] }
    /// True.
    public var measuresLengths: Bool { true }
    /// True: the data source decides for each row.
    public var canReorder: Bool { true }
    /// False.
    public var hasDetails: Bool { false }
    /// 1 GiB.
    public var maximumFileSize: Int { 1 << 30 }
    /// Returns `nil`.
    public func takeAnnouncement() -> String? { nil }
}

extension TitledContent: PageContent {}
