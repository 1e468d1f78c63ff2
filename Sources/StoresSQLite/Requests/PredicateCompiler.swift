internal import Foundation
internal import Stores

/// Turns a predicate into an SQL condition that is true for exactly its rows.
///
/// SQL has a third truth value, predicates have two. `and` and `or` may be left to SQL, since there the third
/// value ends as false does; `not` asks whether its part is true, so that nothing of the third value
/// survives.
struct PredicateCompiler {
    let table: EntityTable

    /// How deep a predicate may be nested: SQLite parses by recursion, and so does this.
    static let maximumDepth = 100
    /// How long a list may be before it goes to a table instead of into marks.
    static let maximumMarks = 512

    func compile(_ predicate: FetchPredicate) throws -> SQLFragment { try compile(predicate, depth: 0) }

    private func compile(_ predicate: FetchPredicate, depth: Int) throws -> SQLFragment {
        guard depth < Self.maximumDepth else {
            throw StoreError(.invalidRequest, "a predicate is nested more than \(Self.maximumDepth) deep")
        }
        switch predicate {
        case .compare(let attribute, let comparison, let value):
            return try compare(table.index(of: attribute), comparison, value)
        case .isIn(let attribute, let values): return try isIn(table.index(of: attribute), values)
        case .and(let parts):
            return Self.join(try parts.map { try compile($0, depth: depth + 1) }[...], " AND ", empty: "1")
        case .or(let parts):
            return Self.join(try parts.map { try compile($0, depth: depth + 1) }[...], " OR ", empty: "0")
        case .not(let part):
            var fragment = try compile(part, depth: depth + 1)
            fragment.text = "(\(fragment.text) IS NOT TRUE)"
            return fragment
        }
    }

    /// Joins by halves, so that a thousand parts are ten deep for SQLite's parser instead of a thousand.
    private static func join(_ parts: ArraySlice<SQLFragment>, _ word: String, empty: String) -> SQLFragment {
        guard let first = parts.first else { return SQLFragment(empty) }
        guard parts.count > 1 else { return first }
        let middle = parts.startIndex + parts.count / 2
        let left = join(parts[..<middle], word, empty: empty)
        let right = join(parts[middle...], word, empty: empty)
        return SQLFragment("(\(left.text)\(word)\(right.text))", left.bindings + right.bindings)
    }

    // MARK: - Comparisons

    private func compare(
        _ index: Int,
        _ comparison: FetchPredicate.Comparison,
        _ value: AttributeValue
    ) throws -> SQLFragment {
        let column = table.columns[index]
        switch comparison {
        case .beginsWith, .contains: return try compareText(index, comparison, value)
        case .equal: return SQLFragment("(\(column) IS ?)", [.value(try checked(value, index))])
        case .notEqual: return SQLFragment("(\(column) IS NOT ?)", [.value(try checked(value, index))])
        case .lessThan: return SQLFragment("(\(column) < ?)", [.value(try checked(value, index))])
        case .lessThanOrEqual: return SQLFragment("(\(column) <= ?)", [.value(try checked(value, index))])
        case .greaterThan: return SQLFragment("(\(column) > ?)", [.value(try checked(value, index))])
        case .greaterThanOrEqual: return SQLFragment("(\(column) >= ?)", [.value(try checked(value, index))])
        }
    }

    private func compareText(
        _ index: Int,
        _ comparison: FetchPredicate.Comparison,
        _ value: AttributeValue
    ) throws -> SQLFragment {
        guard table.types[index] == .string else {
            throw StoreError(
                .invalidRequest,
                "\(table.entity.place(index)) holds \(table.types[index].rawValue) values, "
                    + "which have no \(comparison.rawValue)"
            )
        }
        guard case .string(let part) = try checked(value, index) else { return SQLFragment("0") }
        let column = table.columns[index]
        // Everything that is there begins with and contains the empty text.
        guard !part.isEmpty else { return SQLFragment("(\(column) IS NOT NULL)") }
        if comparison == .contains { return SQLFragment("(instr(\(column), ?) > 0)", [.value(value)]) }
        // A range instead of LIKE: no wildcards, byte by byte, and an index serves it. The last byte of UTF-8
        // is never 0xFF, so adding one gives the first text after all that begin so.
        var end = Array(part.utf8)
        end[end.count - 1] += 1
        return SQLFragment("(\(column) >= ? AND \(column) < ?)", [.value(value), .text(end)])
    }

    private func isIn(_ index: Int, _ values: [AttributeValue]) throws -> SQLFragment {
        let column = table.columns[index]
        var seen: Set<AttributeValue> = []
        let distinct = try values.map { try checked($0, index) }.filter { seen.insert($0).inserted }
        var present = distinct.filter { !$0.isNull }
        let null = present.count < distinct.count ? "(\(column) IS NULL)" : nil
        guard let last = present.last else { return SQLFragment(null ?? "0") }
        let list: SQLFragment
        if present.count > Self.maximumMarks {
            list = SQLFragment(
                #"(\#(column) IN (SELECT value FROM temp."$list" WHERE list = ?))"#,
                [.list(present)]
            )
        } else {
            // Lengths are rounded up to powers of two, so that few texts of statements occur.
            var length = 1
            while length < present.count { length *= 2 }
            present += Array(repeating: last, count: length - present.count)
            let marks = Array(repeating: "?", count: length).joined(separator: ", ")
            list = SQLFragment("(\(column) IN (\(marks)))", present.map { .value($0) })
        }
        return null.map { SQLFragment("(\($0) OR \(list.text))", list.bindings) } ?? list
    }

    /// A value that the attribute can be compared with: of its own type, none, or any number with any number.
    private func checked(_ value: AttributeValue, _ index: Int) throws -> AttributeValue {
        switch (table.types[index], value) {
        case (_, .null), (.integer, .integer), (.double, .integer), (.boolean, .boolean), (.string, .string),
            (.data, .data):
            return value
        case (.integer, .double(let number)) where !number.isNaN: return value
        case (.double, .double(let number)) where !number.isNaN: return value
        case (.date, .date(let date)) where !date.timeIntervalSince1970.isNaN: return value
        default:
            throw StoreError(
                .invalidRequest,
                "\(table.entity.place(index)) holds \(table.types[index].rawValue) values and cannot be "
                    + "compared with \(value.kindAndText)"
            )
        }
    }
}
