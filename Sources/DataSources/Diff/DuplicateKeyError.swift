/// An error for two rows or two sections of one state that have the same key, so that no difference can be computed.
public struct DuplicateKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of the two compared states.
    public enum State: String, Sendable, Hashable {
        /// The state before.
        case old
        /// The state after.
        case new
    }

    /// The description of the key.
    public let key: String
    /// A Boolean value that indicates whether the key belongs to a section rather than a row.
    public let isSection: Bool
    /// The state that has the key twice.
    public let state: State

    @usableFromInline
    init(_ key: some Any, isSection: Bool, in state: State) {
        self.key = String(describing: key)
        self.isSection = isSection
        self.state = state
    }

    /// A sentence with the key and the state.
    public var description: String {
        "two \(isSection ? "sections" : "rows") of the \(state.rawValue) state have the key '\(key)'"
    }
}
