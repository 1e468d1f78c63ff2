internal import Foundation

extension EntityDescription {
    /// Returns the position of an attribute.
    ///
    /// - Throws: ``StoreError`` that names the attribute and the entity, and suggests similar names.
    package func requiredIndex(of attribute: String) throws -> Int {
        guard let index = index(of: attribute) else { throw unknownAttribute(attribute) }
        return index
    }

    /// Creates the error for a name that is not an attribute.
    package func unknownAttribute(_ attribute: String) -> StoreError {
        let suggestion = MessageText.suggestion(for: attribute, among: attributes.map(\.name))
        return StoreError(
            .schema,
            "entity \(MessageText.quoted(name)) has no attribute \(MessageText.quoted(attribute))\(suggestion)"
        )
    }

    /// Returns a relationship.
    ///
    /// - Throws: ``StoreError`` that names the relationship and the entity, and suggests similar names.
    package func requiredRelationship(_ name: String) throws -> RelationshipDescription {
        if let relationship = relationship(name) { return relationship }
        let suggestion = MessageText.suggestion(for: name, among: relationships.map(\.name))
        throw StoreError(
            .schema,
            "entity \(MessageText.quoted(self.name)) has no relationship \(MessageText.quoted(name))\(suggestion)"
        )
    }

    /// Returns the position of an attribute; throws unless the attribute is unique and can identify rows.
    package func requiredKey(_ attribute: String) throws -> Int {
        let index = try requiredIndex(of: attribute)
        guard attributes[index].isUnique else {
            throw StoreError(.invalidRequest, "\(place(index)) is not unique, so it cannot be a key")
        }
        return index
    }

    /// Validates a value that identifies a row: it must not be null.
    package func checkedKey(_ value: AttributeValue, at index: Int) throws -> AttributeValue {
        guard !value.isNull else {
            throw StoreError(.invalidValue, "\(place(index)) is the key and must have a value")
        }
        return try checkedValue(value, at: index)
    }

    /// Converts a value to the attribute's type.
    ///
    /// Integers become doubles for a `double` attribute. Doubles become integers for an `integer` attribute if the
    /// conversion is exact.
    ///
    /// - Throws: ``StoreError`` if the value has another type, is NaN, or is null where a value is required.
    package func checkedValue(_ value: AttributeValue, at index: Int) throws -> AttributeValue {
        let attribute = attributes[index]
        switch (attribute.type, value) {
        case (_, .null):
            if attribute.isOptional { return value }
            throw StoreError(.invalidValue, "\(place(index)) must have a value")
        case (.boolean, .boolean), (.integer, .integer), (.string, .string), (.data, .data): return value
        case (.double, .integer(let number)): return .double(Double(number))
        case (.double, .double(let number)) where !number.isNaN: return value
        case (.date, .date(let date)) where !date.timeIntervalSince1970.isNaN: return value
        case (.integer, .double(let number)):
            if let whole = Int64(exactly: number) { return .integer(whole) }
        default: break
        }
        throw StoreError(
            .invalidValue,
            "\(place(index)) holds \(attribute.type.rawValue) values, not \(value.kindAndText)"
        )
    }

    /// Returns an attribute's name as used in messages: 'airport.name'.
    package func place(_ index: Int) -> String {
        MessageText.quoted("\(name).\(attributes[index].name)")
    }

    /// Validates the description: it has attributes, and all names are unique and not empty.
    ///
    /// Names that differ only in the case of ASCII letters count as equal, because SQL treats them as equal.
    package func checkNames() throws {
        try Self.check(name: name, of: "an entity")
        var seen: Set<String> = []
        for attribute in attributes {
            try Self.check(name: attribute.name, of: "an attribute of entity \(MessageText.quoted(name))")
            guard attribute.name != Self.identityName else {
                throw StoreError(
                    .schema,
                    "entity \(MessageText.quoted(name)) cannot have an attribute named "
                        + "\(MessageText.quoted(attribute.name)): it is the name of the row's identity"
                )
            }
            guard seen.insert(attribute.name.asciiLowercased).inserted else {
                throw StoreError(
                    .schema,
                    "entity \(MessageText.quoted(name)) has two attributes named "
                        + "\(MessageText.quoted(attribute.name)) (the case of letters makes no difference)"
                )
            }
        }
        for relationship in relationships {
            try Self.check(
                name: relationship.name,
                of: "a relationship of entity \(MessageText.quoted(name))"
            )
            // A to-one relationship shares its name with its attribute; all other names must be unique.
            let isNew = seen.insert(relationship.name.asciiLowercased).inserted
            guard isNew == relationship.isToMany else {
                throw StoreError(
                    .schema,
                    "entity \(MessageText.quoted(name)) has more than one attribute or relationship named "
                        + MessageText.quoted(relationship.name)
                )
            }
        }
        guard Set(relationships.map(\.name.asciiLowercased)).count == relationships.count else {
            throw StoreError(
                .schema,
                "entity \(MessageText.quoted(name)) has two relationships of one name"
            )
        }
        guard !attributes.isEmpty else {
            throw StoreError(.schema, "entity \(MessageText.quoted(name)) has no attributes")
        }
    }

    /// A Boolean value that indicates whether the entity has nothing but names and types.
    package var isPlain: Bool {
        relationships.isEmpty && renamingIdentifier == nil
            && attributes.allSatisfy {
                $0.defaultValue == nil && $0.validation == nil && $0.renamingIdentifier == nil
            }
    }

    private static func check(name: String, of what: String) throws {
        guard !name.isEmpty else { throw StoreError(.schema, "\(what) has an empty name") }
        guard !name.utf8.contains(0) else {
            throw StoreError(
                .schema,
                "the name of \(what) contains a NUL character: \(MessageText.quoted(name))"
            )
        }
    }
}

extension String {
    /// The string with the ASCII letters A to Z in lower case, as SQL compares names.
    package var asciiLowercased: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}

extension AttributeValue {
    /// The kind and the value, for messages.
    package var kindAndText: String {
        switch self {
        case .null: "no value"
        case .boolean: "boolean \(self)"
        case .integer: "integer \(self)"
        case .double: "double \(self)"
        case .string(let text): "string \(MessageText.quoted(text))"
        case .date: "date \(self)"
        case .data: "data of \(self)"
        }
    }
}
