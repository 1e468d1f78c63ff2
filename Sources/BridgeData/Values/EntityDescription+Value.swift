internal import BridgeValues
internal import Stores

extension EntityDescription {
    /// The entity as scripts see it: `{ name: { type, optional, unique } }`.
    var value: Value {
        .object(
            ValueObject(
                attributes.map { attribute in
                    let members: Value = [
                        "type": .string(attribute.type.rawValue), "optional": .bool(attribute.isOptional),
                        "unique": .bool(attribute.isUnique),
                    ]
                    return (attribute.name, members)
                }
            )
        )
    }

    /// Decodes the argument of a script's `createEntity`: for each attribute a type, or `{ type, optional, unique }`.
    init(name: String, value: Value) throws {
        guard let object = value.objectValue, !name.isEmpty else {
            throw BridgeError(
                .invalidArgument,
                "createEntity needs a name and attributes: { name: 'string', ... }"
            )
        }
        self.init(
            name: name,
            attributes: try object.members.map { try AttributeDescription($0.key, $0.value) }
        )
    }

    /// Decodes the values of a row from a script, by the types of the attributes.
    func attributeValues(_ value: Value) throws -> [String: AttributeValue] {
        guard let object = value.objectValue else {
            throw BridgeError(.invalidArgument, "the values of a row are an object, not \(value.kind)")
        }
        var values: [String: AttributeValue] = [:]
        for member in object.members {
            values[member.key] = try attributeValue(member.value, for: member.key)
        }
        return values
    }

    /// Returns the position of an attribute.
    ///
    /// - Throws: ``StoreError`` `schema` with the existing names.
    @discardableResult
    func requireAttribute(_ name: String) throws -> Int {
        if let index = index(of: name) { return index }
        let known = attributes.map(\.name).joined(separator: ", ")
        throw StoreError(.schema, "'\(self.name)' has no attribute '\(name)'; it has \(known)")
    }

    /// Decodes one value by its attribute's type.
    func attributeValue(_ value: Value, for name: String) throws -> AttributeValue {
        let index = try requireAttribute(name)
        if case .illFormedString = value, attributes[index].type == .string {
            throw StoreError(
                .invalidValue,
                "'\(self.name).\(name)' holds well-formed strings, but this one has a lone surrogate: \(value.excerpt)"
            )
        }
        guard let converted = AttributeValue(value, as: attributes[index].type) else {
            throw StoreError(
                .invalidValue,
                "'\(self.name).\(name)' holds \(attributes[index].type.rawValue) values, not \(value.kind) \(value.excerpt)"
            )
        }
        return converted
    }
}

extension AttributeDescription {
    fileprivate init(_ name: String, _ value: Value) throws {
        let typeName = value.stringValue ?? value["type"].stringValue
        guard let typeName, let type = AttributeType(rawValue: typeName) else {
            let known = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
            throw BridgeError(.invalidArgument, "the attribute '\(name)' needs a type, one of \(known)")
        }
        self.init(
            name,
            type,
            isOptional: value["optional"].boolValue ?? true,
            isUnique: value["unique"].boolValue ?? false
        )
    }
}

extension AttributeValue {
    /// Decodes a script's value as an attribute of a type; returns `nil` if it does not have the type.
    init?(_ value: Value, as type: AttributeType) {
        switch (type, value) {
        case (_, .null), (_, .undefined): self = .null
        case (.boolean, .bool(let flag)): self = .boolean(flag)
        case (.integer, .integer(let number)): self = .integer(number)
        case (.integer, .double(let number)):
            guard let exact = Int64(exactly: number) else { return nil }
            self = .integer(exact)
        case (.double, .integer(let number)): self = .double(Double(number))
        case (.double, .double(let number)): self = .double(number)
        case (.string, .string(let text)): self = .string(text)
        case (.date, .date(let date)) where date.javaScriptMilliseconds != nil: self = .date(date)
        case (.data, .bytes(let data)): self = .data(data)
        default: return nil
        }
    }

    /// Returns the name of a section from the values of its keys, with integers as scripts write them.
    static func sectionName(_ keys: [AttributeValue]) -> String {
        let texts = keys.map { key in
            guard case .double(let number) = key, let whole = Int64(exactly: number), abs(number) < 1e15
            else {
                return key.description
            }
            return String(whole)
        }
        return texts.joined(separator: " / ")
    }

    /// The value as scripts see it.
    var value: Value {
        switch self {
        case .null: .null
        case .boolean(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .double(let number): .number(number)
        case .string(let text): .string(text)
        case .date(let date): .date(date)
        case .data(let bytes): .bytes(bytes)
        }
    }
}

extension Row {
    /// The row as scripts see it: its identity as `$id`, and its attributes.
    var value: Value {
        var object = ValueObject()
        object[EntityDescription.identityName] = .integer(id)
        for (attribute, value) in zip(entity.attributes, values) { object[attribute.name] = value.value }
        return .object(object)
    }
}
