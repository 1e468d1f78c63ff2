// A store compiles a predicate as a whole and cannot be stopped meanwhile, so that what it compiles is bounded.
extension FetchPredicate {
    /// How deep a condition may be nested.
    public static let maximumDepth = 100

    /// How many comparisons a condition may have.
    ///
    /// Stops conditions that take long to compile: 2,000 comparisons take about 50 ms at most. A list of values
    /// (``isIn(_:_:)``) counts as one, however long it is; so do the parts of an ``or(_:)`` that compare the same
    /// attribute with ``Comparison/equal``, and those of an ``and(_:)`` that compare it with ``Comparison/notEqual``.
    /// The ``not(_:)`` of one of these comparisons counts as the other. A relationship that is looked through counts
    /// as one more.
    public static let maximumComparisons = 2_000

    /// How many relationships may be looked through one behind the other.
    ///
    /// SQLite's parser has a stack of 100 places, of which a query inside a query takes about ten.
    package static let maximumRelationships = 6

    /// The error for a condition that is nested too deep.
    package static func tooDeep(_ depth: Int) -> StoreError {
        StoreError(
            .limitExceeded,
            "a predicate is nested \(depth) deep or deeper; it may be \(maximumDepth) deep"
        )
    }

    /// Makes the condition ready to be compiled: within its bounds, and comparisons of one attribute with many values as
    /// one list.
    ///
    /// - Returns: A condition that is true for the same rows, and how many comparisons it has.
    /// - Throws: ``StoreError`` `limitExceeded` with what the condition has and what it may have.
    package func prepared() throws -> (predicate: FetchPredicate, comparisons: Int) {
        let joined = try joiningLists(depth: 0)
        let count = joined.comparisons
        guard count <= Self.maximumComparisons else {
            throw StoreError(
                .limitExceeded,
                "a predicate has \(count) comparisons; it may have \(Self.maximumComparisons) "
                    + "(a list of values, 'in', counts as one)"
            )
        }
        return (joined, count)
    }

    private var comparisons: Int {
        switch self {
        case .compare(let key, _, _), .isIn(let key, _): 1 + key.utf8.count { $0 == UInt8(ascii: ".") }
        case .idIsIn: 1
        case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.comparisons }
        case .not(let part): part.comparisons
        case .related(_, _, let part), .relatedCount(_, let part, _, _): 1 + part.comparisons
        }
    }

    private func joiningLists(depth: Int) throws -> FetchPredicate {
        guard depth < Self.maximumDepth else { throw Self.tooDeep(depth + 1) }
        func joining(_ part: FetchPredicate) throws -> FetchPredicate {
            try part.joiningLists(depth: depth + 1)
        }
        switch self {
        case .compare, .isIn, .idIsIn: return self
        case .and(let parts): return .and(Self.joined(try parts.map(joining), as: .notEqual))
        case .or(let parts): return .or(Self.joined(try parts.map(joining), as: .equal))
        case .not(let part): return try joining(part).negated
        case .related(let name, let quantifier, let part):
            return .related(name, quantifier, try joining(part))
        case .relatedCount(let name, let part, let comparison, let count):
            return .relatedCount(name, try joining(part), comparison, count)
        }
    }

    /// The opposite of a condition, which is a comparison again where it can become part of a list.
    ///
    /// The other comparisons stay inside a ``not(_:)``: without a value they are false both ways.
    private var negated: FetchPredicate {
        switch self {
        case .compare(let key, .equal, let value): .compare(key, .notEqual, value)
        case .compare(let key, .notEqual, let value): .compare(key, .equal, value)
        case .not(let part): part
        default: .not(self)
        }
    }

    /// Makes one list of the parts that compare the same attribute with a value each, in the place of the first.
    private static func joined(_ parts: [FetchPredicate], as comparison: Comparison) -> [FetchPredicate] {
        var lists: [String: [AttributeValue]] = [:]
        for case .compare(let key, comparison, let value) in parts { lists[key, default: []].append(value) }
        guard lists.values.contains(where: { $0.count > 1 }) else { return parts }
        return parts.compactMap { part in
            guard case .compare(let key, comparison, _) = part else { return part }
            guard let values = lists.updateValue([], forKey: key), !values.isEmpty else { return nil }
            guard values.count > 1 else { return part }
            return comparison == .equal ? .isIn(key, values) : .not(.isIn(key, values))
        }
    }
}
