internal import DataSources
internal import Foundation

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
}
