public import Foundation
public import Stores

extension FetchedResultsController: RestorableSource {
    /// Returns the identifier of a row: `x-store://UUID/Entity/p42` (``ModelIdentifier``).
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        rowID(at: indexPath).map { id in
            ModelIdentifier(
                storeIdentifier: store.identifier,
                entityName: fetchRequest.entityName,
                rowID: id
            ).uri
        }
    }

    /// Returns the path of the row with an identifier.
    ///
    /// The result is `nil` for a row of another store or entity, for one that is not in the results, and for a string
    /// that is not an identifier.
    ///
    /// - Complexity: O(log n) and one read of the store.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        rowID(withModelIdentifier: identifier).flatMap { indexPath(forObject: $0) }
    }

    /// Returns the number of rows of a section.
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

    /// A Boolean value that indicates whether a fetch was performed.
    public var isReadyForRestoration: Bool { content != nil }

    /// Returns the values of the section's keys.
    public func restorationSection(_ section: Int) -> [AttributeValue]? {
        guard let sections, sections.indices.contains(section) else { return nil }
        return sections[section].keys
    }

    /// Returns the section with given key values.
    ///
    /// Without section keys there is one section, with no keys.
    ///
    /// - Complexity: O(s) in the sections.
    public func section(withRestorationKeys keys: [AttributeValue]) -> Int? {
        guard let content, numberOfSections > 0 else { return nil }
        guard content.plan.hasSections else { return keys.isEmpty && numberOfObjects > 0 ? 0 : nil }
        let first = content.shownSections.lowerBound
        return content.shownSections.first { content.sectionValues($0) == keys }.map { $0 - first }
    }

    /// The names of the sort keys, with a minus before a descending one; empty if one of them is a function without an
    /// identity.
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

    /// Returns a row's values of the sort keys.
    public func restorationSortValues(at indexPath: IndexPath) -> [AttributeValue]? {
        guard let content, let row = try? object(at: indexPath),
            let values = orderValues(of: row, in: content)
        else { return nil }
        return content.plan.format.fields.map { values[$0.attribute] }
    }

    /// Returns the path of the row at the position that a row with these values would have.
    ///
    /// - Complexity: O(log n).
    public func indexPath(
        nearestToSortValues values: [AttributeValue],
        modelIdentifier: String?
    ) -> IndexPath? {
        guard let content, !content.window.isEmpty else { return nil }
        let fields = content.plan.format.fields
        guard values.count == fields.count else { return nil }
        // The values of an archive are checked: another kind of value would have another position in the bytes.
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
    /// Returns the value as one of a type, because JSON may have changed its kind; `nil` if that is impossible.
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
    /// Returns the identifier of a row: `x-store://UUID/Entity/p42` (``ModelIdentifier``).
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        fetchedResultsController.modelIdentifierForElement(at: indexPath, in: view)
    }

    /// Returns the path of the row with an identifier.
    ///
    /// - Complexity: O(log n) and one read of the store.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        fetchedResultsController.indexPathForElement(withModelIdentifier: identifier, in: view)
    }
}

extension FetchedSource: DataSourceModelAssociation {}
