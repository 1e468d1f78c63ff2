internal import DataSources
public import Foundation

extension CollectionView {
    /// Makes the cell of an item, if it has none or must be reloaded or configured again.
    func bindCell(_ attributes: LayoutAttributes) throws {
        let element = attributes.element
        let old = displayed[element]
        guard old?.view == nil || old?.pendingChange != nil else { return }
        guard let source = pass.source else { return }
        let isReconfigured = old?.pendingChange == .reconfigure
        let sourcePath = sourcePath(of: element.path)
        // The data source dequeues the cell for the path that it is asked for.
        if isReconfigured, let view = old?.view {
            queues.reconfigured = (.cell(sourcePath ?? element.path), view)
        }
        defer { queues.reconfigured = nil }
        let cell = try requestView(for: element) { () throws -> Cell in
            guard let sourcePath else { return try placeholderCell(at: element.path) }
            return try source.collectionView(self, cellForItemAt: sourcePath.indexPath)
        }
        guard let cell else { return }
        guard isReconfigured else {
            if old != nil { endDisplay(of: element) }
            cell.layoutAttributes = attributes
            displayed[element] = DisplayedElement(
                attributes: attributes,
                view: cell,
                applied: attributes,
                needsMeasure: true,
                isStale: updateQueue.hasBatches
            )
            mark(cell, at: element.path, hasNewContent: true)
            // Before it is measured, because its length may depend on its breadth.
            cell.apply(attributes)
            return
        }
        guard cell === old?.view else {
            // The cell that was returned is not displayed.
            recycle(cell, element)
            throw CollectionViewError(
                .reconfiguredCellReplaced,
                "the data source returned another cell for item \(element.path), which was reconfigured"
            )
        }
        // The position remains that of the last pass, because this pass may still fail.
        displayed[element]?.pendingChange = nil
        displayed[element]?.needsMeasure = true
        displayed[element]?.isStale = updateQueue.hasBatches
        mark(cell, at: element.path, hasNewContent: true)
    }

    /// Makes the view of a supplementary or decoration element, if it has none.
    func bindOther(_ attributes: LayoutAttributes) throws {
        let element = attributes.element
        if let old = displayed[element] {
            guard old.pendingChange != nil else { return }
        }
        let view: ReusableView?
        if element.category == .decorationView {
            view = try requestView(for: element) { try decorationView(element) }
        } else {
            view = try requestView(for: element) {
                try pass.source?.collectionView(
                    self,
                    viewForSupplementaryElementOfKind: element.kind,
                    at: element.indexPath
                )
            }
        }
        if displayed[element] != nil { endDisplay(of: element) }
        view?.layoutAttributes = attributes
        displayed[element] = DisplayedElement(
            attributes: attributes,
            view: view,
            applied: attributes,
            isStale: updateQueue.hasBatches
        )
        view?.apply(attributes)
    }

    private func decorationView(_ element: ElementIdentifier) throws -> ReusableView {
        let key = ReuseQueues.Key(category: .decorationView, kind: element.kind, identifier: element.kind)
        if !queues.isRegistered(key) {
            let viewClass = collectionViewLayout.decorationClasses[element.kind] ?? ReusableView.self
            queues.register(key) { viewClass.init() }
        }
        return try dequeue(element, element.kind)
    }

    /// Moves a displayed element to new attributes, and notifies the delegate if it becomes visible.
    ///
    /// - Parameters:
    ///   - attributes: The attributes.
    ///   - known: The element, if it was displayed before this pass.
    /// - Returns: The element.
    func display(_ attributes: LayoutAttributes, _ known: DisplayedElement?) -> DisplayedElement? {
        // Rows of a list stay where they are in the content while it scrolls.
        if let known, known.isCurrent, known.isVisible, known.isSettled(at: attributes) { return known }
        guard let element = displayed[attributes.element] else { return nil }
        element.attributes = attributes
        element.view?.layoutAttributes = attributes
        if element.applied != attributes {
            element.applied = attributes
            element.view?.apply(attributes)
        }
        let becomesVisible = !element.isVisible && element.view != nil
        element.isVisible = element.isVisible || becomesVisible
        guard becomesVisible, let view = element.view else { return element }
        counters.displayed += 1
        if pass.isFinalizing, let initial = collectionViewLayout.initialAttributes(attributes.element) {
            pass.transitions.initial[view.viewNumber] = initial
        }
        let path = attributes.indexPath
        if let cell = view as? Cell, attributes.element.category == .cell {
            delegate?.collectionView(self, willDisplay: cell, forItemAt: path)
        } else if attributes.element.category == .supplementaryView {
            delegate?.collectionView(
                self,
                willDisplaySupplementaryView: view,
                forElementKind: attributes.element.kind,
                at: path
            )
        }
        return element
    }

    /// Removes an element from the window, recycles its view, and notifies the delegate if it was visible.
    func endDisplay(of element: ElementIdentifier) {
        guard let old = displayed.removeValue(forKey: element) else { return }
        old.isCurrent = false
        guard let view = old.view else { return }
        recycle(view, element)
        guard old.isVisible else { return }
        counters.ended += 1
        if pass.isFinalizing, let final = collectionViewLayout.finalAttributes(element) {
            pass.transitions.final[view.viewNumber] = final
        }
        calling { notifyEnd(of: element, view) }
    }

    private func notifyEnd(of element: ElementIdentifier, _ view: ReusableView) {
        if let cell = view as? Cell, element.category == .cell {
            delegate?.collectionView(self, didEndDisplaying: cell, forItemAt: element.indexPath)
        } else if element.category == .supplementaryView {
            delegate?.collectionView(
                self,
                didEndDisplayingSupplementaryView: view,
                forElementOfKind: element.kind,
                at: element.indexPath
            )
        }
    }

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

    /// Returns a cell for an item, with the content that the registration gives it.
    ///
    /// - Throws: ``CollectionViewError`` if the registration was created in a callback for a view.
    public func dequeueConfiguredReusableCell<CellType: Cell, Item>(
        using registration: CellRegistration<CellType, Item>,
        for indexPath: IndexPath,
        item: Item
    ) throws -> CellType {
        try registration.scope.check()
        let identifier = registration.scope.identifier
        if !queues.isRegistered(ReuseQueues.Key(category: .cell, kind: "", identifier: identifier)) {
            register(CellType.self, forCellWithReuseIdentifier: identifier)
        }
        let dequeued = try dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
        guard let cell = dequeued as? CellType else {
            preconditionFailure("the queue of \(CellType.self) has a view of another class")
        }
        registration.handler(cell, indexPath, item)
        return cell
    }

    /// Returns a supplementary view, with the content that the registration gives it.
    ///
    /// - Throws: ``CollectionViewError`` if the registration was created in a callback for a view.
    public func dequeueConfiguredReusableSupplementary<ViewType: ReusableView>(
        using registration: SupplementaryRegistration<ViewType>,
        for indexPath: IndexPath
    ) throws -> ViewType {
        try registration.scope.check()
        let (kind, identifier) = (registration.kind, registration.scope.identifier)
        let key = ReuseQueues.Key(category: .supplementaryView, kind: kind, identifier: identifier)
        if !queues.isRegistered(key) {
            register(ViewType.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
        }
        let dequeued = try dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: identifier,
            for: indexPath
        )
        guard let view = dequeued as? ViewType else {
            preconditionFailure("the queue of \(ViewType.self) has a view of another class")
        }
        registration.handler(view, kind, indexPath)
        return view
    }
}
