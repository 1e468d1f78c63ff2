internal import BridgeValues

/// The latest ids that arrived before the messages to which they refer.
///
/// It keeps two generations of at most 64: when the newer is full, the older is dropped. So memory is bounded, whatever
/// the peer sends.
struct RecentIdentifiers: Sendable {
    static let generationSize = 64
    private var newer: [MessageID: BridgeError] = [:]
    private var older: [MessageID: BridgeError] = [:]

    /// The number of ids.
    var count: Int { newer.count + older.count }

    func contains(_ id: MessageID) -> Bool { newer[id] != nil || older[id] != nil }

    mutating func insert(_ id: MessageID, _ reason: BridgeError) {
        if newer.count >= Self.generationSize {
            older = newer
            newer = [:]
        }
        // A repeated id is stored once, so that one removal suffices.
        older[id] = nil
        newer[id] = reason
    }

    /// Removes an id and returns the error stored with it, if there is one.
    mutating func remove(_ id: MessageID) -> BridgeError? {
        guard count > 0 else { return nil }
        return newer.removeValue(forKey: id) ?? older.removeValue(forKey: id)
    }
}
