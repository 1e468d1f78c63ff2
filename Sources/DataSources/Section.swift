/// A section of a sectioned data source: items, and a title above and below them.
///
/// A reference type that may be subclassed. Changing one tells nobody: the data source that holds it does.
open class Section<ItemType> {
    /// The items, in order.
    public var items: [ItemType]
    /// What stands above the items, if anything.
    public var headerTitle: String?
    /// What stands below the items, if anything.
    public var footerTitle: String?

    /// Makes a section.
    public init(items: [ItemType], headerTitle: String? = nil, footerTitle: String? = nil) {
        self.items = items
        self.headerTitle = headerTitle
        self.footerTitle = footerTitle
    }
}
