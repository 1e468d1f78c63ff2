/// A model of cancellations that arrived before their calls: the latest 64 are remembered, never more than 128
/// (JavaScriptBridge.docc/Protocol.md).
///
/// Between the two limits a session may remember a cancellation or not; the number of remembered ones shows which.
struct EarlyCancellationOracle {
    private struct Entry {
        let id: SessionIdentifier
        let code: String
        /// The number of cancellations before it.
        let arrival: Int
    }

    static let (least, most) = (64, 128)
    // Unique by id; the oldest first.
    private var entries: [Entry] = []
    private var arrivals = 0

    mutating func insert(_ id: SessionIdentifier, _ code: String) {
        entries.removeAll { $0.id == id }
        entries.append(Entry(id: id, code: code, arrival: arrivals))
        arrivals += 1
        // A session that remembers a cancellation after that many later ones remembers too many.
        if entries.count > Self.most { entries.removeFirst(entries.count - Self.most) }
    }

    /// Removes the cancellation of a call that arrives now.
    ///
    /// - Parameters:
    ///   - id: The id of the call.
    ///   - isForgotten: Whether the session had not remembered it, where both are allowed.
    /// - Returns: The code of the error; `nil` if nothing is remembered.
    mutating func remove(_ id: SessionIdentifier, isForgotten: Bool) -> String? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        let entry = entries.remove(at: index)
        return isForgotten && !isSure(entry) ? nil : entry.code
    }

    func difference(_ found: Int) -> String? {
        let sure = entries.count(where: isSure)
        if (sure...entries.count).contains(found) { return nil }
        return
            "R22 R23 remembered early cancellations: \(found), should be \(sure) to \(entries.count)"
    }

    private func isSure(_ entry: Entry) -> Bool { arrivals - entry.arrival <= Self.least }
}
