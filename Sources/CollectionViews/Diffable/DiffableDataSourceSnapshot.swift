internal import DataSources

/// The sections and items of one state as a value, by their identifiers.
///
/// Identifiers are unique in a snapshot. A change that would break this, or names an identifier that is not there,
/// throws ``DiffableSnapshotError``, and changes nothing.
///
/// - Complexity: Appending takes O(k) in what is appended. Another change of sections takes O(s) in the sections, and
///   another change of items O(k) in the items of their section.
public struct DiffableDataSourceSnapshot<SectionID: Hashable, ItemID: Hashable> {
    var sections: [SectionSnapshot<SectionID, ItemID>] = []
    private var sectionIndices: [SectionID: Int] = [:]
    private var itemSections: [ItemID: SectionID] = [:]
    /// The items whose cells are replaced when the snapshot is applied.
    public private(set) var reloadedItemIdentifiers: [ItemID] = []
    /// The items whose content is requested again when the snapshot is applied, and that keep their cells.
    public private(set) var reconfiguredItemIdentifiers: [ItemID] = []

    /// The sections whose views are replaced when the snapshot is applied.
    public private(set) var reloadedSectionIdentifiers: [SectionID] = []

    /// Creates an empty snapshot.
    public init() {}

    // MARK: - Contents

    /// The number of sections.
    public var numberOfSections: Int { sections.count }
    /// The number of items.
    public var numberOfItems: Int { itemSections.count }
    /// The sections, in order.
    public var sectionIdentifiers: [SectionID] { sections.map(\.key) }
    /// The items, in order.
    public var itemIdentifiers: [ItemID] { sections.flatMap(\.items) }

    /// Returns the items of a section; an unknown section has none.
    public func itemIdentifiers(inSection identifier: SectionID) -> [ItemID] {
        indexOfSection(identifier).map { sections[$0].items } ?? []
    }

    /// Returns the section of an item, or `nil` if the snapshot does not have the item.
    public func sectionIdentifier(containingItem identifier: ItemID) -> SectionID? {
        itemSections[identifier]
    }

    /// Returns the index of a section, or `nil` if the snapshot does not have it.
    ///
    /// - Complexity: O(1).
    public func indexOfSection(_ identifier: SectionID) -> Int? { sectionIndices[identifier] }

    /// Returns the index of an item among all items, or `nil` if the snapshot does not have it.
    ///
    /// - Complexity: O(s) in the sections and O(k) in the items of its section.
    public func indexOfItem(_ identifier: ItemID) -> Int? {
        path(of: identifier).map { path in
            sections[..<Int(path.section)].reduce(Int(path.item)) { $0 + $1.items.count }
        }
    }

    /// Returns the path of an item, or `nil` if the snapshot does not have it.
    func path(of identifier: ItemID) -> ItemPath? {
        guard let section = itemSections[identifier].flatMap(indexOfSection),
            let item = sections[section].items.firstIndex(of: identifier)
        else { return nil }
        return ItemPath(section: section, item: item)
    }

    // MARK: - Sections

    /// Appends sections.
    public mutating func appendSections(_ identifiers: [SectionID]) throws(DiffableSnapshotError) {
        try insertSections(identifiers, at: sections.count)
    }

    /// Inserts sections before another one.
    public mutating func insertSections(
        _ identifiers: [SectionID],
        beforeSection other: SectionID
    ) throws(DiffableSnapshotError) {
        try insertSections(identifiers, at: try existing(other))
    }

    /// Inserts sections after another one.
    public mutating func insertSections(
        _ identifiers: [SectionID],
        afterSection other: SectionID
    ) throws(DiffableSnapshotError) {
        try insertSections(identifiers, at: try existing(other) + 1)
    }

    /// Deletes sections with their items; unknown ones are left out.
    public mutating func deleteSections(_ identifiers: [SectionID]) {
        let deleted = Set(identifiers)
        for section in sections where deleted.contains(section.key) {
            for item in section.items { itemSections[item] = nil }
        }
        sections.removeAll { deleted.contains($0.key) }
        for identifier in deleted { sectionIndices[identifier] = nil }
        updateSectionIndices(from: 0)
        removeLostChanges()
    }

    /// Moves a section before another one.
    public mutating func moveSection(
        _ identifier: SectionID,
        beforeSection other: SectionID
    ) throws(DiffableSnapshotError) {
        try moveSection(identifier, to: try existing(other), other)
    }

    /// Moves a section after another one.
    public mutating func moveSection(
        _ identifier: SectionID,
        afterSection other: SectionID
    ) throws(DiffableSnapshotError) {
        try moveSection(identifier, to: try existing(other) + 1, other)
    }

    /// Marks sections whose views are replaced when the snapshot is applied.
    public mutating func reloadSections(_ identifiers: [SectionID]) throws(DiffableSnapshotError) {
        for identifier in identifiers { _ = try existing(identifier) }
        reloadedSectionIdentifiers += identifiers
    }

    private mutating func moveSection(
        _ identifier: SectionID,
        to target: Int,
        _ other: SectionID
    ) throws(DiffableSnapshotError) {
        let from = try existing(identifier)
        guard identifier != other else { return }
        let section = sections.remove(at: from)
        sections.insert(section, at: from < target ? target - 1 : target)
        updateSectionIndices(from: 0)
    }

    private mutating func insertSections(
        _ identifiers: [SectionID],
        at index: Int
    ) throws(DiffableSnapshotError) {
        var seen: Set<SectionID> = []
        for identifier in identifiers {
            guard sectionIndices[identifier] == nil, seen.insert(identifier).inserted else {
                throw DiffableSnapshotError(.duplicateIdentifier, identifier)
            }
        }
        sections.insert(contentsOf: identifiers.map { SectionSnapshot(key: $0, items: []) }, at: index)
        updateSectionIndices(from: index)
    }

    private mutating func updateSectionIndices(from start: Int) {
        for index in start..<sections.count { sectionIndices[sections[index].key] = index }
    }

    private func existing(_ section: SectionID) throws(DiffableSnapshotError) -> Int {
        guard let index = indexOfSection(section) else {
            throw DiffableSnapshotError(.unknownIdentifier, section)
        }
        return index
    }

    // MARK: - Items

    /// Appends items to a section, or to the last one.
    public mutating func appendItems(
        _ identifiers: [ItemID],
        toSection section: SectionID? = nil
    ) throws(DiffableSnapshotError) {
        guard
            let target = try section.map({ (id) throws(DiffableSnapshotError) in try existing(id) })
                ?? sections.indices.last
        else {
            guard let first = identifiers.first else { return }
            throw DiffableSnapshotError(.noSection, first)
        }
        try insert(identifiers, at: ItemPath(section: target, item: sections[target].items.count))
    }

    /// Inserts items before another one.
    public mutating func insertItems(
        _ identifiers: [ItemID],
        beforeItem other: ItemID
    ) throws(DiffableSnapshotError) {
        try insert(identifiers, at: try existing(other))
    }

    /// Inserts items after another one.
    public mutating func insertItems(
        _ identifiers: [ItemID],
        afterItem other: ItemID
    ) throws(DiffableSnapshotError) {
        try insert(identifiers, at: try existing(other).next)
    }

    /// Deletes all sections and items.
    public mutating func deleteAllItems() { self = DiffableDataSourceSnapshot() }

    /// Deletes items; unknown ones are left out.
    public mutating func deleteItems(_ identifiers: [ItemID]) {
        let deleted = Set(identifiers)
        for section in Set(deleted.compactMap { itemSections[$0] }.compactMap(indexOfSection)) {
            sections[section].items.removeAll { deleted.contains($0) }
        }
        for item in deleted { itemSections[item] = nil }
        removeLostChanges()
    }

    /// Moves an item before another one.
    public mutating func moveItem(
        _ identifier: ItemID,
        beforeItem other: ItemID
    ) throws(DiffableSnapshotError) {
        let target = try existing(other)
        guard identifier != other else { return }
        move(try existing(identifier), to: target)
    }

    /// Moves an item after another one.
    public mutating func moveItem(
        _ identifier: ItemID,
        afterItem other: ItemID
    ) throws(DiffableSnapshotError) {
        let target = try existing(other)
        guard identifier != other else { return }
        move(try existing(identifier), to: target.next)
    }

    /// Moves an item to a position of the state before the move.
    private mutating func move(_ from: ItemPath, to target: ItemPath) {
        let isBefore = from.section == target.section && from.item < target.item
        relocate(from, to: isBefore ? ItemPath(section: target.section, item: target.item - 1) : target)
    }

    /// Moves an item to its path after the move.
    mutating func relocate(_ from: ItemPath, to target: ItemPath) {
        let item = sections[Int(from.section)].items.remove(at: Int(from.item))
        sections[Int(target.section)].items.insert(item, at: Int(target.item))
        itemSections[item] = sections[Int(target.section)].key
    }

    /// Replaces the items of a section, which the other sections must not have.
    mutating func replaceItems(
        inSection identifier: SectionID,
        by items: [ItemID]
    ) throws(DiffableSnapshotError) {
        let section = try existing(identifier)
        for item in items {
            if let other = itemSections[item], other != identifier {
                throw DiffableSnapshotError(.duplicateIdentifier, item)
            }
        }
        for item in sections[section].items { itemSections[item] = nil }
        sections[section].items = items
        for item in items { itemSections[item] = identifier }
        removeLostChanges()
    }

    /// Marks items whose cells are replaced when the snapshot is applied.
    public mutating func reloadItems(_ identifiers: [ItemID]) throws(DiffableSnapshotError) {
        try checkExisting(identifiers)
        reloadedItemIdentifiers += identifiers
    }

    /// Marks items whose content is requested again, and that keep their cells.
    public mutating func reconfigureItems(_ identifiers: [ItemID]) throws(DiffableSnapshotError) {
        try checkExisting(identifiers)
        reconfiguredItemIdentifiers += identifiers
    }

    private mutating func insert(_ identifiers: [ItemID], at path: ItemPath) throws(DiffableSnapshotError) {
        var seen: Set<ItemID> = []
        for identifier in identifiers {
            guard itemSections[identifier] == nil, seen.insert(identifier).inserted else {
                throw DiffableSnapshotError(.duplicateIdentifier, identifier)
            }
        }
        let section = Int(path.section)
        for identifier in identifiers { itemSections[identifier] = sections[section].key }
        sections[section].items.insert(contentsOf: identifiers, at: Int(path.item))
    }

    private func existing(_ item: ItemID) throws(DiffableSnapshotError) -> ItemPath {
        guard let path = path(of: item) else { throw DiffableSnapshotError(.unknownIdentifier, item) }
        return path
    }

    private func checkExisting(_ identifiers: [ItemID]) throws(DiffableSnapshotError) {
        for identifier in identifiers where itemSections[identifier] == nil {
            throw DiffableSnapshotError(.unknownIdentifier, identifier)
        }
    }

    private mutating func removeLostChanges() {
        reloadedItemIdentifiers.removeAll { itemSections[$0] == nil }
        reloadedSectionIdentifiers.removeAll { sectionIndices[$0] == nil }
        reconfiguredItemIdentifiers.removeAll { itemSections[$0] == nil }
    }

    /// The snapshot without marks of items to reload or reconfigure, as a data source keeps it.
    var applied: DiffableDataSourceSnapshot {
        var result = self
        result.reloadedItemIdentifiers = []
        result.reloadedSectionIdentifiers = []
        result.reconfiguredItemIdentifiers = []
        return result
    }
}

extension DiffableDataSourceSnapshot: Sendable where SectionID: Sendable, ItemID: Sendable {}

extension ItemPath {
    /// The path after this one in the section.
    fileprivate var next: ItemPath { ItemPath(section: section, item: item + 1) }
}
