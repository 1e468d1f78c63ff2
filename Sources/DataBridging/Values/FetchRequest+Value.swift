internal import BridgeValues
internal import Stores

extension FetchRequest {
    /// Reads what a script gave to `fetch`: `{ where, sort, sectionBy, limit, offset }`.
    init(entity: EntityDescription, options: Value) throws {
        guard options.isNil || options.objectValue != nil else {
            throw BridgeError(
                .invalidArgument,
                "fetch takes { where, sort, sectionBy, limit, offset }, not \(options.kind)"
            )
        }
        let known = ["where", "sort", "sectionBy", "limit", "offset"]
        if let unknown = options.objectValue?.keys.first(where: { !known.contains($0) }) {
            throw BridgeError(
                .invalidArgument,
                "fetch has no option '\(unknown)'; it has \((known + ["filter", "window"]).joined(separator: ", "))"
            )
        }
        let sectionKeys = try Self.names(options["sectionBy"], option: "sectionBy")
        var sort = try Self.list(options["sort"]).map(Self.sortDescriptor)
        // Rows of a section stand together only if the order begins with its keys: add what the script left
        // out.
        let named = Set(sort.map(\.key))
        if sort.isEmpty || Array(sort.prefix(sectionKeys.count).map(\.key)) != sectionKeys {
            if named.isDisjoint(with: sectionKeys) { sort = sectionKeys.map { SortDescriptor($0) } + sort }
        }
        if sort.isEmpty, let first = entity.attributes.first { sort = [SortDescriptor(first.name)] }
        self.init(
            entityName: entity.name,
            predicate: options["where"].isNil ? nil : try FetchPredicate(options["where"], entity: entity),
            sortDescriptors: sort,
            sectionKeys: sectionKeys,
            fetchLimit: try Self.count(options["limit"], option: "limit"),
            fetchOffset: try Self.count(options["offset"], option: "offset") ?? 0
        )
    }

    private static func list(_ value: Value) -> [Value] { value.arrayValue ?? (value.isNil ? [] : [value]) }

    private static func names(_ value: Value, option: String) throws -> [String] {
        try list(value).map { name in
            guard let text = name.stringValue else {
                throw BridgeError(.invalidArgument, "\(option) takes attribute names, not \(name.kind)")
            }
            return text
        }
    }

    private static func sortDescriptor(_ value: Value) throws -> SortDescriptor {
        if let key = value.stringValue { return SortDescriptor(key) }
        guard let key = value["key"].stringValue,
            value["ascending"].isNil || value["ascending"].boolValue != nil
        else {
            throw BridgeError(
                .invalidArgument,
                "sort takes attribute names or { key, ascending }, not \(value.kind)"
            )
        }
        return SortDescriptor(key, ascending: value["ascending"].boolValue ?? true)
    }

    private static func count(_ value: Value, option: String) throws -> Int? {
        if value.isNil { return nil }
        guard let count = value.integerValue, count >= 0 else {
            throw BridgeError(.invalidArgument, "\(option) is a count of rows, not \(value.excerpt)")
        }
        return Int(count)
    }
}

extension FetchPredicate {
    /// Reads a condition: `{ attribute: value, attribute: { gt: value }, and: [], or: [], not: {} }`; all
    /// members must hold.
    ///
    /// The names `and`, `or` and `not` are taken: an attribute that has one of them cannot be compared in
    /// this form.
    init(_ value: Value, entity: EntityDescription) throws {
        guard let object = value.objectValue else {
            throw BridgeError(.invalidArgument, "a condition is an object, not \(value.kind)")
        }
        let conditions = try object.members.map { member -> FetchPredicate in
            switch member.key {
            case "and": return .and(try Self.conditions(member, entity))
            case "or": return .or(try Self.conditions(member, entity))
            case "not": return .not(try FetchPredicate(member.value, entity: entity))
            default: return try Self.comparison(member.key, member.value, entity)
            }
        }
        self = conditions.count == 1 ? conditions[0] : .and(conditions)
    }

    private static func conditions(_ member: ValueObject.Member, _ entity: EntityDescription) throws
        -> [FetchPredicate]
    {
        guard let list = member.value.arrayValue else {
            throw BridgeError(
                .invalidArgument,
                "'\(member.key)' takes a list of conditions, not \(member.value.kind)"
            )
        }
        return try list.map { try FetchPredicate($0, entity: entity) }
    }

    private static let comparisons: [String: Comparison] = [
        "eq": .equal, "ne": .notEqual, "lt": .lessThan, "lte": .lessThanOrEqual, "gt": .greaterThan,
        "gte": .greaterThanOrEqual, "beginsWith": .beginsWith, "contains": .contains,
    ]

    private static func comparison(_ name: String, _ value: Value, _ entity: EntityDescription) throws
        -> FetchPredicate
    {
        guard let object = value.objectValue else {
            return .compare(name, .equal, try entity.attributeValue(value, for: name))
        }
        let parts = try object.members.map { member -> FetchPredicate in
            if member.key == "in" {
                guard let list = member.value.arrayValue else {
                    throw BridgeError(
                        .invalidArgument,
                        "'\(name)': 'in' takes a list of values, not \(member.value.kind)"
                    )
                }
                return .isIn(name, try list.map { try entity.attributeValue($0, for: name) })
            }
            guard let comparison = comparisons[member.key] else {
                let known = (comparisons.keys.sorted() + ["in"]).joined(separator: ", ")
                throw BridgeError(
                    .invalidArgument,
                    "'\(name)' cannot be compared by '\(member.key)'; there is \(known)"
                )
            }
            return .compare(name, comparison, try entity.attributeValue(member.value, for: name))
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }
}
