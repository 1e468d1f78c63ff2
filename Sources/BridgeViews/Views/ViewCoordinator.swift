internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import JavaScriptBridge

/// The data source of a script's view, and of the views that share its rows.
///
/// It is the data source of `SourceBinding` with what the script adds.
final class ViewCoordinator {
    weak var owner: ScriptCollectionView?
    private var binding: SourceBinding<ScriptRows>?

    static let cell = "cell"
    static let supplementary = "supplementary"

    func bind(_ view: CollectionView, to rows: ScriptRows) {
        register(view)
        let binding = SourceBinding(view, to: rows) { view, path, content in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: Self.cell, for: path)
            cell.content = content
            return cell
        }
        binding.supplementaryViewProvider = { [weak self] view, kind, path in
            try self?.supplementaryView(view, kind, path)
        }
        self.binding = binding
        view.dataSource = self
        attach(view)
        // The binding has the changes of the rows passed to the views; renderers are notified afterwards.
        let apply = rows.reloadBlock
        rows.reloadBlock = { [weak self] changes in
            apply?(changes)
            self?.owner?.updateTitles()
            self?.updateSupplementaryViews()
            self?.owner?.setNeedsDisplay()
        }
    }

    /// Makes a view call the script's delegate.
    func attach(_ view: CollectionView) {
        view.delegate = self
        if owner?.has("prefetchItemsAt") == true { view.prefetchDataSource = self }
        if owner?.has("itemsForBeginning") == true { view.dragDelegate = self }
        if owner?.has("performDropWith") == true { view.dropDelegate = self }
    }

    private func register(_ view: CollectionView) {
        view.register(Cell.self, forCellWithReuseIdentifier: Self.cell)
        for kind in [CollectionView.elementKindSectionHeader, CollectionView.elementKindSectionFooter] {
            view.register(
                ReusableView.self,
                forSupplementaryViewOfKind: kind,
                withReuseIdentifier: Self.supplementary
            )
        }
    }

    /// Asks the script again for the contents of the headers and footers that are shown: a header with the number of its
    /// items differs after a change of the items.
    func updateSupplementaryViews() {
        owner?.forEachView { view, _ in
            for kind in [CollectionView.elementKindSectionHeader, CollectionView.elementKindSectionFooter] {
                for shown in view.visibleSupplementaryViews(ofKind: kind) {
                    guard let path = view.indexPath(forSupplementaryView: shown) else { continue }
                    let content = content(kind, path)
                    guard shown.content != content else { continue }
                    shown.content = content
                    view.setNeedsLayout()
                }
            }
        }
    }

    private func content(_ kind: String, _ path: IndexPath) -> CellContent {
        guard let owner else { return CellContent() }
        let isFooter = kind == CollectionView.elementKindSectionFooter
        let record = owner.ask {
            try owner.script.askForFrame("supplementary", .bool(isFooter), .index(path.section))
        }
        return record.map { $0.isNil ? CellContent() : CellContent($0) } ?? CellContent()
    }

    private func supplementaryView(_ view: CollectionView, _ kind: String, _ path: IndexPath) throws
        -> ReusableView?
    {
        let isKnown =
            kind == CollectionView.elementKindSectionHeader || kind == CollectionView.elementKindSectionFooter
        guard isKnown else { return nil }
        let shown = try view.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: Self.supplementary,
            for: path
        )
        shown.content = content(kind, path)
        return shown
    }

    /// Asks a function of the script's delegate about an item; `nil` without the function, or if it failed.
    func ask(_ name: String, _ path: IndexPath) -> Value? {
        guard let owner, owner.has(name) else { return nil }
        return owner.ask {
            try owner.script.ask("askAt", .string(name), .index(path.section), .index(path.item))
        }
    }

    func ask(_ name: String, _ value: Value) -> Value? {
        guard let owner, owner.has(name) else { return nil }
        return owner.ask { try owner.script.ask("ask", .string(name), value) }
    }

    /// Returns the path that a function of the delegate answers; `nil` without one.
    func path(_ name: String, _ value: Value) -> IndexPath? {
        guard let owner, owner.has(name) else { return nil }
        return IndexPath(script: owner.ask { try owner.script.ask("askPath", .string(name), value) })
    }

    /// Returns the number that a function of the delegate answers; `nil` without one.
    func number(_ name: String, _ value: Value) -> Double? {
        guard let owner, owner.has(name) else { return nil }
        return owner.ask { try owner.script.ask("askNumber", .string(name), value) }?.doubleValue
    }

    /// Asks whether something is allowed.
    ///
    /// A function that fails allows it, as a missing one does; one that was stopped does not, because its answer could be
    /// no.
    func allows(_ name: String, _ path: IndexPath) -> Bool { allows(ask(name, path)) }

    func allows(_ answer: Value?) -> Bool {
        if let answer { return answer.boolValue ?? true }
        return owner?.script.isTerminating != true
    }
}

extension ViewCoordinator: CollectionViewDataSource {
    func numberOfSections(in collectionView: CollectionView) -> Int {
        binding?.numberOfSections(in: collectionView) ?? 0
    }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        binding?.collectionView(collectionView, numberOfItemsInSection: section) ?? 0
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        guard let binding else { preconditionFailure("a view of a script is bound to its rows") }
        do {
            return try binding.collectionView(collectionView, cellForItemAt: indexPath)
        } catch {
            // The reason why the rows have no such item.
            throw owner?.rows.itemError ?? error
        }
    }

    func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        try binding?.collectionView(collectionView, viewForSupplementaryElementOfKind: kind, at: indexPath)
    }

    func collectionView(_ collectionView: CollectionView, titleForSection section: Int) -> String? {
        guard let title = owner?.rows.title(ofSection: section), !title.isEmpty else { return nil }
        return title
    }

    func collectionView(_ collectionView: CollectionView, titleForItemAt indexPath: IndexPath) -> String? {
        if let title = ask("titleForItemAt", indexPath)?.stringValue { return title }
        return owner?.rows.item(at: indexPath)?.text.string
    }

    func indexTitles(for collectionView: CollectionView) -> [String]? {
        ask("indexTitles", .undefined)?.arrayValue?.compactMap(\.stringValue)
    }

    func collectionView(
        _ collectionView: CollectionView,
        indexPathForIndexTitle title: String,
        at index: Int
    ) -> IndexPath? {
        path("indexPathForIndexTitle", ["title": .string(title), "at": .index(index)])
    }

    func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        ask("canMoveItemAt", indexPath)?.boolValue ?? (owner?.has("moveItemAt") ?? false)
    }

    func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        guard let owner else { return }
        let isMoved = owner.ask {
            try owner.script.ask(
                "move",
                .index(sourceIndexPath.section),
                .index(sourceIndexPath.item),
                .index(destinationIndexPath.section),
                .index(destinationIndexPath.item)
            )
        }
        owner.rows.refresh()
        guard isMoved?.boolValue != true else { return }
        if isMoved != nil {
            owner.report(
                BridgeError(
                    .unsupported,
                    "an item of '\(owner.name)' was not moved: its delegate has no moveItemAt, and its source is not an array"
                )
            )
        }
        // The view shows the item where the data does not have it.
        owner.view.reloadData()
    }

    var reportsInteractiveMoves: Bool { owner?.has("announces") ?? false }
}

extension ViewCoordinator: DataSourceModelAssociation {
    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        binding?.modelIdentifierForElement(at: indexPath, in: view)
    }

    func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
        -> IndexPath?
    {
        binding?.indexPathForElement(withModelIdentifier: identifier, in: view)
    }
}

extension ViewCoordinator: CollectionViewDataSourcePrefetching {
    func collectionView(_ collectionView: CollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
        _ = ask("prefetchItemsAt", .array(indexPaths.map(\.value)))
    }

    func collectionView(_ collectionView: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
    {
        _ = ask("cancelPrefetchingForItemsAt", .array(indexPaths.map(\.value)))
    }
}
