public import Foundation

/// The provider of a view's counts, cells and supplementary views.
///
/// The counts are read once for each reload and each batch. Cells are requested for visible items only.
public protocol CollectionViewDataSource: AnyObject {
    /// Returns the number of sections; 1 by default.
    func numberOfSections(in collectionView: CollectionView) -> Int

    /// Returns the number of items of a section.
    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int

    /// Returns a dequeued cell with the content of an item.
    ///
    /// - Throws: Any error, which the layout pass throws in turn. The view requests the cell again in the next pass.
    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell

    /// Returns a dequeued supplementary view, or `nil` for none, the default.
    func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView?

    /// Returns the titles of the jump strip, or `nil` for the first characters of the sections' titles, the default.
    func indexTitles(for collectionView: CollectionView) -> [String]?

    /// Returns the path to which an index title leads; `nil`, the default, for the first section not before the title.
    func collectionView(
        _ collectionView: CollectionView,
        indexPathForIndexTitle title: String,
        at index: Int
    ) -> IndexPath?

    /// Returns the title of a section, by which index titles find it; `nil` by default.
    func collectionView(_ collectionView: CollectionView, titleForSection section: Int) -> String?

    /// Returns the title of an item, by which typed letters find it; `nil` by default.
    func collectionView(_ collectionView: CollectionView, titleForItemAt indexPath: IndexPath) -> String?

    /// Returns the next item after a path whose title begins with letters, and from the start if there is none after it.
    ///
    /// The default asks for the titles one by one, O(n). A data source with an index of titles implements this method.
    func collectionView(
        _ collectionView: CollectionView,
        indexPathForItemWithTitlePrefix prefix: String,
        after indexPath: IndexPath?
    ) -> IndexPath?

    /// A Boolean value that indicates whether the data source reports a move of ``collectionView(_:moveItemAt:to:)`` to the
    /// view as a batch, during the call or later; `false` by default.
    ///
    /// Until the report, the data source has the item at its original path, by which the view requests it.
    var reportsInteractiveMoves: Bool { get }

    /// Returns whether an item can be moved; `false` by default.
    func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool

    /// Moves an item that was moved interactively; the view shows it there already.
    func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    )
}

extension CollectionViewDataSource {
    /// Returns 1.
    public func numberOfSections(in collectionView: CollectionView) -> Int { 1 }

    /// Returns `nil`.
    public func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? { nil }

    /// Returns `nil`.
    public func indexTitles(for collectionView: CollectionView) -> [String]? { nil }

    /// Returns `nil`.
    public func collectionView(
        _ collectionView: CollectionView,
        indexPathForIndexTitle title: String,
        at index: Int
    ) -> IndexPath? { nil }

    /// Returns `nil`.
    public func collectionView(_ collectionView: CollectionView, titleForSection section: Int) -> String? {
        nil
    }

    /// Returns `nil`.
    public func collectionView(_ collectionView: CollectionView, titleForItemAt indexPath: IndexPath)
        -> String?
    {
        nil
    }

    /// Returns the result of a search of all titles.
    public func collectionView(
        _ collectionView: CollectionView,
        indexPathForItemWithTitlePrefix prefix: String,
        after indexPath: IndexPath?
    ) -> IndexPath? { searchedIndexPath(collectionView, withTitlePrefix: prefix, after: indexPath) }

    /// False.
    public var reportsInteractiveMoves: Bool { false }

    /// Returns `false`.
    public func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        false
    }

    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}
}
