internal import DataSources

/// The sections and items of one state as a value, by their identifiers.
///
/// Identifiers are unique in a snapshot. A change that would break this, or names an identifier that is not there,
/// throws ``DiffableSnapshotError``, and changes nothing.
///
/// - Complexity: A change that names a section, or an item by which others are inserted, takes O(s) in the sections and
///   O(k) in the items of its section.
public struct DiffableDataSourceSnapshot<SectionID: Hashable, ItemID: Hashable> {
    var sections: [SectionSnapshot<SectionID, ItemID>] = []
    private var sectionIDs: Set<SectionID> = []
    private var itemSections: [ItemID: SectionID] = [:]
    /// The items whose cells are replaced when the snapshot is applied.
    public private(set) var reloadedItemIdentifiers: [ItemID] = []
    /// The items whose content is requested again when the snapshot is applied, and that keep their cells.
    public private(set) var reconfiguredItemIdentifiers: [ItemID] = []

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
    public func indexOfSection(_ identifier: SectionID) -> Int? {
        sectionIDs.contains(identifier) ? sections.firstIndex { $0.key == identifier } : nil
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

    /// Deletes sections with their items; unknown ones are left out.
    public mutating func deleteSections(_ identifiers: [SectionID]) {
        let deleted = Set(identifiers)
        for section in sections where deleted.contains(section.key) {
            for item in section.items { itemSections[item] = nil }
        }
        sections.removeAll { deleted.contains($0.key) }
        sectionIDs.subtract(deleted)
        removeLostChanges()
    }

    /// Moves a section before another one.
    public mutating func moveSection(
        _ identifier: SectionID,
        beforeSection other: SectionID
    ) throws(DiffableSnapshotError) {
        let from = try existing(identifier)
        _ = try existing(other)
        guard identifier != other else { return }
        let section = sections.remove(at: from)
        sections.insert(section, at: try existing(other))
    }

    private mutating func insertSections(
        _ identifiers: [SectionID],
        at index: Int
    ) throws(DiffableSnapshotError) {
        var seen = sectionIDs
        for identifier in identifiers where !seen.insert(identifier).inserted {
            throw DiffableSnapshotError(.duplicateIdentifier, identifier)
        }
        sectionIDs = seen
        sections.insert(contentsOf: identifiers.map { SectionSnapshot(key: $0, items: []) }, at: index)
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
        let from = try existing(identifier)
        _ = try existing(other)
        guard identifier != other else { return }
        sections[Int(from.section)].items.remove(at: Int(from.item))
        itemSections[identifier] = nil
        try insert([identifier], at: try existing(other))
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
        reconfiguredItemIdentifiers.removeAll { itemSections[$0] == nil }
    }

    /// The snapshot without marks of items to reload or reconfigure, as a data source keeps it.
    var applied: DiffableDataSourceSnapshot {
        var result = self
        result.reloadedItemIdentifiers = []
        result.reconfiguredItemIdentifiers = []
        return result
    }
}

extension DiffableDataSourceSnapshot: Sendable where SectionID: Sendable, ItemID: Sendable {}
