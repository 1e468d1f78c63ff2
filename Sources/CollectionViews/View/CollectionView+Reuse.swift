public import Foundation

extension CollectionView {
    /// Registers a class of cells under a reuse identifier.
    public func register(_ cellClass: Cell.Type, forCellWithReuseIdentifier identifier: String) {
        queues.register(
            ReuseQueues.Key(category: .cell, kind: "", identifier: identifier),
            { cellClass.init() }
        )
    }

    /// Registers a class of supplementary views of a kind under a reuse identifier.
    public func register(
        _ viewClass: ReusableView.Type,
        forSupplementaryViewOfKind kind: String,
        withReuseIdentifier identifier: String
    ) {
        queues.register(
            ReuseQueues.Key(category: .supplementaryView, kind: kind, identifier: identifier),
            { viewClass.init() }
        )
    }

    /// Returns a cell for an item: one that waits for reuse, or a new one.
    ///
    /// While an item is reconfigured, it is the cell that displays the item.
    ///
    /// - Throws: ``CollectionViewError`` if the identifier is not registered.
    public func dequeueReusableCell(
        withReuseIdentifier identifier: String,
        for indexPath: IndexPath
    ) throws -> Cell {
        let element = LayoutAttributes(forCellWith: indexPath).element
        if let reconfigured = queues.reconfigured, reconfigured.element == element,
            let cell = reconfigured.view as? Cell,
            cell.reuseIdentifier == identifier
        {
            return cell
        }
        let view = try dequeue(element, identifier)
        guard let cell = view as? Cell else {
            preconditionFailure("the queue \"\(identifier)\" has a view that is not a cell")
        }
        return cell
    }

    /// Returns a supplementary view: one that waits for reuse, or a new one.
    ///
    /// - Throws: ``CollectionViewError`` if the identifier is not registered for the kind.
    public func dequeueReusableSupplementaryView(
        ofKind kind: String,
        withReuseIdentifier identifier: String,
        for indexPath: IndexPath
    ) throws -> ReusableView {
        let element = LayoutAttributes(forSupplementaryViewOfKind: kind, with: indexPath).element
        return try dequeue(element, identifier)
    }

    func dequeue(_ element: ElementIdentifier, _ identifier: String) throws(CollectionViewError)
        -> ReusableView
    {
        let key = ReuseQueues.Key(category: element.category, kind: element.kind, identifier: identifier)
        let result = try queues.dequeue(key)
        if result.isNew { counters.created += 1 }
        queues.dequeued.append((result.view, element))
        return result.view
    }

    /// Calls the data source for the view of an element, and returns views that it dequeued in vain to their queues.
    func requestView<View: ReusableView>(
        for element: ElementIdentifier,
        _ request: () throws -> View?
    ) throws -> View? {
        var returned: View?
        queues.dequeued = []
        defer {
            for other in queues.dequeued where other.view !== returned { recycle(other.view, other.element) }
            queues.dequeued = []
        }
        let view = try RegistrationScope.$isInProvider.withValue(true) { try request() }
        guard let view else { return nil }
        guard view.layoutAttributes == nil && !view.isWaiting || view === queues.reconfigured?.view else {
            throw CollectionViewError(
                .viewInUse,
                "the data source returned a view for \(element) that "
                    + (view.layoutAttributes.map { "displays \($0.element)" } ?? "waits for reuse")
            )
        }
        returned = view
        queues.number(view)
        (view as? Cell)?.owner = self
        counters.bound += 1
        return view
    }

    /// Updates the content of a cell by its state in the next pass.
    func updateConfiguration(of cell: Cell) {
        pass.unconfigured.append(cell)
        setNeedsLayout()
    }

    /// Updates the content of the cells that have requested it and still display an item.
    func updateConfigurations() {
        let cells = pass.unconfigured
        pass.unconfigured = []
        for cell in cells {
            cell.needsUpdateConfiguration = false
            guard let element = cell.layoutAttributes?.element, displayed[element]?.view === cell else {
                continue
            }
            cell.updateConfiguration(using: cell.configurationState)
            displayed[element]?.needsMeasure = true
        }
    }

    func recycle(_ view: ReusableView, _ element: ElementIdentifier) {
        counters.recycled += 1
        queues.enqueue(view, element)
    }
}
