internal import CollectionViews
internal import Foundation

extension TableContent {
    /// A Boolean value that indicates whether a row is being moved in any of the views.
    public var isMoving: Bool { view.sharingViews.contains { $0.interactivelyMovingIndexPath != nil } }

    /// Applies what has arrived from other threads, and returns the time at which the next mark ends.
    ///
    /// While a row is moved, everything waits, so that the row is not lost.
    public func update(at now: Duration) -> Duration? {
        if !isMoving {
            for message in work.take() { apply(message, at: now) }
        }
        if let end = changes.values.lazy.map(\.end).min(), end <= now {
            changes = changes.filter { $0.value.end > now }
        }
        return changes.values.lazy.map(\.end).min()
    }

    private func apply(_ message: TableMessage, at now: Duration) {
        switch message {
        case .loaded(let load, let isComplete): loaded(load, isComplete: isComplete)
        case .failed(let failure, let job):
            loading.failure = failure
            if let job {
                _ = work.arranged(job)
                if activeSearch?.job === job { activeSearch?.job = nil }
            } else {
                loading.isComplete = true
                work.observe(source)
            }
            changeHandler?()
        case .arranged(var arrangement, let job):
            guard let missed = work.arranged(job) else { return }
            arrangement.remove(missed.deleted)
            // Rows that have changed meanwhile may be at another place, and are there with the next arrangement. It begins
            // before these rows are shown: until it has ended, the content is not settled, and no state is restored.
            if missed.isAny { work.arrange(source, order, count: rows.count) } else { arrangeAgainIfNeeded() }
            showRows { $0.rows.arrange(arrangement) }
        case .matched(let numbers, let end, let job):
            guard activeSearch?.job === job else { return }
            activeSearch?.add(numbers, end: end)
            if end == rows.count || end == work.searchEnd {
                activeSearch?.endJob()
                searchNewRows()
            }
            changeHandler?()
        case .changed(let change): changed(change, at: now)
        }
    }

    private func loaded(_ load: TableLoad, isComplete: Bool) {
        loading.progress = load.progress
        loading.notice = load.notice
        loading.isComplete = isComplete
        if load.rowCount > rows.count {
            if order.isPlain, rows.arrangement == nil {
                showRows { $0.rows.grow(to: load.rowCount) }
            } else if order.isPlain {
                // An order that was made by hand: new rows follow.
                let inserted = Array(rows.count..<load.rowCount)
                showRows { $0.rows.apply(TableChange(rowCount: load.rowCount, inserted: inserted)) }
            } else {
                rows.grow(to: load.rowCount)
            }
        }
        if isComplete { work.observe(source) }
        arrangeAgainIfNeeded()
        searchNewRows()
        changeHandler?()
    }

    /// Arranges rows that were found since the last time, when all were found or they are twice as many.
    private func arrangeAgainIfNeeded() {
        guard !order.isPlain, !work.isArranging, work.arrangedCount < rows.count else { return }
        if loading.isComplete || work.arrangedCount * 2 < rows.count {
            work.arrange(source, order, count: rows.count)
        }
    }

    private func changed(_ change: TableChange, at now: Duration) {
        loading.deleted.formUnion(change.deleted)
        loading.changes.inserted += change.inserted.count
        loading.changes.updated += change.updated.count
        loading.changes.deleted += change.deleted.count
        columns.remeasure(change.updated)
        let end = now + Self.markTime
        for number in change.inserted { changes[number] = (.inserted, end) }
        for number in change.updated { changes[number] = (.updated, end) }
        if order.isPlain {
            showRows { $0.rows.apply(change) }
        } else {
            rows.grow(to: change.rowCount)
            work.arrange(source, order, after: change)
            composeCells()
        }
        activeSearch?.searchAgain()
        searchNewRows()
        changeHandler?()
    }
}
