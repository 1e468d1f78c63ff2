internal import BridgeValues
internal import Stores

extension FetchRequest {
    /// The maximum number of sort keys, and of section keys, that a script may give.
    static let maximumKeys = 64

    /// Decodes the options of a script's `fetch`: `{ where, sort, sectionBy, limit, offset }`.
    init(
        entity: EntityDescription,
        options: Value,
        among entities: [String: EntityDescription]
    ) throws {
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
        var sort = try Self.keys(options["sort"], option: "sort").map(Self.sortDescriptor)
        // The rows of a section are adjacent only if the order begins with its keys, so keys that the script left out
        // are added.
        let named = Set(sort.map(\.key))
        if sort.isEmpty || Array(sort.prefix(sectionKeys.count).map(\.key)) != sectionKeys {
            if named.isDisjoint(with: sectionKeys) { sort = sectionKeys.map { SortDescriptor($0) } + sort }
        }
        if sort.isEmpty, let first = entity.attributes.first { sort = [SortDescriptor(first.name)] }
        self.init(
            entityName: entity.name,
            predicate: options["where"].isNil
                ? nil : try FetchPredicate(options["where"], entity: entity, among: entities),
            sortDescriptors: sort,
            sectionKeys: sectionKeys,
            fetchLimit: try Self.count(options["limit"], option: "limit"),
            fetchOffset: try Self.count(options["offset"], option: "offset") ?? 0
        )
    }

    private static func list(_ value: Value) -> [Value] { value.arrayValue ?? (value.isNil ? [] : [value]) }

    /// Returns the keys of an option, limited in number because a script chooses them.
    private static func keys(_ value: Value, option: String) throws -> [Value] {
        let keys = list(value)
        guard keys.count <= maximumKeys else {
            throw StoreError(.limitExceeded, "\(option) has \(keys.count) keys (limit \(maximumKeys))")
        }
        return keys
    }

    private static func names(_ value: Value, option: String) throws -> [String] {
        try keys(value, option: option).map { name in
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
