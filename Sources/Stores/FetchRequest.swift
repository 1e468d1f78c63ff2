/// A request for rows of an entity, with their order and their sections.
///
/// It is data, and contains neither code nor SQL.
public struct FetchRequest: Sendable, Hashable {
    /// One step of a sort order.
    public struct SortDescriptor: Sendable, Hashable {
        /// The attribute to sort by, or a key path over to-one relationships: `author.name`.
        public var key: String
        /// A Boolean value that indicates whether small values come first.
        ///
        /// Null is the smallest value.
        public var ascending: Bool

        /// Creates a step of a sort order.
        public init(_ key: String, ascending: Bool = true) {
            self.key = key
            self.ascending = ascending
        }
    }

    /// The entity's name.
    public var entityName: String
    /// The condition for rows; `nil` fetches all rows.
    public var predicate: FetchPredicate?
    /// The sort order.
    ///
    /// Rows that are equal in this order are sorted by their row identity.
    public var sortDescriptors: [SortDescriptor]
    /// The attributes, or key paths to attributes, whose values define the sections.
    ///
    /// The first sort descriptors must have the same keys, in this order.
    public var sectionKeys: [String]
    /// The maximum number of rows; `nil` means no limit.
    public var fetchLimit: Int?
    /// The number of rows to skip at the start.
    public var fetchOffset: Int
    /// The number of rows to read in one batch during iteration; 0 reads all rows together.
    ///
    /// The identities of all rows are always read. The batch size does not affect the result.
    public var fetchBatchSize: Int

    /// Creates a request.
    public init(
        entityName: String,
        predicate: FetchPredicate? = nil,
        sortDescriptors: [SortDescriptor] = [],
        sectionKeys: [String] = [],
        fetchLimit: Int? = nil,
        fetchOffset: Int = 0,
        fetchBatchSize: Int = 0
    ) {
        self.entityName = entityName
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.sectionKeys = sectionKeys
        self.fetchLimit = fetchLimit
        self.fetchOffset = fetchOffset
        self.fetchBatchSize = fetchBatchSize
    }
}

/// A condition on a row, as data.
///
/// It is validated against the entity before use, and its values are bound as parameters instead of being written into
/// SQL.
///
/// Order comparisons with null are false, as in SQL. `equal` and `notEqual` treat null as a value, so `notEqual` is
/// always the opposite of `equal`.
///
/// In place of an attribute, a condition may name a key path over to-one relationships: `author.city.name`. If a row
/// along the path is missing, the value is null.
///
/// Its depth and the number of its comparisons are bounded (``maximumDepth``, ``maximumComparisons``).
public indirect enum FetchPredicate: Sendable, Hashable {
    /// The operator that compares an attribute with a value.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// The same value.
        case equal
        /// A different value.
        case notEqual
        /// Before the value in the order.
        case lessThan
        /// Before the value in the order, or equal.
        case lessThanOrEqual
        /// After the value in the order.
        case greaterThan
        /// After the value in the order, or equal.
        case greaterThanOrEqual
        /// A string that begins with the value, compared byte by byte.
        case beginsWith
        /// A string that contains the value, compared byte by byte.
        case contains
    }

    /// The number of related rows for which a condition must hold.
    public enum Quantifier: String, Sendable, Hashable, CaseIterable {
        /// At least one.
        case any
        /// Every related row; true without related rows.
        case all
        /// No related row.
        case none
    }

    /// A comparison of an attribute with one value.
    case compare(String, Comparison, AttributeValue)
    /// A test whether an attribute equals any value of an array.
    case isIn(String, [AttributeValue])
    /// A conjunction of conditions; an empty array is true.
    case and([FetchPredicate])
    /// A disjunction of conditions; an empty array is false.
    case or([FetchPredicate])
    /// The negation of a condition.
    case not(FetchPredicate)
    /// A test whether the row's identity is in an array.
    case idIsIn([RowID])
    /// A condition on the rows that a relationship refers to.
    case related(String, Quantifier, FetchPredicate)
    /// A comparison of the number of related rows that satisfy a condition with a number.
    case relatedCount(String, FetchPredicate, Comparison, Int)
}
