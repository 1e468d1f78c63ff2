public import Foundation
public import Stores

/// Where a view was, as one small piece of JSON that people and scripts can read, change and supply.
///
/// It names rows by their identifiers, never by their places, so that it is right after rows were sorted anew,
/// filtered, inserted and deleted, in another process and for another view. A program may keep values of its
/// own in it: ``subscript(_:)``.
public struct StateArchive: Sendable, Hashable {
    /// The format that this version of the package writes and reads.
    public static let formatVersion = 1

    /// A row, where it stood from the viewport's edge, and how long it was.
    public struct Anchor: Sendable, Hashable, Codable {
        /// The row's identifier.
        public var id: String
        /// From the viewport's edge to the row's; negative for one that was seen in part only.
        public var offset: Double
        /// How long the row was, so that a view with other rows can place it alike.
        public var length: Double

        /// Makes an anchor.
        public init(id: String, offset: Double, length: Double) {
            self.id = id
            self.offset = offset
            self.length = length
        }
    }

    /// Which rows were selected.
    public enum Selection: Sendable, Hashable {
        /// These.
        case ids([String])
        /// All but these.
        case allExcept([String])
    }

    /// The shape of the rows that it belongs to, as a hash.
    public var schema: String
    /// The request that was shown, as a hash.
    public var request: String
    /// When it was made, in seconds since 1970.
    public var time: Double
    /// The first row that was seen whole or in part.
    public var anchor: Anchor?
    /// Rows around it, the nearest first.
    public var fallbacks: [Anchor] = []
    /// What tells the anchor's section from others.
    public var section: [AttributeValue]?
    /// The names of the sort keys.
    public var sortedBy: [String] = []
    /// The anchor's values of them.
    public var sortKey: [AttributeValue] = []
    /// How far the content was scrolled, from 0 to 1.
    public var proportion: Double = 0
    /// Which rows were selected.
    public var selection = Selection.ids([])
    /// The row that had the focus.
    public var focus: String?
    /// What was unfolded, by names that the program gives.
    public var expanded: [String] = []
    /// What the program keeps with it.
    public var values: [String: AttributeValue] = [:]

    /// Makes an archive without a place.
    public init(schema: String, request: String, time: Date = Date()) {
        self.schema = schema
        self.request = request
        self.time = time.timeIntervalSince1970
    }

    /// What the program keeps under a name.
    public subscript(name: String) -> AttributeValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

/// Why an archive was refused, as a whole.
public enum StateArchiveError: Error, Sendable, Hashable {
    /// It is not an archive: what is wrong with it.
    case unreadable(String)
    /// It has the format of another version of this package.
    case unknownVersion(found: Int, known: Int)
    /// It is of rows of another shape.
    case unknownSchema(found: String, known: [String])
    /// It is larger than an archive can be.
    case tooLarge(bytes: Int, limit: Int)
}

extension StateArchiveError: CustomStringConvertible {
    /// What is wrong, in a sentence.
    public var description: String {
        switch self {
        case .unreadable(let detail): "this is no state archive: \(detail)"
        case .unknownVersion(let found, let known):
            "the state archive has format version \(found); this version of the package reads \(known)"
        case .unknownSchema(let found, let known):
            "the state archive is of rows of another shape (\(found)); known is \(known.joined(separator: ", "))"
        case .tooLarge(let bytes, let limit):
            "the state archive has \(bytes) bytes; the limit is \(limit)"
        }
    }
}
