/// Says that two rows or two sections of one state have the same key, so that no difference can be told.
public struct DuplicateKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of the two states that are compared.
    public enum State: String, Sendable, Hashable {
        /// The state before.
        case old
        /// The state after.
        case new
    }

    /// The key, as text.
    public let key: String
    /// Whether it is a section's key or a row's.
    public let isSection: Bool
    /// The state that has it twice.
    public let state: State

    @usableFromInline
    init(_ key: some Any, isSection: Bool, in state: State) {
        self.key = String(describing: key)
        self.isSection = isSection
        self.state = state
    }

    /// The key and the state, in a sentence.
    public var description: String {
        "two \(isSection ? "sections" : "rows") of the \(state.rawValue) state have the key '\(key)'"
    }
}
