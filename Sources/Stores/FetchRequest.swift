/// Which rows of an entity to fetch, in which order, and how they fall into sections: data, never code or
/// SQL.
public struct FetchRequest: Sendable, Hashable {
    /// One step of an order.
    public struct SortDescriptor: Sendable, Hashable {
        /// The attribute to order by, or the way to one over to-one relationships: `author.name`.
        public var key: String
        /// Whether small comes first.
        ///
        /// No value counts as smallest.
        public var ascending: Bool

        /// Makes a step of an order.
        public init(_ key: String, ascending: Bool = true) {
            self.key = key
            self.ascending = ascending
        }
    }

    /// The entity's name.
    public var entityName: String
    /// Which rows; `nil` means all.
    public var predicate: FetchPredicate?
    /// The order.
    ///
    /// Rows that it leaves equal are ordered by their row id.
    public var sortDescriptors: [SortDescriptor]
    /// The attributes whose values make a section, or ways to them; the first sort descriptors must be the
    /// same, in this order.
    public var sectionKeys: [String]
    /// How many rows at the most; `nil` means all.
    public var fetchLimit: Int?
    /// How many rows to leave out at the start.
    public var fetchOffset: Int
    /// How many rows are read at a time where they are walked over; 0 reads all at once.
    ///
    /// Identities are always known of all rows. It changes nothing in what is fetched.
    public var fetchBatchSize: Int

    /// Makes a request.
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

/// A condition on a row, as data: checked against the entity before use, its values bound, never spelled.
///
/// A comparison with no value is false on both sides of an order (as in SQL); `equal` and `notEqual` treat
/// no value as a value of its own, so that `notEqual` is always the opposite of `equal`.
///
/// Where an attribute is named, a way to one over to-one relationships may stand: `author.city.name`. Where a
/// row on the way is missing there is no value.
///
/// Its depth and the number of its comparisons are bounded (``maximumDepth``, ``maximumComparisons``).
public indirect enum FetchPredicate: Sendable, Hashable {
    /// How an attribute is compared with a value.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// The same value.
        case equal
        /// Another value.
        case notEqual
        /// Before the value.
        case lessThan
        /// Before the value or the same.
        case lessThanOrEqual
        /// After the value.
        case greaterThan
        /// After the value or the same.
        case greaterThanOrEqual
        /// Text that starts with the value, byte by byte.
        case beginsWith
        /// Text that has the value in it, byte by byte.
        case contains
    }

    /// For how many of the rows that a relationship leads to a condition must hold.
    public enum Quantifier: String, Sendable, Hashable, CaseIterable {
        /// At least one.
        case any
        /// Each of them; true where there are none.
        case all
        /// Not one of them.
        case none
    }

    /// An attribute against one value.
    case compare(String, Comparison, AttributeValue)
    /// An attribute against a list: any of it.
    case isIn(String, [AttributeValue])
    /// All of them; an empty list is true.
    case and([FetchPredicate])
    /// Any of them; an empty list is false.
    case or([FetchPredicate])
    /// The opposite.
    case not(FetchPredicate)
    /// The row itself: one of these.
    case idIsIn([RowID])
    /// The rows that a relationship leads to, one or many, against a condition on their entity.
    case related(String, Quantifier, FetchPredicate)
    /// How many of the rows that a relationship leads to a condition holds for, against a number.
    case relatedCount(String, FetchPredicate, Comparison, Int)
}
