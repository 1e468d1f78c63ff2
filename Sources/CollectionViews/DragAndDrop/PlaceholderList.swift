internal import DataSources
internal import Foundation

/// The placeholders of a view: rows that it shows, and that its data source does not have.
struct PlaceholderList {
    /// A placeholder, by the path at which the view shows it.
    struct Entry {
        let number: Int
        var path: ItemPath
        let content: DropPlaceholder
    }

    /// The placeholders, in ascending order of their paths.
    private(set) var entries: [Entry] = []
    private var lastNumber = 0
    /// The mapping of paths of the data source to those of the view.
    private(set) var tracking: PathTracking?

    var isEmpty: Bool { entries.isEmpty }

    func entry(_ number: Int) -> Entry? { entries.first { $0.number == number } }

    func entry(at path: ItemPath) -> Entry? { entries.first { $0.path == path } }

    /// Adds a placeholder at a path, before which later ones move down, and returns its number.
    mutating func insert(_ content: DropPlaceholder, at path: ItemPath) -> Int {
        lastNumber += 1
        for index in entries.indices where entries[index].path.section == path.section {
            if entries[index].path.item >= path.item { entries[index].path.item += 1 }
        }
        replace(by: entries + [Entry(number: lastNumber, path: path, content: content)])
        return lastNumber
    }

    /// Removes a placeholder whose row becomes an item.
    mutating func commit(_ number: Int) { replace(by: entries.filter { $0.number != number }) }

    /// Removes a placeholder with its row.
    mutating func delete(_ number: Int) {
        guard let path = entry(number)?.path else { return }
        var rest = entries.filter { $0.number != number }
        for index in rest.indices where rest[index].path.section == path.section {
            if rest[index].path.item > path.item { rest[index].path.item -= 1 }
        }
        replace(by: rest)
    }

    mutating func removeAll() { replace(by: []) }

    private mutating func replace(by new: [Entry]) {
        entries = new.sorted { $0.path < $1.path }
        var difference = Difference()
        difference.inserts = entries.map(\.path)
        tracking = entries.isEmpty ? nil : PathTracking(difference)
    }

    // MARK: - Translation

    /// Returns the path in the data source of a row, or `nil` for a placeholder.
    func sourcePath(of path: ItemPath) -> ItemPath? {
        guard let tracking else { return path }
        return tracking.oldPath(of: path)
    }

    /// Returns the path at which the view shows an item of the data source.
    func shownPath(of path: ItemPath) -> ItemPath { tracking?.newPath(of: path) ?? path }

    private func shownPath(_ path: IndexPath) -> IndexPath {
        ItemPath(path).map { shownPath(of: $0).indexPath } ?? path
    }

    /// Returns the number of the data source's items before a row of its section.
    func sourceItem(before path: ItemPath) -> Int {
        Int(path.item) - entries.count { $0.path.section == path.section && $0.path < path }
    }

    /// Returns the counts of the data source for those of the view.
    func sourceCounts(_ shown: [Int]) -> [Int] { counts(shown, -1) }

    /// Returns the counts of the view for those of the data source.
    func shownCounts(_ source: [Int]) -> [Int] { counts(source, 1) }

    private func counts(_ counts: [Int], _ change: Int) -> [Int] {
        var result = counts
        for entry in entries where result.indices.contains(Int(entry.path.section)) {
            result[Int(entry.path.section)] += change
        }
        return result
    }

    /// Moves the placeholders along with the rows before them, and returns a batch of the data source in paths of the view.
    ///
    /// A placeholder stays after the nearest row before it that neither leaves nor moves. Those of deleted sections go.
    mutating func translate(_ batch: UpdateBatch) -> UpdateBatch {
        guard !isEmpty else { return batch }
        let old = self
        let changes = PathTracking(Difference(batch.changes))
        var moved: [(source: ItemPath, entry: Entry)] = []
        for entry in entries {
            guard let section = changes.newSection(of: entry.path.section) else { continue }
            // No change names the placeholder, so it keeps its order among the rows that neither leave nor move.
            let leaving = Set(changes.leavingItems(of: entry.path.section))
            let before = (0..<old.sourceItem(before: entry.path)).last { !leaving.contains($0) }
                .flatMap { changes.newPath(of: ItemPath(section: Int(entry.path.section), item: $0)) }
            let item = before.map { Int($0.item) + 1 } ?? 0
            moved.append((ItemPath(section: Int(section), item: item), entry))
        }
        // Stable: neighbouring placeholders keep their order.
        let sorted = moved.enumerated().sorted {
            ($0.element.source, $0.offset) < ($1.element.source, $1.offset)
        }
        .map(\.element)
        var shown: [Int32: Int] = [:]
        replace(
            by: sorted.map { source, entry in
                var entry = entry
                let before = shown[source.section, default: 0]
                shown[source.section] = before + 1
                entry.path = ItemPath(section: Int(source.section), item: Int(source.item) + before)
                return entry
            }
        )
        var result = batch
        result.changes = batch.changes.map { change in
            guard case .item(let type) = change else { return change }
            switch type {
            case .insert(let path): return .item(type: .insert(shownPath(path)))
            case .delete(let path): return .item(type: .delete(old.shownPath(path)))
            case .update(let path): return .item(type: .update(old.shownPath(path)))
            case .move(let from, let to):
                return .item(type: .move(old.shownPath(from), shownPath(to)))
            }
        }
        result.reconfigured = batch.reconfigured.map(old.shownPath)
        return result
    }
}
