/// A weak reference from a context to a child.
private struct WeakContext {
    weak var context: ManagedObjectContext?
}

/// The contexts that have a context as their parent, which does not retain them.
struct ChildContexts {
    private var children: [WeakContext] = []
    /// The child that is currently pushing its changes, and that knows them already.
    private weak var pushing: ManagedObjectContext?

    /// A Boolean value that indicates whether there are none; false also if all were released.
    var isEmpty: Bool { children.isEmpty }

    /// The children that were not released.
    var living: [ManagedObjectContext] { children.compactMap(\.context) }

    /// The children to notify of a change.
    var receivers: [ManagedObjectContext] {
        children.compactMap { $0.context === pushing ? nil : $0.context }
    }

    /// Adds a new child.
    mutating func add(_ child: ManagedObjectContext) {
        children.removeAll { $0.context == nil }
        children.append(WeakContext(context: child))
    }

    /// Records that a child begins to push its changes, or with `nil`, that it has ended.
    mutating func setPushing(_ child: ManagedObjectContext?) { pushing = child }
}
