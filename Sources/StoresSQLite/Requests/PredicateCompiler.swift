internal import Foundation
internal import Stores

/// A compiler from a predicate to an SQL condition that is true for exactly the same rows.
///
/// SQL has a third truth value, predicates have two. In `and` and `or` the third value has the same effect as false, so
/// they map to SQL directly. `not` tests whether its part is true, which eliminates the third value.
///
/// Column names are qualified with the name of their table, because a condition on related rows is a subquery.
struct PredicateCompiler {
    let table: EntityTable
    let schema: StoreSchema
    /// The SQL name of the rows that the condition applies to.
    let alias: String
    /// The number of relationships between the request's rows and these rows.
    private let relationships: Int
    /// A Boolean value that indicates whether the whole condition has many comparisons.
    ///
    /// Then values must not be constants to SQLite (``SQLiteConnection/valueFunction``), and arrays must be short.
    private let isWide: Bool

    /// The maximum length of an array that is bound as parameters; a longer array goes into a table.
    ///
    /// SQLite allows 32,766 parameters in a statement. With the shorter arrays of wide conditions, no predicate exceeds
    /// that.
    private var maximumMarks: Int { isWide ? 8 : 512 }

    /// The number of comparisons above which a condition is wide.
    private static let wideCount = 60

    init(table: EntityTable, schema: StoreSchema) {
        self.init(table: table, schema: schema, alias: table.name, relationships: 0, isWide: false)
    }

    private init(table: EntityTable, schema: StoreSchema, alias: String, relationships: Int, isWide: Bool) {
        self.table = table
        self.schema = schema
        self.alias = alias
        self.relationships = relationships
        self.isWide = isWide
    }

    func compile(_ predicate: FetchPredicate) throws -> SQLFragment {
        let (prepared, comparisons) = try predicate.prepared()
        let compiler = PredicateCompiler(
            table: table,
            schema: schema,
            alias: alias,
            relationships: relationships,
            isWide: comparisons > Self.wideCount
        )
        return try compiler.fragment(prepared)
    }

    private func fragment(_ predicate: FetchPredicate) throws -> SQLFragment {
        switch predicate {
        case .compare(let key, let comparison, let value):
            return try compare(operand(key), comparison, value)
        case .isIn(let key, let values): return try isIn(operand(key), values)
        case .idIsIn(let ids): return try isIn(identity, ids.map { .integer($0) })
        case .and(let parts):
            return Self.join(try parts.map(fragment)[...], " AND ", empty: "1")
        case .or(let parts):
            return Self.join(try parts.map(fragment)[...], " OR ", empty: "0")
        case .not(let part):
            var condition = try fragment(part)
            condition.text = "(\(condition.text) IS NOT TRUE)"
            return condition
        case .related(let name, let quantifier, let part):
            return try related(name, quantifier, part)
        case .relatedCount(let name, let part, let comparison, let count):
            return try relatedCount(name, part, comparison, count)
        }
    }

    /// Joins parts in a balanced tree, so that a thousand parts nest ten levels deep for SQLite's parser instead of a
    /// thousand.
    private static func join(_ parts: ArraySlice<SQLFragment>, _ word: String, empty: String) -> SQLFragment {
        guard let first = parts.first else { return SQLFragment(empty) }
        guard parts.count > 1 else { return first }
        let middle = parts.startIndex + parts.count / 2
        let left = join(parts[..<middle], word, empty: empty)
        let right = join(parts[middle...], word, empty: empty)
        return SQLFragment("(\(left.text)\(word)\(right.text))", left.bindings + right.bindings)
    }

    // MARK: - Related rows

    private func related(
        _ name: String,
        _ quantifier: FetchPredicate.Quantifier,
        _ part: FetchPredicate
    ) throws -> SQLFragment {
        var (query, condition) = try relatedRows(name, part)
        if quantifier == .all { condition.text = "(\(condition.text) IS NOT TRUE)" }
        query.text = "(\(quantifier == .any ? "" : "NOT ")EXISTS (SELECT 1 \(query.text) AND "
        query.append(condition)
        query.text += "))"
        return query
    }

    private func relatedCount(
        _ name: String,
        _ part: FetchPredicate,
        _ comparison: FetchPredicate.Comparison,
        _ count: Int
    ) throws -> SQLFragment {
        var (query, condition) = try relatedRows(name, part)
        query.text = "(SELECT count(*) \(query.text) AND "
        query.append(condition)
        query.text += ")"
        let place = "the number of \(MessageText.quoted("\(table.entity.name).\(name)"))"
        let number = Operand(sql: query.text, bindings: query.bindings, type: .integer, place: place)
        return try compare(number, comparison, .integer(Int64(count)))
    }

    /// Returns the related rows of a relationship as the part of a query from `FROM` on, and a condition on them.
    private func relatedRows(
        _ name: String,
        _ part: FetchPredicate
    ) throws -> (rows: SQLFragment, condition: SQLFragment) {
        let relationship = try table.entity.requiredRelationship(name)
        guard relationships < FetchPredicate.maximumRelationships else {
            throw StoreError(
                .invalidRequest,
                "a predicate follows more than \(FetchPredicate.maximumRelationships) relationships"
            )
        }
        let target = try schema.table(relationship.destination)
        let far = EntityTable.quoted("$r\(relationships)")
        let inner = PredicateCompiler(
            table: target,
            schema: schema,
            alias: far,
            relationships: relationships + 1,
            isWide: isWide
        )
        let id = EntityTable.idColumn
        let rows: String
        switch try relationship.link(of: table.entity, among: schema.entities) {
        case .own(let attribute):
            rows = "FROM \(target.name) AS \(far) WHERE \(far).\(id) = \(alias).\(table.columns[attribute])"
        case .inverse(_, let attribute):
            rows = "FROM \(target.name) AS \(far) WHERE \(far).\(target.columns[attribute]) = \(alias).\(id)"
        case .pairs(let entity, let nearEnd, let farEnd):
            let pairs = try schema.table(entity)
            let pair = EntityTable.quoted("$l\(relationships)")
            rows =
                "FROM \(pairs.name) AS \(pair) JOIN \(target.name) AS \(far) "
                + "ON \(far).\(id) = \(pair).\(pairs.columns[farEnd]) "
                + "WHERE \(pair).\(pairs.columns[nearEnd]) = \(alias).\(id)"
        }
        return (SQLFragment(rows), try inner.fragment(part))
    }

    // MARK: - Comparisons

    /// The left side of a comparison.
    struct Operand {
        let sql: String
        var bindings: [SQLFragment.Binding] = []
        let type: AttributeType
        /// The name of the operand in messages.
        let place: String
    }

    private var identity: Operand {
        Operand(
            sql: "\(alias).\(EntityTable.idColumn)",
            type: .integer,
            place: "the identity of \(MessageText.quoted(table.entity.name))"
        )
    }

    /// Returns the operand for a key: an attribute, or the value at the end of a key path.
    func operand(_ key: String) throws -> Operand {
        if let index = table.position(of: key) {
            return Operand(
                sql: "\(alias).\(table.columns[index])",
                type: table.types[index],
                place: table.entity.place(index)
            )
        }
        let path = try AttributePath(key, of: table.entity, among: schema.entities)
        var (near, nearTable, from) = (alias, table, "")
        var condition = ""
        for (number, relationship) in path.relationships.enumerated() {
            let target = try schema.table(relationship.destination)
            let name = EntityTable.quoted("$p\(number)")
            let reference = "\(near).\(nearTable.columns[try nearTable.index(of: relationship.name)])"
            let match = "\(name).\(EntityTable.idColumn) = \(reference)"
            if number == 0 {
                from = "\(target.name) AS \(name)"
                condition = match
            } else {
                from += " JOIN \(target.name) AS \(name) ON \(match)"
            }
            (near, nearTable) = (name, target)
        }
        return Operand(
            sql: "(SELECT \(near).\(nearTable.columns[path.index]) FROM \(from) WHERE \(condition))",
            type: path.type,
            place: path.entity.place(path.index)
        )
    }

    /// The placeholder for a value.
    private var mark: String { isWide ? "\(SQLiteConnection.valueFunction)(?)" : "?" }

    private func compare(
        _ operand: Operand,
        _ comparison: FetchPredicate.Comparison,
        _ value: AttributeValue
    ) throws -> SQLFragment {
        let sign: String
        switch comparison {
        case .beginsWith, .contains: return try compareText(operand, comparison, value)
        case .equal: sign = "IS"
        case .notEqual: sign = "IS NOT"
        case .lessThan: sign = "<"
        case .lessThanOrEqual: sign = "<="
        case .greaterThan: sign = ">"
        case .greaterThanOrEqual: sign = ">="
        }
        let bindings = operand.bindings + [.value(try checked(value, operand))]
        return SQLFragment("(\(operand.sql) \(sign) \(mark))", bindings)
    }

    private func compareText(
        _ operand: Operand,
        _ comparison: FetchPredicate.Comparison,
        _ value: AttributeValue
    ) throws -> SQLFragment {
        guard operand.type == .string else {
            throw StoreError(
                .invalidRequest,
                "\(operand.place) holds \(operand.type.rawValue) values, "
                    + "which do not support \(comparison.rawValue)"
            )
        }
        guard case .string(let part) = try checked(value, operand) else { return SQLFragment("0") }
        let column = operand.sql
        // Every string begins with and contains the empty string.
        guard !part.isEmpty else { return SQLFragment("(\(column) IS NOT NULL)") }
        if comparison == .contains {
            return SQLFragment("\(SQLiteConnection.containsFunction)(\(column), ?)", [.value(value)])
        }
        // A range instead of LIKE: it has no wildcards, compares bytes, and can use an index. The last byte of UTF-8 is
        // never 0xFF, so adding one gives the first string after all strings with the prefix.
        var end = Array(part.utf8)
        end[end.count - 1] += 1
        return SQLFragment("(\(column) >= \(mark) AND \(column) < \(mark))", [.value(value), .text(end)])
    }

    private func isIn(_ operand: Operand, _ values: [AttributeValue]) throws -> SQLFragment {
        let column = operand.sql
        var seen: Set<AttributeValue> = []
        let distinct = try values.map { try checked($0, operand) }.filter { seen.insert($0).inserted }
        var present = distinct.filter { !$0.isNull }
        let null = present.count < distinct.count ? "(\(column) IS NULL)" : nil
        guard let last = present.last else { return SQLFragment(null ?? "0") }
        let list: SQLFragment
        if present.count > maximumMarks {
            list = SQLFragment(
                #"(\#(column) IN (SELECT value FROM temp."$list" WHERE list = ?))"#,
                [.list(present)]
            )
        } else {
            // Lengths are rounded up to powers of two, so that few different statements occur.
            var length = 1
            while length < present.count { length *= 2 }
            present += Array(repeating: last, count: length - present.count)
            let marks = Array(repeating: mark, count: length).joined(separator: ", ")
            list = SQLFragment("(\(column) IN (\(marks)))", present.map { .value($0) })
        }
        return null.map { SQLFragment("(\($0) OR \(list.text))", list.bindings) } ?? list
    }

    /// Validates the value of a comparison: null, a value of the attribute's type, or a number for a numeric attribute.
    private func checked(_ value: AttributeValue, _ operand: Operand) throws -> AttributeValue {
        switch (operand.type, value) {
        case (_, .null), (.integer, .integer), (.double, .integer), (.boolean, .boolean), (.string, .string),
            (.data, .data):
            return value
        case (.integer, .double(let number)) where !number.isNaN: return value
        case (.double, .double(let number)) where !number.isNaN: return value
        case (.date, .date(let date)) where !date.timeIntervalSince1970.isNaN: return value
        default:
            throw StoreError(
                .invalidRequest,
                "\(operand.place) holds \(operand.type.rawValue) values and cannot be "
                    + "compared with \(value.kindAndText)"
            )
        }
    }
}
