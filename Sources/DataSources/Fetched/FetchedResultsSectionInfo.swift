public import Stores

/// A section of fetched results: the values that its rows share, and their identities in order.
public struct FetchedResultsSectionInfo: Sendable {
    /// The values of the request's section keys: the section's identity.
    ///
    /// Empty without section keys.
    public let keys: [AttributeValue]
    /// The identities of the section's rows, in order.
    public let objectIDs: ArraySlice<RowID>

    /// The key values joined by " / "; empty without section keys.
    public var name: String { keys.map(\.description).joined(separator: " / ") }

    /// The first letter of the name as a capital, or `nil` where the name is empty.
    public var indexTitle: String? { name.first.map { String($0).uppercased() } }

    /// How many rows the section has.
    public var numberOfObjects: Int { objectIDs.count }
}
