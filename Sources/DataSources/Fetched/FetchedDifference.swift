internal import Stores

/// A difference with the identity of each row that it names.
struct FetchedDifference {
    var difference = Difference()
    var deletedSectionKeys: [[UInt8]] = []
    /// In the order of the difference's paths.
    var deletedIDs: [RowID] = []
    var insertedIDs: [RowID] = []
    var movedIDs: [RowID] = []
    var updatedIDs: [RowID] = []

    private typealias Pair = Difference.PathPair

    /// Sorts changed rows into deletes, inserts, moves and updates.
    mutating func collect(_ rows: [FetchedTransition.Row], in new: borrowing FetchedContent) {
        var deletes: [(path: ItemPath, id: RowID)] = []
        var inserts: [(path: ItemPath, id: RowID)] = []
        var moves: [(pair: Pair, id: RowID)] = []
        var updates: [(pair: Pair, id: RowID)] = []
        var staying: [(pair: Pair, row: FetchedTransition.Row)] = []
        var departures: [ItemPath] = []
        var arrivals: [ItemPath] = []
        for row in rows {
            switch (row.old, row.new) {
            case (let old?, nil):
                deletes.append((old, row.id))
                departures.append(old)
            case (nil, let new?):
                inserts.append((new, row.id))
                arrivals.append(new)
            case (let old?, let new?):
                let pair = Pair(old: old, new: new)
                updates.append((pair, row.id))
                if row.staysInSection {
                    staying.append((pair, row))
                } else {
                    moves.append((pair, row.id))
                    departures.append(old)
                    arrivals.append(new)
                }
            case (nil, nil): break
            }
        }
        if staying.contains(where: \.row.isTouched) {
            for move in Self.moves(staying, departures.sorted(), arrivals.sorted()) {
                // A row that moves for others' sake was not named by any change.
                let id = move.id ?? new.position(of: move.pair.new).map(new.order.id(at:))
                if let id { moves.append((move.pair, id)) }
            }
        }
        deletes.sort { $0.path < $1.path }
        inserts.sort { $0.path < $1.path }
        moves.sort { $0.pair.old < $1.pair.old }
        updates.sort { $0.pair.old < $1.pair.old }
        difference.deletes = deletes.map(\.path)
        difference.inserts = inserts.map(\.path)
        difference.moves = moves.map(\.pair)
        difference.updates = updates.map(\.pair)
        deletedIDs = deletes.map(\.id)
        insertedIDs = inserts.map(\.id)
        movedIDs = moves.map(\.id)
        updatedIDs = updates.map(\.id)
    }

    /// The fewest moves inside sections.
    private static func moves(
        _ staying: [(pair: Pair, row: FetchedTransition.Row)],
        _ departures: [ItemPath],
        _ arrivals: [ItemPath]
    ) -> [(pair: Pair, id: RowID?)] {
        let staying = staying.sorted { $0.pair.old < $1.pair.old }
        var moves: [(pair: Pair, id: RowID?)] = []
        var start = 0
        while start < staying.count {
            let old = staying[start].pair.old.section
            let new = staying[start].pair.new.section
            var end = start
            while end < staying.count, staying[end].pair.old.section == old { end += 1 }
            defer { start = end }
            guard staying[start..<end].contains(where: \.row.isTouched) else { continue }
            var section = SectionMoves()
            var ids: [Int: RowID] = [:]
            for (pair, row) in staying[start..<end] {
                let place = SectionMoves.Row(old: Int(pair.old.item), new: Int(pair.new.item))
                ids[place.old] = row.id
                if row.isTouched {
                    section.touched.append(place)
                } else {
                    section.changedInPlace.append(place)
                }
            }
            section.leaving = items(departures, of: old)
            section.arriving = items(arrivals, of: new)
            for row in section.moved() {
                let pair = Pair(
                    old: ItemPath(section: Int(old), item: row.old),
                    new: ItemPath(section: Int(new), item: row.new)
                )
                moves.append((pair, ids[row.old]))
            }
        }
        return moves
    }

    /// The items of the paths in one section.
    private static func items(_ paths: [ItemPath], of section: Int32) -> [Int] {
        let first = SectionMoves.firstIndex(in: paths.indices) { paths[$0].section >= section }
        return paths[first...].prefix { $0.section == section }.map { Int($0.item) }
    }
}
