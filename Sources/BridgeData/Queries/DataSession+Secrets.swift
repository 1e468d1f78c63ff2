internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    /// Replaces secrets in the journal's copy of the rows that are passed to the script next (R38).
    ///
    /// Rows are passed as columns without names. For an attribute with the name of a secret, strings become the mark,
    /// and other values become the zero of their type. A replay therefore takes the same path as the run. A missing
    /// value stays missing.
    func hideSecrets(in table: RowTable, of entity: EntityDescription, _ context: JSContext) throws {
        guard let border, border.hidesSecrets else { return }
        let attributes = entity.attributes
        let isHidden = attributes.map { SecretMembers.shared.isSecret($0.name) }
        guard isHidden.contains(true) else { return }
        let shown = RowTable(attributeCount: attributes.count)
        for row in 0..<table.count {
            guard !table.cells[row * (attributes.count + 1)].isNaN else {
                shown.appendMissing()
                continue
            }
            let values = attributes.indices.map { index -> AttributeValue in
                let type = attributes[index].type
                let value = table.value(at: row, index, type)
                return isHidden[index] ? value.hidden : value
            }
            shown.append(id: table.id(at: row), values)
        }
        try border.write(instead: shown.parts(in: context))
    }

    /// Replaces secrets in the journal's copy of the sections that are passed to the script next (R38).
    ///
    /// - Parameters:
    ///   - value: The sections, with their names and keys.
    ///   - sections: Whether the section keys may contain a secret.
    /// - Returns: The same value.
    func hidingSecrets(_ value: Value, of sections: SectionSecrecy) -> Value {
        if let border, border.hidesSecrets, sections == .secret {
            border.write(instead: value.withoutSectionKeys)
        }
        return value
    }
}

/// The secrecy of the keys of a query's sections: secret if they may contain a secret.
enum SectionSecrecy {
    case plain
    case secret

    /// Determines the secrecy of a query's sections.
    ///
    /// - Parameters:
    ///   - request: The request of the query.
    ///   - entity: The entity of the query.
    init(of request: FetchRequest, _ entity: EntityDescription?) {
        let isSecret = request.sectionKeys.contains { key in
            // A function of the script may compute its keys from all values of a row.
            guard !ScriptKeys.isName(key) else {
                return entity?.attributes.contains { SecretMembers.shared.isSecret($0.name) } ?? true
            }
            return key.split(separator: ".").contains { SecretMembers.shared.isSecret(String($0)) }
        }
        self = isSecret ? .secret : .plain
    }
}

extension AttributeValue {
    /// The placeholder for all values of the same kind.
    fileprivate var hidden: AttributeValue {
        switch self {
        case .null: .null
        case .boolean: .boolean(false)
        case .integer: .integer(0)
        case .double: .double(0)
        case .string: .string(SecretMembers.mark)
        case .date: .date(Date(timeIntervalSince1970: 0))
        case .data: .data(Data())
        }
    }
}

extension Value {
    /// The sections with marks instead of their names, keys and titles.
    fileprivate var withoutSectionKeys: Value {
        switch self {
        case .array(let sections): return .array(sections.map(\.withoutSectionKeys))
        case .object(var section):
            section["name"] = .string(SecretMembers.mark)
            section["keys"] = .array(
                (section["keys"]?.arrayValue ?? []).map { _ in .string(SecretMembers.mark) }
            )
            if section["indexTitle"]?.isNil == false { section["indexTitle"] = .string(SecretMembers.mark) }
            return .object(section)
        default: return self
        }
    }
}
