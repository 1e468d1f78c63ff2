public import Stores

/// A section of fetched results: the values that its rows share, and their identities in order.
///
/// It stays as it is when the results change.
public struct FetchedResultsSectionInfo: Sendable {
    /// The values of the request's section keys: the section's identity.
    ///
    /// Empty without section keys.
    public let keys: [AttributeValue]
    /// The identities of the section's rows, in order.
    public let objectIDs: FetchedRowIDs
    /// What stands for the section in an index beside the list: the first letter of its name as a capital,
    /// unless the controller's delegate says otherwise; `nil` where there is no name.
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

    /// How many rows the section has.
    public var numberOfObjects: Int { objectIDs.count }

    static func name(of keys: [AttributeValue]) -> String {
        keys.map(\.description).joined(separator: " / ")
    }

    /// The title that a section has unless a delegate gives it another.
    static func indexTitle(of name: String) -> String? { name.first.map { String($0).uppercased() } }
}
