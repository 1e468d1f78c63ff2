/// The budget that the work on a message is charged to: an object of the storage, shared by all work of one origin.
///
/// It accompanies a message to its handler and the reply back, and never crosses a wire. The state machine only passes
/// it on. Two accounts are equal if they have the same object.
package struct WorkBudget: Sendable, Hashable {
    /// The object that represents the budget.
    package let owner: any AnyObject & Sendable

    /// Creates the account of an object.
    package init(_ owner: any AnyObject & Sendable) { self.owner = owner }

    package static func == (left: Self, right: Self) -> Bool { left.owner === right.owner }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(owner)) }
}
