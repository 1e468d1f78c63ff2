internal import Stores

extension Difference {
    /// Sorts changed rows into deletes, inserts, moves and updates, and adds their identities to the rows.
    mutating func collect(
        _ changed: [FetchedTransition.Row],
        in new: borrowing FetchedContent,
        _ rows: inout Rows
    ) {
        if changed.count == 1 { return collect(changed[0], &rows) }
        var deletes: [(path: ItemPath, id: RowID)] = []
        var inserts: [(path: ItemPath, id: RowID)] = []
        var moves: [(pair: PathPair, id: RowID)] = []
        var updates: [(pair: PathPair, id: RowID)] = []
        var inSections = RowMoves()
        for row in changed {
            switch (row.old, row.new) {
            case (let old?, nil):
                deletes.append((old, row.id))
                inSections.pendingDeletions.append(old)
            case (nil, let new?):
                inserts.append((new, row.id))
                inSections.arrivals.append(new)
            case (let old?, let new?):
                let pair = PathPair(old: old, new: new)
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
        self.deletes = deletes.map(\.path)
        self.inserts = inserts.map(\.path)
        self.moves = moves.map(\.pair)
        self.updates = updates.map(\.pair)
        rows.deletedIDs = deletes.map(\.id)
        rows.insertedIDs = inserts.map(\.id)
        rows.movedIDs = moves.map(\.id)
        rows.updatedIDs = updates.map(\.id)
    }

    /// Collects a single row, for which no other row can move instead.
    private mutating func collect(_ row: FetchedTransition.Row, _ rows: inout Rows) {
        switch (row.old, row.new) {
        case (let old?, nil):
            deletes = [old]
            rows.deletedIDs = [row.id]
        case (nil, let new?):
            inserts = [new]
            rows.insertedIDs = [row.id]
        case (let old?, let new?):
            let pair = PathPair(old: old, new: new)
            updates = [pair]
            rows.updatedIDs = [row.id]
            guard !row.staysInSection || row.isTouched && old.item != new.item else { return }
            moves = [pair]
            rows.movedIDs = [row.id]
        case (nil, nil): break
        }
    }
}
