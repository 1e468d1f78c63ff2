/// What the work on a message counts for: an object of the storage's, which is the same for all that comes of one thing.
///
/// It goes with a message to whoever handles it and with the answer back, and never across a wire. The machine only hands it
/// on; two accounts are one if they stand for one object.
package struct WorkAccount: Sendable, Hashable {
    /// What it stands for.
    package let owner: any AnyObject & Sendable

    /// Makes the account of an object.
    package init(_ owner: any AnyObject & Sendable) { self.owner = owner }

    package static func == (left: Self, right: Self) -> Bool { left.owner === right.owner }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(owner)) }
}
