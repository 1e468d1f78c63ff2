/// The items of one section as a tree, whose items can be expanded and collapsed.
///
/// An item is visible if all its parents are expanded; a new parent is collapsed. Identifiers are unique in a snapshot.
/// A change that would break this, or names an identifier that is not there, throws ``DiffableSnapshotError``, and
/// changes nothing.
///
/// - Complexity: Questions about one item take O(1), or O(d) in its depth. A change takes O(k) in the children of the
///   parents and O(c) in the items that it adds or removes.
public struct DiffableDataSourceSectionSnapshot<ItemID: Hashable> {
    struct Node {
        var parent: ItemID?
        var children: [ItemID] = []
        var isExpanded = false
    }

    private var nodes: [ItemID: Node] = [:]
    /// The items without a parent, in order.
    public private(set) var rootItems: [ItemID] = []

    /// Creates an empty snapshot.
    public init() {}

    // MARK: - Contents

    /// The items, each followed by its children.
    public var items: [ItemID] { walk(rootItems) { _ in true } }
    /// The items whose parents are all expanded, each followed by its visible children.
    public var visibleItems: [ItemID] { walk(rootItems) { $0.isExpanded } }
    /// The expanded items, in the order of ``items``.
    public var expandedItems: [ItemID] { items.filter(isExpanded) }

    /// Returns whether the snapshot has an item.
    public func contains(_ item: ItemID) -> Bool { nodes[item] != nil }

    /// Returns whether an item is expanded.
    public func isExpanded(_ item: ItemID) -> Bool { nodes[item]?.isExpanded == true }

    /// Returns whether all parents of an item are expanded.
    public func isVisible(_ item: ItemID) -> Bool {
        guard contains(item) else { return false }
        return ancestors(of: item).allSatisfy(isExpanded)
    }

    /// Returns the number of parents of an item, or `nil` if the snapshot does not have it.
    public func level(of item: ItemID) -> Int? { contains(item) ? ancestors(of: item).count : nil }

    /// Returns the parent of an item; `nil` for a root item or an unknown one.
    public func parent(of item: ItemID) -> ItemID? { nodes[item]?.parent }

    /// Returns the children of an item, in order; an unknown item has none.
    public func children(of item: ItemID) -> [ItemID] { nodes[item]?.children ?? [] }

    /// Returns the index of an item among ``items``, or `nil` if the snapshot does not have it.
    ///
    /// - Complexity: O(n) in the items.
    public func index(of item: ItemID) -> Int? { contains(item) ? items.firstIndex(of: item) : nil }

    /// Returns the part of the tree below an item, with or without the item.
    public func snapshot(of parent: ItemID, includingParent: Bool = false)
        throws(DiffableSnapshotError) -> DiffableDataSourceSectionSnapshot
    {
        try checkExisting(parent)
        var result = DiffableDataSourceSectionSnapshot()
        result.rootItems = includingParent ? [parent] : children(of: parent)
        for item in walk(result.rootItems, { _ in true }) { result.nodes[item] = nodes[item] }
        for root in result.rootItems { result.nodes[root]?.parent = nil }
        return result
    }

    /// Returns the tree as lines: each item after its level, with the state of parents.
    public func visualDescription() -> String {
        items.map { item in
            let indentation = String(repeating: "  ", count: level(of: item) ?? 0)
            let mark = children(of: item).isEmpty ? "*" : isExpanded(item) ? "-" : "+"
            return "\(indentation)\(mark) \(item)"
        }
        .joined(separator: "\n")
    }

    // MARK: - Changes

    /// Appends items to the children of a parent, or to the root items.
    public mutating func append(_ items: [ItemID], to parent: ItemID? = nil) throws(DiffableSnapshotError) {
        if let parent { try checkExisting(parent) }
        try insert(items, to: parent, at: siblings(of: parent).count)
    }

    /// Inserts items before another one, as children of the same parent.
    public mutating func insert(_ items: [ItemID], before other: ItemID) throws(DiffableSnapshotError) {
        let place = try place(of: other)
        try insert(items, to: place.parent, at: place.index)
    }

    /// Inserts items after another one, as children of the same parent.
    public mutating func insert(_ items: [ItemID], after other: ItemID) throws(DiffableSnapshotError) {
        let place = try place(of: other)
        try insert(items, to: place.parent, at: place.index + 1)
    }

    /// Inserts a tree before an item.
    public mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot,
        before other: ItemID
    ) throws(DiffableSnapshotError) {
        let place = try place(of: other)
        try insert(snapshot, to: place.parent, at: place.index)
    }

    /// Inserts a tree after an item.
    public mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot,
        after other: ItemID
    ) throws(DiffableSnapshotError) {
        let place = try place(of: other)
        try insert(snapshot, to: place.parent, at: place.index + 1)
    }

    /// Replaces the children of an item by a tree.
    public mutating func replace(
        childrenOf parent: ItemID,
        using snapshot: DiffableDataSourceSectionSnapshot
    ) throws(DiffableSnapshotError) {
        try checkExisting(parent)
        var changed = self
        changed.delete(children(of: parent))
        try changed.insert(snapshot, to: parent, at: 0)
        self = changed
    }

    /// Deletes items with all their children; unknown ones are left out.
    public mutating func delete(_ items: [ItemID]) {
        let deleted = Set(walk(items.filter(contains), { _ in true }))
        let parents = Set(items.compactMap { nodes[$0]?.parent }).subtracting(deleted)
        for parent in parents { nodes[parent]?.children.removeAll { deleted.contains($0) } }
        rootItems.removeAll { deleted.contains($0) }
        for item in deleted { nodes[item] = nil }
    }

    /// Deletes all items.
    public mutating func deleteAll() { self = DiffableDataSourceSectionSnapshot() }

    /// Expands items, so that their children are visible.
    public mutating func expand(_ items: [ItemID]) throws(DiffableSnapshotError) {
        try setExpanded(true, items)
    }

    /// Collapses items; the states of the items below them remain.
    public mutating func collapse(_ items: [ItemID]) throws(DiffableSnapshotError) {
        try setExpanded(false, items)
    }

    private mutating func setExpanded(
        _ isExpanded: Bool,
        _ items: [ItemID]
    ) throws(DiffableSnapshotError) {
        for item in items { try checkExisting(item) }
        for item in items { nodes[item]?.isExpanded = isExpanded }
    }

    // MARK: - Tree

    /// Returns items with the children of those that a condition selects, without recursion: a tree may be deep.
    private func walk(_ roots: [ItemID], _ isEntered: (Node) -> Bool) -> [ItemID] {
        var result: [ItemID] = []
        var rest = Array(roots.reversed())
        while let item = rest.popLast() {
            result.append(item)
            if let node = nodes[item], isEntered(node) { rest += node.children.reversed() }
        }
        return result
    }

    private func ancestors(of item: ItemID) -> [ItemID] {
        var result: [ItemID] = []
        var next = nodes[item]?.parent
        while let parent = next {
            result.append(parent)
            next = nodes[parent]?.parent
        }
        return result
    }

    private func siblings(of parent: ItemID?) -> [ItemID] {
        guard let parent else { return rootItems }
        return nodes[parent]?.children ?? []
    }

    private func place(of item: ItemID) throws(DiffableSnapshotError) -> (parent: ItemID?, index: Int) {
        try checkExisting(item)
        let parent = nodes[item]?.parent
        return (parent, siblings(of: parent).firstIndex(of: item) ?? 0)
    }

    private func checkExisting(_ item: ItemID) throws(DiffableSnapshotError) {
        guard contains(item) else { throw DiffableSnapshotError(.unknownIdentifier, item) }
    }

    private mutating func insert(
        _ items: [ItemID],
        to parent: ItemID?,
        at index: Int
    ) throws(DiffableSnapshotError) {
        var snapshot = DiffableDataSourceSectionSnapshot()
        snapshot.rootItems = items
        for item in items {
            guard snapshot.nodes.updateValue(Node(), forKey: item) == nil else {
                throw DiffableSnapshotError(.duplicateIdentifier, item)
            }
        }
        try insert(snapshot, to: parent, at: index)
    }

    private mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot,
        to parent: ItemID?,
        at index: Int
    ) throws(DiffableSnapshotError) {
        for item in snapshot.nodes.keys where contains(item) {
            throw DiffableSnapshotError(.duplicateIdentifier, item)
        }
        nodes.merge(snapshot.nodes) { _, new in new }
        for item in snapshot.rootItems { nodes[item]?.parent = parent }
        if let parent {
            nodes[parent]?.children.insert(contentsOf: snapshot.rootItems, at: index)
        } else {
            rootItems.insert(contentsOf: snapshot.rootItems, at: index)
        }
    }
}

extension DiffableDataSourceSectionSnapshot.Node: Equatable {}
extension DiffableDataSourceSectionSnapshot.Node: Sendable where ItemID: Sendable {}
extension DiffableDataSourceSectionSnapshot: Equatable {}
extension DiffableDataSourceSectionSnapshot: Sendable where ItemID: Sendable {}
