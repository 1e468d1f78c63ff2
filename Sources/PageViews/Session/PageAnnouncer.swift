internal import BridgeValues
internal import CollectionViews

/// The sentences for a screen reader: changes of the data merged, at most one in two seconds.
struct PageAnnouncer {
    /// The shortest time between two announcements of changes.
    static let interval = Duration.seconds(2)

    private var counted = CollectionViewCounters()
    private var inserted = 0
    private var deleted = 0
    private var moved = 0
    private var sentence: String?
    private var immediate: String?
    private var last: Duration?

    /// Begins to count from the counters of a view.
    init(_ counters: CollectionViewCounters) { counted = counters }

    /// Adds the changes since the last call.
    mutating func add(_ counters: CollectionViewCounters, _ sentence: String?) {
        inserted += counters.insertedItems - counted.insertedItems
        deleted += counters.deletedItems - counted.deletedItems
        moved += counters.movedItems - counted.movedItems
        counted = counters
        if let sentence { self.sentence = sentence }
    }

    /// Announces the result of a key without delay.
    mutating func announce(_ sentence: String) { immediate = sentence }

    /// The time at which the next announcement may be made; `nil` if there is none.
    var due: Duration? {
        guard hasChanges else { return nil }
        return last.map { $0 + Self.interval } ?? .zero
    }

    private var hasChanges: Bool { inserted + deleted + moved > 0 || sentence != nil }

    /// Returns the announcement for the present time, or `nil`.
    mutating func take(at now: Duration) -> String? {
        if let immediate {
            self.immediate = nil
            return immediate
        }
        guard let due, due <= now else { return nil }
        let parts = [(inserted, "added"), (deleted, "removed"), (moved, "moved")].filter { $0.0 > 0 }
        let counts = parts.enumerated().map { index, part in
            index == 0
                ? "\(part.0) \(part.0 == 1 ? "row" : "rows") \(part.1)" : "\(part.0) \(part.1)"
        }
        defer {
            (inserted, deleted, moved, sentence) = (0, 0, 0, nil)
            last = now
        }
        return ([counts.joined(separator: ", "), sentence ?? ""].filter { !$0.isEmpty })
            .joined(separator: ", ")
    }
}
