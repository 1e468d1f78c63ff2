/// A section of a sectioned data source: items, and a title above and below them.
///
/// This is a class that may be subclassed. Changing a section notifies no observer; the data source that owns it must.
open class Section<ItemType> {
    /// The items, in order.
    public var items: [ItemType]
    /// The title above the items, if any.
    public var headerTitle: String?
    /// The title below the items, if any.
    public var footerTitle: String?

    /// Creates a section.
    public init(items: [ItemType], headerTitle: String? = nil, footerTitle: String? = nil) {
        self.items = items
        self.headerTitle = headerTitle
        self.footerTitle = footerTitle
    }
}
