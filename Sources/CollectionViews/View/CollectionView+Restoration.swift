public import DataSources
public import Foundation

extension CollectionView: RestorableView {
    /// The length of the whole content, along the direction of the layout.
    public var contentLength: Double {
        ensureLayoutIsPrepared()
        let length = scrollDirection.length(of: collectionViewLayout.collectionViewContentSize)
        return length.isFinite ? max(0, length) : 0
    }

    /// The length of the viewport.
    public var viewportLength: Double { scrollDirection.length(of: frame.size) }

    /// The paths of the items in the viewport, by their position.
    public var visibleIndexPaths: [IndexPath] {
        ensureLayoutIsPrepared()
        let viewport = limitedBounds
        return collectionViewLayout.layoutAttributesForElements(in: viewport)
            .filter { $0.element.category == .cell && !$0.isHidden && $0.frame.intersects(viewport) }
            .sorted {
                (scrollDirection.start(of: $0.frame), $0.element)
                    < (scrollDirection.start(of: $1.frame), $1.element)
            }
            .map(\.indexPath)
    }

    /// Returns the range of an item in the content, or `nil` for a path out of range.
    public func position(of indexPath: IndexPath) -> Range<Double>? {
        ensureLayoutIsPrepared()
        guard let path = ItemPath(indexPath), let attributes = try? itemAttributes(path) else { return nil }
        return scrollDirection.range(of: attributes.frame)
    }
}
