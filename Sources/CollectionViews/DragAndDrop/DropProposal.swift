/// The effect of a drop on the data.
public enum DropOperation: Sendable, Hashable, CaseIterable {
    /// Nothing is dropped.
    case cancel
    /// The target accepts the item elsewhere, but not at this position.
    case forbidden
    /// The data is copied.
    case copy
    /// The data is moved.
    case move

    /// A Boolean value that indicates whether a drop has an effect.
    public var isAccepted: Bool { self == .copy || self == .move }
}

/// The answer of a drop delegate to a drag over a position.
public struct DropProposal: Sendable, Hashable {
    /// The relation of dropped items to the item at the position.
    public enum Intent: Sendable, Hashable {
        /// The position has no effect.
        case unspecified
        /// The items are inserted before the item at the position.
        case insertAtDestinationIndexPath
        /// The items become a part of the item at the position.
        case insertIntoDestinationIndexPath
    }

    /// The effect of a drop.
    public let operation: DropOperation
    /// The relation to the item at the position.
    public let intent: Intent

    /// Creates a proposal.
    public init(operation: DropOperation, intent: Intent = .unspecified) {
        self.operation = operation
        self.intent = intent
    }

    static let forbidden = DropProposal(operation: .forbidden)
}
