/// A mapping of positions through one difference, in both directions.
///
/// A row that no change names keeps its order and fills a position where nothing arrives: a row with r such rows before
/// it goes to the r-th free position.
package struct PathTracking: Sendable {
    private let sections: Direction
    private let oldSections: Direction
    private var moved: [ItemPath: ItemPath] = [:]
    private var movedBack: [ItemPath: ItemPath] = [:]
    private var leaving: [Int32: [Int]] = [:]
    private var arriving: [Int32: [Int]] = [:]

    /// The mapping of sections from one state to the other.
    private struct Direction: Sendable {
        let leaving: [Int]
        let arriving: [Int]
        let moved: [Int: Int]
        let gone: Set<Int>

        func follow(_ section: Int) -> Int? {
            if gone.contains(section) { return nil }
            if let new = moved[section] { return new }
            let rank = section - SectionMoves.count(in: leaving, before: section)
            return SectionMoves.item(ofRank: rank, among: arriving)
        }
    }

    /// Creates the mapping of a difference.
    package init(_ difference: Difference) {
        let moves = difference.sectionMoves.map { (Int($0.old), Int($0.new)) }
        let deletes = difference.sectionDeletes.map(Int.init)
        let inserts = difference.sectionInserts.map(Int.init)
        let leavingSections = (deletes + moves.map(\.0)).sorted()
        let arrivingSections = (inserts + moves.map(\.1)).sorted()
        sections = Direction(
            leaving: leavingSections,
            arriving: arrivingSections,
            moved: Dictionary(moves) { first, _ in first },
            gone: Set(deletes)
        )
        oldSections = Direction(
            leaving: arrivingSections,
            arriving: leavingSections,
            moved: Dictionary(moves.map { ($1, $0) }) { first, _ in first },
            gone: Set(inserts)
        )
        leaving = Self.items(of: difference.deletes)
        arriving = Self.items(of: difference.inserts)
        for move in difference.moves {
            leaving[move.old.section, default: []].append(Int(move.old.item))
            arriving[move.new.section, default: []].append(Int(move.new.item))
            moved[move.old] = move.new
            movedBack[move.new] = move.old
        }
        for section in leaving.keys { leaving[section]?.sort() }
        for section in arriving.keys { arriving[section]?.sort() }
    }

    /// Returns the items of each section of ascending paths.
    private static func items(of paths: [ItemPath]) -> [Int32: [Int]] {
        var items: [Int32: [Int]] = [:]
        var rest = paths[...]
        while let section = rest.first?.section {
            let part = rest.prefix { $0.section == section }
            items[section, default: []] += part.lazy.map { Int($0.item) }
            rest = rest[part.endIndex...]
        }
        return items
    }

    /// The old sections that rows leave.
    package var leavingSections: some Sequence<Int32> { leaving.keys }

    /// The new sections in which rows arrive.
    package var arrivingSections: some Sequence<Int32> { arriving.keys }

    /// Returns the new index of an old section, or `nil` if it was deleted.
    package func newSection(of section: Int32) -> Int32? { sections.follow(Int(section)).map(Int32.init) }

    /// Returns the old index of a new section, or `nil` if it was inserted.
    package func oldSection(of section: Int32) -> Int32? { oldSections.follow(Int(section)).map(Int32.init) }

    /// Returns the new path of an old row, or `nil` if it was deleted.
    package func newPath(of path: ItemPath) -> ItemPath? {
        if let new = moved[path] { return new }
        let left = leaving[path.section] ?? []
        guard !Self.contains(left, path.item), let section = newSection(of: path.section) else { return nil }
        return Self.follow(path.item, section, left, arriving[section] ?? [])
    }

    /// Returns the old path of a new row, or `nil` if it was inserted.
    package func oldPath(of path: ItemPath) -> ItemPath? {
        if let old = movedBack[path] { return old }
        let came = arriving[path.section] ?? []
        guard !Self.contains(came, path.item), let section = oldSection(of: path.section) else { return nil }
        return Self.follow(path.item, section, came, leaving[section] ?? [])
    }

    /// Returns the old items that leave an old section, ascending.
    package func leavingItems(of section: Int32) -> [Int] { leaving[section] ?? [] }

    /// Returns the new items that arrive in a new section, ascending.
    package func arrivingItems(of section: Int32) -> [Int] { arriving[section] ?? [] }

    private static func contains(_ items: [Int], _ item: Int32) -> Bool {
        let place = SectionMoves.count(in: items, before: Int(item))
        return place < items.count && items[place] == item
    }

    private static func follow(_ item: Int32, _ section: Int32, _ left: [Int], _ came: [Int]) -> ItemPath {
        let rank = Int(item) - SectionMoves.count(in: left, before: Int(item))
        return ItemPath(section: Int(section), item: SectionMoves.item(ofRank: rank, among: came))
    }
}
