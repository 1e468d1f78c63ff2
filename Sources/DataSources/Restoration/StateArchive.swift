public import Foundation
public import Stores

/// The state of a view as a small JSON document that people and scripts can read, change and supply.
///
/// The archive names rows by their identifiers, never by their positions. It therefore stays valid after rows were
/// sorted again, filtered, inserted and deleted, in another process and for another view. A program may store its own
/// values in it: ``subscript(_:)``.
public struct StateArchive: Sendable, Hashable {
    /// The format version that this version of the package writes and reads.
    public static let formatVersion = 1

    /// A row, its distance from the viewport's edge, and its length.
    public struct Anchor: Sendable, Hashable, Codable {
        /// The row's identifier.
        public var id: String
        /// The distance from the viewport's edge to the row's; negative for a row that was partly visible.
        public var offset: Double
        /// The length of the row, so that a view with other row lengths can place it alike.
        public var length: Double

        /// Creates an anchor.
        public init(id: String, offset: Double, length: Double) {
            self.id = id
            self.offset = offset
            self.length = length
        }
    }

    /// The selected rows.
    public enum Selection: Sendable, Hashable {
        /// The rows with these identifiers.
        case ids([String])
        /// All rows except those with these identifiers.
        case allExcept([String])
    }

    /// A hash of the shape of the archived rows.
    public var schema: String
    /// A hash of the request that was displayed.
    public var request: String
    /// The time of creation, in seconds since 1970.
    public var time: Double
    /// The first visible or partly visible row.
    public var anchor: Anchor?
    /// The rows around it, the nearest first.
    public var fallbacks: [Anchor] = []
    /// The keys that identify the anchor's section.
    public var section: [AttributeValue]?
    /// The names of the sort keys.
    public var sortedBy: [String] = []
    /// The anchor's values of the sort keys.
    public var sortKey: [AttributeValue] = []
    /// The scroll position of the content, from 0 to 1.
    public var proportion: Double = 0
    /// The selected rows.
    public var selection = Selection.ids([])
    /// The row that had the focus.
    public var focus: String?
    /// The names of the expanded items, chosen by the program.
    public var expanded: [String] = []
    /// The program's own values.
    public var values: [String: AttributeValue] = [:]

    /// Creates an archive without a position.
    public init(schema: String, request: String, time: Date = Date()) {
        self.schema = schema
        self.request = request
        self.time = time.timeIntervalSince1970
    }

    /// Accesses one of the program's own values by its name.
    public subscript(name: String) -> AttributeValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

/// The reason why a whole archive was rejected.
public enum StateArchiveError: Error, Sendable, Hashable {
    /// Not an archive, with the reason.
    case unreadable(String)
    /// The format of another version of this package.
    case unknownVersion(found: Int, known: Int)
    /// An archive of rows of another shape.
    case unknownSchema(found: String, known: [String])
    /// More bytes than an archive may have.
    case tooLarge(bytes: Int, limit: Int)
}

extension StateArchiveError: CustomStringConvertible {
    /// A sentence that says what is wrong.
    public var description: String {
        switch self {
        case .unreadable(let detail): "not a state archive: \(detail)"
        case .unknownVersion(let found, let known):
            "the state archive has format version \(found); this version of the package reads \(known)"
        case .unknownSchema(let found, let known):
            "the state archive is of rows of another shape (\(found)); known is \(known.joined(separator: ", "))"
        case .tooLarge(let bytes, let limit):
            "the state archive has \(bytes) bytes; the limit is \(limit)"
        }
    }
}
