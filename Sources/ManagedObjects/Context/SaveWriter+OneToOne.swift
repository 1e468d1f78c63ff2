internal import Stores

// One-to-one links after a policy has resolved conflicts: both ends must refer to each other.
extension SaveWriter {
    /// One end of a one-to-one link.
    private struct End: Hashable {
        let row: RowKey
        let attribute: Int
    }

    /// The targets of ends, as far as they were read.
    private struct Ends {
        let model: ModelPlan
        /// The targets in the store; `nil` for rows that do not exist there.
        var stored: [End: Int64?] = [:]
        /// The targets that this save writes.
        var written: [End: Int64?] = [:]

        subscript(end: End) -> Int64? { written[end] ?? stored[end] ?? nil }

        /// Returns the other end of a link.
        func other(_ end: End, _ key: Int64) -> End? {
            model.oneToOne(end.row.entity, end.attribute).map {
                End(row: RowKey(entity: $0.entity, key: key), attribute: $0.attribute)
            }
        }

        func isBack(_ end: End, at key: Int64) -> Bool {
            other(end, key).map { self[$0] == end.row.key } ?? true
        }
    }

    /// Makes both ends of each one-to-one link agree.
    ///
    /// Without conflicts they already agree, because any change by others to a link that is changed here is a conflict.
    mutating func agree(_ updates: inout [Update], _ deletions: [ManagedObject], _ target: any SaveTarget)
        throws
    {
        guard !conflicts.isEmpty, context.mergePolicy != .error else { return }
        var ends = Ends(model: context.model)
        var places: [RowKey: Int] = [:]
        let going = Set(deletions.map(\.row))
        var gone: Set<RowKey> = []
        for (place, update) in updates.enumerated() { places[update.object.row] = place }
        func read(_ end: End) throws {
            guard ends.stored[end] == nil else { return }
            let plan = context.model.entities[end.row.entity]
            if let place = places[end.row], !revived.contains(end.row) {
                ends.stored[end] = .some(updates[place].stored[end.attribute].rowID)
            } else if context.inserted[end.row] != nil || revived.contains(end.row) {
                ends.stored[end] = .some(nil)
            } else if !going.contains(end.row), let row = try target.rows(of: plan, [end.row.key])[0] {
                ends.stored[end] = .some(row[end.attribute].rowID)
            } else {
                gone.insert(end.row)
                ends.stored[end] = .some(nil)
            }
        }
        /// Reads an end, the ends that it and a value refer to, and the ends that those refer to.
        func readAround(_ end: End, _ value: Int64?) throws {
            try read(end)
            for key in [value, ends.stored[end] ?? nil].compactMap({ $0 }) {
                guard let other = ends.other(end, key) else { continue }
                try read(other)
                guard let third = ends.stored[other] ?? nil else { continue }
                try read(End(row: RowKey(entity: end.row.entity, key: third), attribute: end.attribute))
            }
        }
        var wanted: [(end: End, key: Int64?)] = []
        func want(_ row: RowKey, _ attribute: Int, _ value: AttributeValue) throws {
            guard context.model.oneToOne(row.entity, attribute) != nil else { return }
            let end = End(row: row, attribute: attribute)
            try readAround(end, value.rowID)
            // References to rows that others deleted are reported and removed elsewhere.
            if let key = value.rowID, let other = ends.other(end, key), gone.contains(other.row) { return }
            wanted.append((end, value.rowID))
        }
        for update in updates {
            for (attribute, value) in update.values.sorted(by: { $0.key < $1.key }) {
                try want(update.object.row, attribute, value)
            }
        }
        for object in context.insertedObjects {
            for (attribute, value) in object.changes.sorted(by: { $0.key < $1.key }) {
                try want(object.row, attribute, value)
            }
        }
        switch context.mergePolicy {
        case .error: break
        case .mergeByPropertyObjectTrump, .overwrite:
            for (end, key) in wanted { Self.lead(end, to: key, &ends) }
        case .mergeByPropertyStoreTrump, .rollback:
            for (end, key) in wanted { ends.written[end] = .some(key) }
            // Ends that are not written keep the store's targets, which may disagree with other written ends in turn.
            var isSettled = false
            while !isSettled {
                isSettled = true
                for (end, key) in wanted where ends.written[end] != nil {
                    let stored = ends.stored[end] ?? nil
                    let isRight =
                        key.map { ends.isBack(end, at: $0) } ?? true
                        && (stored == key || stored.map { !ends.isBack(end, at: $0) } ?? true)
                    if isRight { continue }
                    ends.written[end] = nil
                    isSettled = false
                }
            }
        }
        try carryOut(ends, wanted, &updates, places, gone)
    }

    /// Makes an end refer to a row, and clears all other references to both of them.
    private static func lead(_ end: End, to key: Int64?, _ ends: inout Ends) {
        if let old = ends[end], old != key, let former = ends.other(end, old), ends[former] == end.row.key {
            ends.written[former] = .some(nil)
        }
        if let key, let other = ends.other(end, key) {
            if let taken = ends[other], taken != end.row.key {
                let third = End(row: RowKey(entity: end.row.entity, key: taken), attribute: end.attribute)
                if ends[third] == key { ends.written[third] = .some(nil) }
            }
            ends.written[other] = .some(end.row.key)
        }
        ends.written[end] = .some(key)
    }

    /// Puts the final targets into the updates.
    private mutating func carryOut(
        _ ends: Ends,
        _ wanted: [(end: End, key: Int64?)],
        _ updates: inout [Update],
        _ places: [RowKey: Int],
        _ gone: Set<RowKey>
    ) throws {
        let keys = Dictionary(wanted.map { ($0.end, $0.key) }, uniquingKeysWith: { $1 })
        let all = Set(keys.keys).union(ends.written.keys).sorted {
            $0.row == $1.row ? $0.attribute < $1.attribute : $0.row.isBefore($1.row)
        }
        for end in all where !gone.contains(end.row) {
            let (key, stored) = (ends[end], ends.stored[end] ?? nil)
            let isNew = context.inserted[end.row] != nil
            // The target is as the object says, so any conflict was already reported.
            if let ours = keys[end], ours == key { continue }
            guard isNew || key != stored || keys[end] != nil else { continue }
            let value = key.map { AttributeValue.integer($0) } ?? .null
            let plan = context.model.entities[end.row.entity]
            if key == nil { try requireOptional(plan, end.attribute, end.row, "refers to another object") }
            add(
                .bothChanged,
                end.row,
                plan.entity.attributes[end.attribute].name,
                ours: keys[end] ?? key,
                theirs: stored
            )
            if let place = places[end.row] {
                let isStored = key == stored && !revived.contains(end.row)
                updates[place].values[end.attribute] = isStored ? nil : value
            } else if isNew {
                amended[end.row, default: [:]][end.attribute] = value
            } else {
                followed.append((end.row, end.attribute, value))
            }
        }
    }
}
