/// A section as a value: its identity and its items, of one state of some content.
public struct SectionSnapshot<Key, Item> {
    /// What tells the section from the others.
    public var key: Key
    /// The items, in order.
    public var items: [Item]

    /// Makes a section.
    public init(key: Key, items: [Item]) {
        self.key = key
        self.items = items
    }
}

extension SectionSnapshot: Sendable where Key: Sendable, Item: Sendable {}
extension SectionSnapshot: Equatable where Key: Equatable, Item: Equatable {}
extension SectionSnapshot: Hashable where Key: Hashable, Item: Hashable {}
