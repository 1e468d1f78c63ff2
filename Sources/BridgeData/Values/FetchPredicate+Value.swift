internal import BridgeValues
internal import Stores

extension FetchPredicate {
    /// Decodes a condition: `{ attribute: value, attribute: { gt: value }, and: [], or: [], not: {} }`; all members
    /// must hold.
    ///
    /// A name may be a key path to an attribute of a related row, `author.city.name`. A relationship takes `any`, `all`
    /// and `none`, each with a condition on the related rows, and `count`, with the condition `of` the counted rows.
    /// The names `and`, `or` and `not` are reserved: an attribute with one of these names cannot be compared in this
    /// form.
    init(_ value: Value, entity: EntityDescription, among entities: [String: EntityDescription]) throws {
        self = try PredicateDecoder(entities: entities).condition(value, entity, depth: 0)
    }
}

/// A decoder of a script's condition into a predicate.
private struct PredicateDecoder {
    let entities: [String: EntityDescription]

    func condition(_ value: Value, _ entity: EntityDescription, depth: Int) throws -> FetchPredicate {
        guard depth < FetchPredicate.maximumDepth else { throw FetchPredicate.tooDeep(depth + 1) }
        guard let object = value.objectValue else {
            throw BridgeError(.invalidArgument, "a condition is an object, not \(value.kind)")
        }
        let conditions = try object.members.map { member -> FetchPredicate in
            switch member.key {
            case "and": .and(try list(member, entity, depth))
            case "or": .or(try list(member, entity, depth))
            case "not": .not(try condition(member.value, entity, depth: depth + 1))
            default: try comparison(member.key, member.value, entity, depth)
            }
        }
        return conditions.count == 1 ? conditions[0] : .and(conditions)
    }

    private func list(
        _ member: ValueObject.Member,
        _ entity: EntityDescription,
        _ depth: Int
    ) throws -> [FetchPredicate] {
        guard let list = member.value.arrayValue else {
            throw BridgeError(
                .invalidArgument,
                "'\(member.key)' takes an array of conditions, not \(member.value.kind)"
            )
        }
        return try list.map { try condition($0, entity, depth: depth + 1) }
    }

    // MARK: - Values

    private static let comparisons: [String: FetchPredicate.Comparison] = [
        "eq": .equal, "ne": .notEqual, "lt": .lessThan, "lte": .lessThanOrEqual, "gt": .greaterThan,
        "gte": .greaterThanOrEqual, "beginsWith": .beginsWith, "contains": .contains,
    ]

    private func comparison(
        _ name: String,
        _ value: Value,
        _ entity: EntityDescription,
        _ depth: Int
    ) throws -> FetchPredicate {
        guard let object = value.objectValue else {
            return .compare(name, .equal, try attributeValue(value, name, entity))
        }
        if let relationship = entity.relationship(name), let first = object.members.first,
            first.key == "count" || FetchPredicate.Quantifier(rawValue: first.key) != nil
        {
            return try related(relationship, object, depth)
        }
        // Before the members are read, because a condition without values must name an existing attribute too.
        _ = try attribute(name, entity)
        let parts = try object.members.map { member -> FetchPredicate in
            if member.key == "in" {
                guard let list = member.value.arrayValue else {
                    throw BridgeError(
                        .invalidArgument,
                        "'\(name)': 'in' takes an array of values, not \(member.value.kind)"
                    )
                }
                return .isIn(name, try list.map { try attributeValue($0, name, entity) })
            }
            guard let comparison = Self.comparisons[member.key] else {
                let known = (Self.comparisons.keys.sorted() + ["in"]).joined(separator: ", ")
                throw BridgeError(
                    .invalidArgument,
                    "'\(name)' cannot be compared by '\(member.key)'; available: \(known)"
                )
            }
            return .compare(name, comparison, try attributeValue(member.value, name, entity))
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// Decodes a value by the type of the attribute at a key path.
    private func attributeValue(
        _ value: Value,
        _ name: String,
        _ entity: EntityDescription
    ) throws -> AttributeValue {
        let (owner, attribute) = try attribute(name, entity)
        return try owner.attributeValue(value, for: attribute)
    }

    /// Returns the attribute at a key path, and its entity.
    private func attribute(_ name: String, _ entity: EntityDescription) throws -> (EntityDescription, String)
    {
        guard !entity.relationships.isEmpty else {
            try entity.requireAttribute(name)
            return (entity, name)
        }
        guard entity.index(of: name) == nil else { return (entity, name) }
        let path = try AttributePath(name, of: entity, among: entities)
        return (path.entity, path.entity.attributes[path.index].name)
    }

    // MARK: - Related rows

    private func related(
        _ relationship: RelationshipDescription,
        _ object: ValueObject,
        _ depth: Int
    ) throws -> FetchPredicate {
        let name = relationship.name
        guard let destination = entities[relationship.destination] else {
            throw StoreError(.schema, "the store has no entity '\(relationship.destination)'")
        }
        if let count = object["count"], object.count == (object["of"] == nil ? 1 : 2) {
            let part = try object["of"].map { try condition($0, destination, depth: depth + 1) } ?? .and([])
            return try counted(name, count, part)
        }
        guard object.count == 1, let member = object.members.first,
            let quantifier = FetchPredicate.Quantifier(rawValue: member.key)
        else {
            let given = object.keys.map { "'\($0)'" }.joined(separator: ", ")
            throw BridgeError(
                .invalidArgument,
                "the relationship '\(name)' takes one of { any }, { all }, { none } and { count, of }, not \(given)"
            )
        }
        return .related(name, quantifier, try condition(member.value, destination, depth: depth + 1))
    }

    private func counted(_ name: String, _ count: Value, _ part: FetchPredicate) throws -> FetchPredicate {
        func predicate(_ comparison: FetchPredicate.Comparison, _ value: Value) throws -> FetchPredicate {
            guard let number = value.integerValue.flatMap(Int.init(exactly:)) else {
                throw BridgeError(
                    .invalidArgument,
                    "'\(name)': 'count' is compared with a whole number, not \(value.kind) \(value.excerpt)"
                )
            }
            return .relatedCount(name, part, comparison, number)
        }
        guard let object = count.objectValue else { return try predicate(.equal, count) }
        let parts = try object.members.map { member -> FetchPredicate in
            guard let comparison = Self.comparisons[member.key], !comparison.isOfText else {
                let known = Self.comparisons.filter { !$0.value.isOfText }.keys.sorted().joined(
                    separator: ", "
                )
                throw BridgeError(
                    .invalidArgument,
                    "'\(name)': a count cannot be compared by '\(member.key)'; available: \(known)"
                )
            }
            return try predicate(comparison, member.value)
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }
}

extension FetchPredicate.Comparison {
    fileprivate var isOfText: Bool { self == .beginsWith || self == .contains }
}
