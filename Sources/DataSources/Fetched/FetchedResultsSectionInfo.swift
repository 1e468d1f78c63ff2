public import Stores

/// A section of fetched results: the values that its rows share, and their identities in order.
///
/// This is a value, which does not change with the results.
public struct FetchedResultsSectionInfo: Sendable {
    /// The values of the request's section keys: the section's identity.
    ///
    /// Empty without section keys.
    public let keys: [AttributeValue]
    /// The identities of the section's rows, in order.
    public let objectIDs: FetchedRowIDs
    /// The section's title in an index beside the list, or `nil` for an empty name.
    ///
    /// It is the first letter of the name as a capital, unless the controller's delegate gives another.
    public let indexTitle: String?

    init(keys: [AttributeValue], objectIDs: FetchedRowIDs) {
        self.keys = keys
        self.objectIDs = objectIDs
        indexTitle = Self.indexTitle(of: Self.name(of: keys))
    }

    init(keys: [AttributeValue], objectIDs: FetchedRowIDs, indexTitle: String?) {
        self.keys = keys
        self.objectIDs = objectIDs
        self.indexTitle = indexTitle
    }

    /// The key values joined by " / "; empty without section keys.
    public var name: String { Self.name(of: keys) }

    /// The number of rows of the section.
    public var numberOfObjects: Int { objectIDs.count }

    static func name(of keys: [AttributeValue]) -> String {
        keys.map(\.description).joined(separator: " / ")
    }

    /// Returns the title of a section without a title from a delegate.
    static func indexTitle(of name: String) -> String? { name.first.map { String($0).uppercased() } }
}
