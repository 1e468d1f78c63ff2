public import DataSources
public import Foundation

/// A binding of a collection view to a data source of `DataSources`: a list, or fetched results.
///
/// It provides the counts, and applies each change set of the source to the view as one batch. The source needs no
/// knowledge of the view. If the source is a `DataSourceModelAssociation`, selection and focus are kept through reloads.
/// The view does not retain the binding.
public final class SourceBinding<Source: DataSource>: CollectionViewDataSource {
    /// A closure that returns a dequeued cell with the content of an item.
    public typealias CellProvider = (CollectionView, IndexPath, Source.ItemType) throws -> Cell
    /// A closure that returns a dequeued supplementary view, or `nil` for none.
    public typealias SupplementaryViewProvider = (CollectionView, String, IndexPath) throws -> ReusableView?

    /// The data source, whose reload block belongs to the binding.
    public let source: Source
    /// The provider of headers and footers; `nil` for none.
    public var supplementaryViewProvider: SupplementaryViewProvider?

    private let cellProvider: CellProvider

    /// Binds a view to a source, and reloads it.
    ///
    /// - Parameters:
    ///   - view: The view, whose data source becomes the binding.
    ///   - source: The source, whose reload block is replaced.
    ///   - cellProvider: The provider of cells.
    public init(_ view: CollectionView, to source: Source, cellProvider: @escaping CellProvider) {
        self.source = source
        self.cellProvider = cellProvider
        // The views that show the data source, of which the first may be gone.
        let peers = view.peers
        peers.add(view)
        source.reloadBlock = { [weak self] changes in
            guard self != nil else { return }
            peers.first?.performUpdates(withChangeSet: changes) { isApplied in
                // The view has another state than the source's change set begins with, for example because two change
                // sets arrived in one batch. A full reload that is rejected is repeated by the view.
                if !isApplied, !peers.isReloadPending { peers.first?.reloadData() }
            }
        }
        view.dataSource = self
    }

    /// Returns the number of sections of the source.
    public func numberOfSections(in collectionView: CollectionView) -> Int { source.numberOfSections }

    /// Returns the number of items of a section of the source.
    public func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        source.numberOfItems(in: section)
    }

    /// Returns the cell of the provider.
    ///
    /// - Throws: An error of the provider, or ``CollectionViewError`` if the source no longer has the item.
    public func collectionView(
        _ collectionView: CollectionView,
        cellForItemAt indexPath: IndexPath
    ) throws -> Cell {
        guard let item = source.item(at: indexPath) else {
            throw CollectionViewError(
                .indexPathOutOfRange,
                "the source has no item at \(Array(indexPath)), and has not reported its change"
            )
        }
        return try cellProvider(collectionView, indexPath, item)
    }

    /// Returns the view of the provider.
    public func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        try supplementaryViewProvider?(collectionView, kind, indexPath)
    }
}

extension SourceBinding: DataSourceModelAssociation {
    /// Returns the identifier that the source gives to an item, or `nil` if it gives none.
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        (source as? any DataSourceModelAssociation)?.modelIdentifierForElement(at: indexPath, in: view)
    }

    /// Returns the path that the source gives to an identifier, or `nil` if it gives none.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        (source as? any DataSourceModelAssociation)?
            .indexPathForElement(withModelIdentifier: identifier, in: view)
    }
}
