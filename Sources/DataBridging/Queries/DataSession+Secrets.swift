internal import BridgeValues
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    /// Leaves secrets out of what a journal has of the rows that go to the script next (R38).
    ///
    /// Rows cross as columns without names. Those whose attribute has the name of a secret have the mark in the journal
    /// where they are texts, and nothing where they are not.
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
                guard isHidden[index] else { return table.value(at: row, index, type) }
                return type == .string ? .string(SecretMembers.mark) : .null
            }
            shown.append(id: table.id(at: row), values)
        }
        try border.write(instead: shown.parts(in: context))
    }
}
