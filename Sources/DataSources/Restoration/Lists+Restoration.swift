public import Foundation

extension ListSource: DataSourceModelAssociation where ID: ModelIdentity {
    /// Returns the identity of the item at a path as a string.
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        item(at: indexPath).map { identity(of: $0).modelIdentifier }
    }

    /// Returns the path of the item with an identity.
    ///
    /// - Complexity: O(1); O(n) for the first time after the items changed.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        ID(modelIdentifier: identifier).flatMap { position(of: $0) }
            .map { IndexPath(item: $0, section: 0) }
    }
}

extension ListDataSource where ItemType: Identifiable, ItemType.ID: ModelIdentity {
    /// Returns the identity of the item at a path as a string, the default for a source that conforms to
    /// ``DataSourceModelAssociation``.
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        item(at: indexPath)?.id.modelIdentifier
    }

    /// Returns the path of the item with an identity.
    ///
    /// - Complexity: O(n).
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        guard let id = ItemType.ID(modelIdentifier: identifier) else { return nil }
        return items.firstIndex { $0.id == id }.map { IndexPath(item: $0, section: 0) }
    }
}

extension SectionedDataSource where ItemType: Identifiable, ItemType.ID: ModelIdentity {
    /// Returns the identity of the item at a path as a string, the default for a source that conforms to
    /// ``DataSourceModelAssociation``.
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        item(at: indexPath)?.id.modelIdentifier
    }

    /// Returns the path of the item with an identity.
    ///
    /// - Complexity: O(n).
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        guard let id = ItemType.ID(modelIdentifier: identifier) else { return nil }
        for section in 0..<numberOfSections {
            for item in 0..<numberOfItems(in: section) {
                let path = IndexPath(item: item, section: section)
                if self.item(at: path)?.id == id { return path }
            }
        }
        return nil
    }
}
