internal import BridgeValues

/// Ids that came before what they are for, the latest of them.
///
/// Two generations of at most 64: when the newer is full, the older is forgotten. So what is remembered is
/// bounded, whoever sends it.
struct RecentIdentifiers: Sendable {
    static let generationSize = 64
    private var newer: [MessageID: BridgeError] = [:]
    private var older: [MessageID: BridgeError] = [:]

    /// How many are remembered.
    var count: Int { newer.count + older.count }

    func contains(_ id: MessageID) -> Bool { newer[id] != nil || older[id] != nil }

    mutating func insert(_ id: MessageID, _ reason: BridgeError) {
        if newer.count >= Self.generationSize {
            older = newer
            newer = [:]
        }
        // One that comes again is forgotten once, when it is taken out.
        older[id] = nil
        newer[id] = reason
    }

    /// Takes an id out and gives what it was remembered with, if it was.
    mutating func remove(_ id: MessageID) -> BridgeError? {
        guard count > 0 else { return nil }
        return newer.removeValue(forKey: id) ?? older.removeValue(forKey: id)
    }
}
