internal import DataSources

/// The interactive movement of one item, from its beginning to its end or cancellation.
///
/// The view shows the item at the current path, while the data source still has it at the original one.
struct ReorderSession {
    /// The path of the item in the data source.
    let original: ItemPath
    /// The path at which the view shows the item.
    private(set) var current: ItemPath
    /// The position of the pointer in the content; `nil` if the item moves by keys.
    var position: Point?
    private var tracking: PathTracking?

    init(at path: ItemPath) {
        original = path
        current = path
    }

    /// Returns the change of the view that shows the item at another path, or `nil` if it is there.
    mutating func move(to path: ItemPath) -> Change? {
        guard path != current else { return nil }
        let change = Change.item(type: .move(current.indexPath, path.indexPath))
        current = path
        var difference = Difference()
        difference.moves = [Difference.PathPair(old: original, new: path)]
        tracking = path == original ? nil : PathTracking(difference)
        return change
    }

    /// Returns the path at which the view shows an item of the data source.
    func shownPath(of path: ItemPath) -> ItemPath { tracking?.newPath(of: path) ?? path }

    /// Returns the path in the data source of an item that the view shows at a path.
    func sourcePath(of path: ItemPath) -> ItemPath { tracking?.oldPath(of: path) ?? path }

    /// Returns the counts of the data source for those of the view.
    func sourceCounts(_ shown: [Int]) -> [Int] {
        var result = shown
        result[Int(current.section)] -= 1
        result[Int(original.section)] += 1
        return result
    }
}
