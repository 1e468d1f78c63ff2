// A store compiles a predicate as a whole and cannot be interrupted meanwhile, so the size of predicates is bounded.
extension FetchPredicate {
    /// The maximum nesting depth of a predicate.
    public static let maximumDepth = 100

    /// The maximum number of comparisons in a predicate.
    ///
    /// The limit bounds the time for compilation: 2,000 comparisons take about 50 ms at most. Several comparisons count
    /// as one:
    ///
    /// - an array of values (``isIn(_:_:)``) of any length;
    /// - the parts of an ``or(_:)`` that compare the same attribute with ``Comparison/equal``;
    /// - the parts of an ``and(_:)`` that compare the same attribute with ``Comparison/notEqual``.
    ///
    /// The ``not(_:)`` of one of these comparisons counts as the other. Each relationship that a key path or a
    /// condition follows counts as one more comparison.
    public static let maximumComparisons = 2_000

    /// The maximum number of nested relationships.
    ///
    /// SQLite's parser has a stack of 100 entries, and each nested subquery uses about ten.
    package static let maximumRelationships = 6

    /// Creates the error for a predicate that is nested too deeply.
    package static func tooDeep(_ depth: Int) -> StoreError {
        StoreError(
            .limitExceeded,
            "a predicate is nested \(depth) levels deep or deeper (limit \(maximumDepth))"
        )
    }

    /// Prepares the predicate for compilation: checks its bounds, and joins comparisons of one attribute with many
    /// values into one array.
    ///
    /// - Returns: A predicate that is true for the same rows, and the number of its comparisons.
    /// - Throws: ``StoreError`` `limitExceeded` with the actual value and the limit.
    package func prepared() throws -> (predicate: FetchPredicate, comparisons: Int) {
        let joined = try joiningLists(depth: 0)
        let count = joined.comparisons
        guard count <= Self.maximumComparisons else {
            throw StoreError(
                .limitExceeded,
                "a predicate has \(count) comparisons (limit \(Self.maximumComparisons); "
                    + "an array of values, 'in', counts as one)"
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

    /// The negation of a predicate, again as a comparison if it can become part of an array.
    ///
    /// Other comparisons stay inside a ``not(_:)``, because both they and their opposites are false for null.
    private var negated: FetchPredicate {
        switch self {
        case .compare(let key, .equal, let value): .compare(key, .notEqual, value)
        case .compare(let key, .notEqual, let value): .compare(key, .equal, value)
        case .not(let part): part
        default: .not(self)
        }
    }

    /// Joins the parts that compare the same attribute with one value each into one array, at the position of the first
    /// part.
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
