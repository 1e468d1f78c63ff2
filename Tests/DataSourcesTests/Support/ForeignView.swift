import DataSources
import Foundation

/// A view with the rules and the known faults of `UICollectionView`: it accepts one batch at a time, retains only
/// identities, and reports what would have crashed it.
struct ForeignView {
    private(set) var sections: [[Int64]]

    struct Crash: Error, CustomStringConvertible {
        let description: String
    }

    init(_ state: State) { sections = state.map { $0.items.map(\.id) } }

    /// Applies a batch; rows of inserted sections come from the data source.
    mutating func perform(_ changes: [Change], dataSource: State) throws {
        var deletedSections: Set<Int> = []
        var insertedSections: Set<Int> = []
        var movedSections: [Int: Int] = [:]
        var deletes: Set<IndexPath> = []
        var inserts: Set<IndexPath> = []
        var moves: [(IndexPath, IndexPath)] = []
        var updates: Set<IndexPath> = []
        for change in changes {
            switch change {
            case .section(.delete(let path)): deletedSections.insert(path.section)
            case .section(.insert(let path)): insertedSections.insert(path.section)
            case .section(.move(let old, let new)): movedSections[old.section] = new.section
            case .section(.update): throw Crash(description: "a section update was not requested")
            case .item(.delete(let path)): deletes.insert(path)
            case .item(.insert(let path)): inserts.insert(path)
            case .item(.move(let old, let new)): moves.append((old, new))
            case .item(.update(let path)): updates.insert(path)
            }
        }
        let items = deletes.count + inserts.count + moves.count + updates.count
        if !movedSections.isEmpty, items > 0 { throw Crash(description: "section moves beside item changes") }
        if !updates.isEmpty, changes.count > updates.count {
            throw Crash(description: "updates beside others")
        }
        if !moves.isEmpty, !deletes.isEmpty || !deletedSections.isEmpty || !insertedSections.isEmpty {
            throw Crash(description: "moves beside deletes or section changes")
        }
        if updates.contains(where: { !sections[$0.section].indices.contains($0.item) }) {
            throw Crash(description: "an update of a row that is not there")
        }
        let leaving = deletes.union(moves.map(\.0))
        if leaving.contains(where: { deletedSections.contains($0.section) }) {
            throw Crash(description: "a row change inside a deleted section")
        }
        if inserts.union(moves.map(\.1)).contains(where: { insertedSections.contains($0.section) }) {
            throw Crash(description: "a row change inside an inserted section")
        }
        var result = sections
        let arrivals =
            moves.map { ($1, sections[$0.section][$0.item]) }
            + inserts.map { ($0, dataSource[$0.section].items[$0.item].id) }
        for path in leaving.sorted(by: >) { result[path.section].remove(at: path.item) }
        var arriving = insertedSections.map { ($0, dataSource[$0].items.map(\.id)) }
        arriving += movedSections.map { ($1, result[$0]) }
        for section in deletedSections.union(movedSections.keys).sorted(by: >) { result.remove(at: section) }
        for (section, rows) in arriving.sorted(by: { $0.0 < $1.0 }) {
            guard section <= result.count else { throw Crash(description: "a section behind the last one") }
            result.insert(rows, at: section)
        }
        for (path, id) in arrivals.sorted(by: { $0.0 < $1.0 }) {
            guard result.indices.contains(path.section), path.item <= result[path.section].count else {
                throw Crash(description: "a row behind the last one")
            }
            result[path.section].insert(id, at: path.item)
        }
        guard result.map(\.count) == dataSource.map(\.items.count) else {
            throw Crash(
                description:
                    "\(result.map(\.count)) rows in the view, \(dataSource.map(\.items.count)) outside"
            )
        }
        sections = result
    }
}
