/// A section as a value: its identity and its items in one state.
public struct SectionSnapshot<Key, Item> {
    /// The identity of the section.
    public var key: Key
    /// The items, in order.
    public var items: [Item]

    /// Creates a section.
    public init(key: Key, items: [Item]) {
        self.key = key
        self.items = items
    }
}

extension SectionSnapshot: Sendable where Key: Sendable, Item: Sendable {}
extension SectionSnapshot: Equatable where Key: Equatable, Item: Equatable {}
extension SectionSnapshot: Hashable where Key: Hashable, Item: Hashable {}
