internal import Stores

/// A difference with the identity of each row that it names.
struct FetchedDifference {
    var difference = Difference()
    var deletedSectionKeys: [[UInt8]] = []
    var insertedSectionKeys: [[UInt8]] = []
    /// The identities of the rows, here and below in the order of the difference's paths.
    var deletedIDs: [RowID] = []
    var insertedIDs: [RowID] = []
    var movedIDs: [RowID] = []
    var updatedIDs: [RowID] = []

    private typealias Pair = Difference.PathPair

    /// Sorts changed rows into deletes, inserts, moves and updates.
    mutating func collect(_ rows: [FetchedTransition.Row], in new: borrowing FetchedContent) {
        if rows.count == 1 { return collect(rows[0]) }
        var deletes: [(path: ItemPath, id: RowID)] = []
        var inserts: [(path: ItemPath, id: RowID)] = []
        var moves: [(pair: Pair, id: RowID)] = []
        var updates: [(pair: Pair, id: RowID)] = []
        var inSections = RowMoves()
        for row in rows {
            switch (row.old, row.new) {
            case (let old?, nil):
                deletes.append((old, row.id))
                inSections.pendingDeletions.append(old)
            case (nil, let new?):
                inserts.append((new, row.id))
                inSections.arrivals.append(new)
            case (let old?, let new?):
                let pair = Pair(old: old, new: new)
                updates.append((pair, row.id))
                if row.staysInSection {
                    inSections.staying.append(RowMoves.Staying(pair: pair, isTouched: row.isTouched))
                } else {
                    moves.append((pair, row.id))
                    inSections.pendingDeletions.append(old)
                    inSections.arrivals.append(new)
                }
            case (nil, nil): break
            }
        }
        for pair in inSections.moves() {
            // This may be a row without a change of its own, which moves so that fewer rows do.
            if let position = new.position(of: pair.new) { moves.append((pair, new.order.id(at: position))) }
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

    /// Collects a single row, for which no other row can move instead.
    private mutating func collect(_ row: FetchedTransition.Row) {
        switch (row.old, row.new) {
        case (let old?, nil):
            difference.deletes = [old]
            deletedIDs = [row.id]
        case (nil, let new?):
            difference.inserts = [new]
            insertedIDs = [row.id]
        case (let old?, let new?):
            let pair = Pair(old: old, new: new)
            difference.updates = [pair]
            updatedIDs = [row.id]
            guard !row.staysInSection || row.isTouched && old.item != new.item else { return }
            difference.moves = [pair]
            movedIDs = [row.id]
        case (nil, nil): break
        }
    }
}
