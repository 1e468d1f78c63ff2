/// An operation of a script on data; each is granted separately.
public enum DataOperation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reads rows, counts and index paths: queries, windows, sections, snapshots, key functions.
    case read
    /// Listens to changes of a query or of a data source.
    case observe
    /// Adds rows.
    case insert
    /// Changes rows.
    case update
    /// Removes rows.
    case delete
    /// Adds entities.
    case schema
    /// Reads a file into a store; the changes of rows that the import mode causes need their own grants.
    case `import`
    /// Exports the state of a view, as `saveState` does, with the identities and keys of its rows.
    case export
}

extension Set<DataOperation> {
    /// Every operation.
    public static let all = Set(DataOperation.allCases)
    /// The operations that reveal rows and their changes.
    public static let reading: Set = [.read, .observe]
    /// The operations on rows that change a store.
    public static let writing: Set = [.insert, .update, .delete]
}

/// The data that a rule of ``BridgeGrants`` is about: entities of stores, or data sources that the host publishes.
///
/// ```swift
/// grants.allow([.read, .observe], on: .entity("airport", attributes: ["icao", "name"], rows: ["country": "FR"]))
/// grants.allow(.all, on: .store("scratch"))
/// grants.allow(.reading, on: .source("favourites"))
/// ```
public struct DataScope: Sendable, Hashable {
    /// A location of data.
    public enum Place: Sendable, Hashable {
        /// In the entities of stores.
        case store
        /// In data sources that the host publishes.
        case source
    }

    /// The location of the data.
    public let place: Place
    /// The names of stores or of data sources.
    public let name: NamePattern
    /// The names of entities; all of them if the location is a data source.
    public let entity: NamePattern
    /// The attributes; `nil` means all.
    public let attributes: Set<String>?
    /// The condition on rows, in the form of a script's `where`; `nil` means all rows.
    ///
    /// It may name related rows, and attributes that are not granted. A condition that does not fit its entity grants
    /// nothing.
    public let rows: Value?

    private init(
        _ place: Place,
        _ name: NamePattern,
        _ entity: NamePattern,
        _ attributes: Set<String>?,
        _ rows: Value?
    ) {
        self.place = place
        self.name = name
        self.entity = entity
        self.attributes = attributes
        self.rows = rows
    }

    /// Returns the scope of all entities of stores.
    public static func store(_ pattern: NamePattern) -> DataScope {
        DataScope(.store, pattern, .any, nil, nil)
    }

    /// Returns the scope of entities of stores, whole or in part.
    ///
    /// - Parameters:
    ///   - pattern: The names of the entities.
    ///   - store: The names of the stores.
    ///   - attributes: The attributes; `nil` means all.
    ///   - rows: The condition on rows, as a script's `where`; `nil` means all rows.
    /// - Returns: The scope.
    public static func entity(
        _ pattern: NamePattern,
        of store: NamePattern = "default",
        attributes: Set<String>? = nil,
        rows: Value? = nil
    ) -> DataScope {
        DataScope(.store, store, pattern, attributes, rows)
    }

    /// Returns the scope of data sources that the host publishes.
    public static func source(_ pattern: NamePattern) -> DataScope {
        DataScope(.source, pattern, .any, nil, nil)
    }

    /// Returns whether the scope contains an entity of a store, or a data source.
    package func matches(_ place: Place, _ name: String, _ entity: String) -> Bool {
        self.place == place && self.name.matches(name) && (place == .source || self.entity.matches(entity))
    }

    /// Returns whether this scope is more exact than another that also matches.
    ///
    /// The entity is compared before the store; a name is more exact than a prefix, and a longer prefix than a shorter
    /// one.
    package func isMoreExact(than other: DataScope) -> Bool {
        other.exactness.lexicographicallyPrecedes(exactness)
    }

    private var exactness: [Int] {
        [entity, name].flatMap { [$0.isPrefix ? 0 : 1, $0.text.utf8.count] }
    }
}

extension DataScope: CustomStringConvertible {
    /// The scope as messages name it: `default/airport`, `source favourites`.
    public var description: String {
        place == .source ? "source \(name)" : "\(name)/\(entity)"
    }
}
