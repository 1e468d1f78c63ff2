public import Foundation
public import Stores

extension FetchedResultsController: RestorableSource {
    /// The identifier of a row: `x-store://UUID/Entity/p42` (``ModelIdentifier``).
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        rowID(at: indexPath).map { id in
            ModelIdentifier(
                storeIdentifier: store.identifier,
                entityName: fetchRequest.entityName,
                rowID: id
            ).uri
        }
    }

    /// The path of the row with an identifier; `nil` for a row of another store or entity, one that is not
    /// shown, and text that is no identifier.
    ///
    /// - Complexity: O(log n) and one look into the store.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        rowID(withModelIdentifier: identifier).flatMap { indexPath(forObject: $0) }
    }

    /// The number of rows of a section.
    public func numberOfItems(in section: Int) -> Int { numberOfObjects(in: section) }

    /// A hash of the entity: its name, and its attributes with their types.
    public var restorationSchema: String {
        guard let entity = content?.plan.entity ?? store.entities[fetchRequest.entityName] else { return "" }
        let text = ([entity.name] + entity.attributes.flatMap { [$0.name, $0.type.rawValue] })
            .joined(separator: "\u{0}")
        return Array(text.utf8).withUnsafeBytes { Self.hex(OrderImage.checksum($0)) }
    }

    /// A hash of the predicate, the sort keys and the section keys.
    public var restorationRequest: String { content.map { Self.hex($0.plan.fingerprint) } ?? "" }

    /// Whether a fetch was performed.
    public var isReadyForRestoration: Bool { content != nil }

    /// The values of the section's keys.
    public func restorationSection(_ section: Int) -> [AttributeValue]? {
        guard let sections, sections.indices.contains(section) else { return nil }
        return sections[section].keys
    }

    /// The section with the values of the keys; without section keys there is one, with none.
    ///
    /// - Complexity: O(s) in the sections.
    public func section(withRestorationKeys keys: [AttributeValue]) -> Int? {
        guard let content, numberOfSections > 0 else { return nil }
        guard content.plan.hasSections else { return keys.isEmpty && numberOfObjects > 0 ? 0 : nil }
        let first = content.shownSections.lowerBound
        return content.shownSections.first { content.sectionValues($0) == keys }.map { $0 - first }
    }

    /// The names of the sort keys, a descending one with a minus; none where one of them is a function that nothing tells
    /// from others.
    public var restorationSortKeys: [String] {
        let functions = Dictionary(
            zip(computedKeys?.attributes.map(\.name) ?? [], computedKeys?.identities ?? []),
            uniquingKeysWith: { first, _ in first }
        )
        let names = (content?.plan.request.sortDescriptors ?? []).map { descriptor -> String? in
            (functions[descriptor.key] ?? descriptor.key).map { (descriptor.ascending ? "" : "-") + $0 }
        }
        return names.contains(nil) ? [] : names.compactMap { $0 }
    }

    /// A row's values of the sort keys.
    public func restorationSortValues(at indexPath: IndexPath) -> [AttributeValue]? {
        guard let content, let row = try? object(at: indexPath),
            let values = orderValues(of: row, in: content)
        else { return nil }
        return content.plan.format.fields.map { values[$0.attribute] }
    }

    /// The row at the place that a row with such values would take.
    ///
    /// - Complexity: O(log n).
    public func indexPath(
        nearestToSortValues values: [AttributeValue],
        modelIdentifier: String?
    ) -> IndexPath? {
        guard let content, !content.window.isEmpty else { return nil }
        let fields = content.plan.format.fields
        guard values.count == fields.count else { return nil }
        // What an archive says is checked: another kind of value would have another place in the bytes.
        let checked = zip(values, fields).map { value, field in value.converted(to: field.type) }
        guard !checked.contains(nil) else { return nil }
        var key = OrderKeyBuffer()
        _ = content.plan.format.append(sortValues: checked.compactMap { $0 }, to: &key)
        let id = modelIdentifier.flatMap { rowID(withModelIdentifier: $0) } ?? .min
        let position = content.order.place(of: key.bytes, id: id).position
        let window = content.window
        return content.path(of: min(max(position, window.lowerBound), window.upperBound - 1)).indexPath
    }

    private func rowID(withModelIdentifier text: String) -> RowID? {
        guard let identifier = ModelIdentifier(uri: text), identifier.storeIdentifier == store.identifier,
            identifier.entityName == fetchRequest.entityName
        else { return nil }
        return identifier.rowID
    }

    private static func hex(_ number: UInt64) -> String { String(number, radix: 16) }
}

extension AttributeValue {
    /// The value as one of a type, as JSON may have changed its kind; `nil` where it cannot be one.
    fileprivate func converted(to type: AttributeType) -> AttributeValue? {
        switch (type, self) {
        case (_, .null), (.boolean, .boolean), (.integer, .integer), (.double, .double), (.string, .string),
            (.date, .date), (.data, .data):
            self
        case (.double, .integer(let number)): .double(Double(number))
        case (.date, .integer(let number)): .date(Date(timeIntervalSince1970: Double(number)))
        case (.date, .double(let number)): .date(Date(timeIntervalSince1970: number))
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) }
        default: nil
        }
    }
}

extension FetchedDataSource {
    /// The identifier of a row: `x-store://UUID/Entity/p42` (``ModelIdentifier``).
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        fetchedResultsController.modelIdentifierForElement(at: indexPath, in: view)
    }

    /// The path of the row with an identifier.
    ///
    /// - Complexity: O(log n) and one look into the store.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        fetchedResultsController.indexPathForElement(withModelIdentifier: identifier, in: view)
    }
}

extension FetchedSource: DataSourceModelAssociation {}
