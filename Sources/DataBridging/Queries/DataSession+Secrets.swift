internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    /// Leaves secrets out of what a journal has of the rows that go to the script next (R38).
    ///
    /// Rows cross as columns without names. Those whose attribute has the name of a secret have the mark in the journal
    /// where they are texts, and else the zero of their type, so that a replay takes the way that the run took; no value
    /// stays none.
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

    /// Leaves secrets out of what a journal has of the sections that go to the script next, by which they are grouped (R38).
    ///
    /// - Parameters:
    ///   - value: The sections, with their names and keys.
    ///   - sections: Whether these may say a secret.
    /// - Returns: The same value.
    func hidingSecrets(_ value: Value, of sections: SectionSecrecy) -> Value {
        if let border, border.hidesSecrets, sections == .secret {
            border.write(instead: value.withoutSectionKeys)
        }
        return value
    }
}

/// Whether the keys of a query's sections may say a secret.
enum SectionSecrecy {
    case plain
    case secret

    /// - Parameters:
    ///   - request: What the query asks for.
    ///   - entity: What it is of.
    init(of request: FetchRequest, _ entity: EntityDescription?) {
        let isSecret = request.sectionKeys.contains { key in
            // A function of the script may make its keys of all that a row has.
            guard !ScriptKeys.isName(key) else {
                return entity?.attributes.contains { SecretMembers.shared.isSecret($0.name) } ?? true
            }
            return key.split(separator: ".").contains { SecretMembers.shared.isSecret(String($0)) }
        }
        self = isSecret ? .secret : .plain
    }
}

extension AttributeValue {
    /// Another value of the same kind, which is the same for all.
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
    /// Sections with marks for their names, keys and titles.
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
