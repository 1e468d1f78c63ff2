/// Cancellations that came before their calls: the latest 64 are remembered, never more than 128 (Documentation/Protocol.md).
///
/// Between the two either may be; which it was shows in how many are remembered.
struct EarlyCancellationOracle {
    private struct Entry {
        let id: SessionIdentifier
        let code: String
        /// How many came before it.
        let arrival: Int
    }

    static let (least, most) = (64, 128)
    // No two have one id; the oldest first.
    private var entries: [Entry] = []
    private var arrivals = 0

    mutating func insert(_ id: SessionIdentifier, _ code: String) {
        entries.removeAll { $0.id == id }
        entries.append(Entry(id: id, code: code, arrival: arrivals))
        arrivals += 1
        // Who remembers one that so many came after remembers too many.
        if entries.count > Self.most { entries.removeFirst(entries.count - Self.most) }
    }

    /// Takes out what a call was cancelled with before it came.
    ///
    /// - Parameters:
    ///   - id: The id of the call.
    ///   - isForgotten: Whether nothing was remembered of it, where both may be.
    /// - Returns: The error's code; `nil` if nothing is remembered.
    mutating func remove(_ id: SessionIdentifier, isForgotten: Bool) -> String? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        let entry = entries.remove(at: index)
        return isForgotten && !isSure(entry) ? nil : entry.code
    }

    func difference(_ found: Int) -> String? {
        let sure = entries.count(where: isSure)
        if (sure...entries.count).contains(found) { return nil }
        return
            "R22 R23 early cancellations that are remembered: \(found), should be \(sure) to \(entries.count)"
    }

    private func isSure(_ entry: Entry) -> Bool { arrivals - entry.arrival <= Self.least }
}
