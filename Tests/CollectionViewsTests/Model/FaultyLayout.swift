import DataSources
import Foundation

@testable import CollectionViews

/// Mistakes that a view or a layout could make.
enum ViewFault: CaseIterable {
    case losesUpdate, losesMeasuredLength, ignoresMeasurement, movesRowBesideItsPlace, insertsLongRow
    case shiftsElement, losesSelection, shiftsOffset, ignoresEnd, losesCallback, losesMovement
}

/// A list that makes mistakes on purpose.
final class FaultyLayout: CollectionLayout {
    let list: ListLayout
    let fault: ViewFault?
    private var measurements = 0

    init(_ list: ListLayout, _ fault: ViewFault?) {
        self.list = list
        self.fault = fault
    }

    private var inner: ListLayout {
        if list.host == nil { list.host = host }
        return list
    }

    override var scrollDirection: ScrollDirection { inner.scrollDirection }
    override func prepare() throws { try inner.prepare() }
    override var collectionViewContentSize: Size { inner.collectionViewContentSize }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        inner.layoutAttributesForElements(in: rect).map(shifted)
    }

    override func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
        inner.layoutAttributesForItem(at: indexPath).map(shifted)
    }

    private func shifted(_ attributes: LayoutAttributes) -> LayoutAttributes {
        guard fault == .shiftsElement, attributes.element.path.item == 7 else { return attributes }
        var wrong = attributes
        wrong.frame.origin.y += 1 / 64
        return wrong
    }

    override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        inner.shouldInvalidateLayout(forBoundsChange: newBounds)
    }

    override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferredAttributes: LayoutAttributes,
        withOriginalAttributes originalAttributes: LayoutAttributes
    ) -> Bool {
        measurements += 1
        if fault == .ignoresMeasurement, measurements.isMultiple(of: 9) { return false }
        return inner.shouldInvalidateLayout(
            forPreferredLayoutAttributes: preferredAttributes,
            withOriginalAttributes: originalAttributes
        )
    }

    override func invalidateLayout(with context: InvalidationContext) {
        if context.invalidateEverything || context.invalidateDataSourceCounts {
            super.invalidateLayout(with: context)
        } else {
            inner.invalidateLayout(with: context)
        }
    }

    override func applyUpdates(_ updates: LayoutUpdates) -> Bool {
        var wrong = updates.difference
        if fault == .losesMeasuredLength {
            wrong.deletes = (wrong.deletes + wrong.moves.map(\.old)).sorted()
            wrong.inserts = (wrong.inserts + wrong.moves.map(\.new)).sorted()
            wrong.moves = []
        }
        let applied = inner.applyUpdates(
            LayoutUpdates(wrong, reloadedSections: updates.reloadedSections.map { Int($0.old) })
        )
        if let path = (wrong.inserts.first ?? wrong.moves.first?.new)?.indexPath {
            if fault == .insertsLongRow, let long = inner.layoutAttributesForItem(at: path) {
                var context = InvalidationContext()
                context.preferredAttributes = [long]
                context.preferredAttributes[0].frame.size.height += 1
                inner.invalidateLayout(with: context)
            }
        }
        return applied
    }
}
