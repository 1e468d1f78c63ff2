/// A list data source that computes its own changes: set the new items, and the reload block receives the change set.
///
/// Items are identified by an identity and compared by `==`. A list that becomes empty loses its section, and the first
/// items insert it again, as in ``ListDataSource``.
public final class ListSource<Item: Equatable, ID: Hashable>: ListDataSource {
    /// The type of the items.
    public typealias ItemType = Item

    /// The items, in order.
    public private(set) var items: [Item]
    /// The closure that the source calls with the change set after the items have changed.
    public var reloadBlock: ReloadBlock?

    private let id: (Item) -> ID
    // Built on first use, and discarded with the items.
    private var positions: [ID: Int]?

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - items: The first items, for which the reload block is not called.
    ///   - id: Returns the identity of an item, different for any two items of one list.
    public init(_ items: [Item] = [], id: @escaping (Item) -> ID) {
        self.items = items
        self.id = id
    }

    /// Replaces the items and calls the reload block with the difference; if there is none, it is not called.
    ///
    /// - Returns: The difference.
    /// - Throws: ``DuplicateKeyError`` if two items have the same identity. The list is then unchanged.
    @discardableResult
    public func setItems(_ newItems: [Item]) throws -> Difference {
        let difference = try KeyedDiff.difference(
            from: Self.sections(items),
            to: Self.sections(newItems),
            id: id,
            isChanged: !=
        )
        items = newItems
        positions = nil
        if !difference.isEmpty { reloadBlock?(difference.changeSet) }
        return difference
    }

    /// Returns the identity of an item.
    func identity(of item: Item) -> ID { id(item) }

    /// Returns the position of the item with an identity.
    func position(of identity: ID) -> Int? {
        if let positions { return positions[identity] }
        // Only `setItems` rejects two items with one identity; the first items may have them.
        let made = Dictionary(items.enumerated().map { (id($1), $0) }) { first, _ in first }
        positions = made
        return made[identity]
    }

    private static func sections(_ items: [Item]) -> [SectionSnapshot<Int, Item>] {
        items.isEmpty ? [] : [SectionSnapshot(key: 0, items: items)]
    }
}

extension ListSource where Item: Identifiable, ID == Item.ID {
    /// Creates a list of items that have an identity of their own.
    public convenience init(_ items: [Item] = []) { self.init(items, id: \.id) }
}

extension ListSource where Item: Hashable, ID == Item {
    /// Creates a list of values that are their own identity: a changed value is another item.
    public convenience init(values: [Item]) { self.init(values) { $0 } }
}
