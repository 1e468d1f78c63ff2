/// A list that works out by itself what has changed: set the new items, and the reload block gets the change
/// set.
///
/// Items are told apart by an identity and compared by `==`. An emptied list loses its section and a filled
/// one gets it, as ``ListDataSource`` counts them.
public final class ListSource<Item: Equatable, ID: Hashable>: ListDataSource {
    /// The type of the items.
    public typealias ItemType = Item

    /// The items, in order.
    public private(set) var items: [Item]
    /// What is called with the change set after the items have changed.
    public var reloadBlock: ReloadBlock?

    private let id: (Item) -> ID
    // Made when it is first asked for, and gone with the items.
    private var positions: [ID: Int]?

    /// Makes a list.
    ///
    /// - Parameters:
    ///   - items: The first items; nobody is told of them.
    ///   - id: The identity of an item, different for any two items of one list.
    public init(_ items: [Item] = [], id: @escaping (Item) -> ID) {
        self.items = items
        self.id = id
    }

    /// Replaces the items and tells the reload block the difference; where there is none it is not called.
    ///
    /// - Returns: The difference.
    /// - Throws: ``DuplicateKeyError`` where two items have one identity. The list is then as it was.
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

    /// The identity of an item.
    func identity(of item: Item) -> ID { id(item) }

    /// The position of the item with an identity.
    func position(of identity: ID) -> Int? {
        if let positions { return positions[identity] }
        // Two items of one identity are an error of `setItems` alone; the first items may have them.
        let made = Dictionary(items.enumerated().map { (id($1), $0) }) { first, _ in first }
        positions = made
        return made[identity]
    }

    private static func sections(_ items: [Item]) -> [SectionSnapshot<Int, Item>] {
        items.isEmpty ? [] : [SectionSnapshot(key: 0, items: items)]
    }
}

extension ListSource where Item: Identifiable, ID == Item.ID {
    /// Makes a list of items that have an identity of their own.
    public convenience init(_ items: [Item] = []) { self.init(items, id: \.id) }
}

extension ListSource where Item: Hashable, ID == Item {
    /// Makes a list of values that are their own identity: one that changes is another one.
    public convenience init(values: [Item]) { self.init(values) { $0 } }
}
