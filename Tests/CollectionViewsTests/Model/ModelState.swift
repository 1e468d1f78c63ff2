import CollectionViews
import DataSources
import Foundation
import TestSupport

/// A row of the model: its identity never changes, its stamp does.
struct ModelRow: Hashable {
    let id: Int
    var stamp = 0
}

/// Sections of rows, from which random changes lead to the next state.
struct ModelState {
    var sections: [SectionSnapshot<Int, ModelRow>]
    private var lastID = 0
    private var lastKey = 0

    init(_ generator: inout SeededGenerator) {
        sections = []
        for _ in 0..<generator.int(0..<4) { sections.append(makeSection(&generator)) }
    }

    private mutating func makeRow() -> ModelRow {
        lastID += 1
        return ModelRow(id: lastID)
    }

    private mutating func makeSection(_ generator: inout SeededGenerator) -> SectionSnapshot<Int, ModelRow> {
        lastKey += 1
        let count = generator.chance(20) ? 0 : generator.int(0..<60)
        return SectionSnapshot(key: lastKey, items: (0..<count).map { _ in makeRow() })
    }

    /// Changes rows and sections at random.
    mutating func change(_ generator: inout SeededGenerator) {
        if generator.chance(4) { sections = [] }
        for _ in 0..<generator.int(0..<3) {
            switch generator.int(0..<4) {
            case 0: sections.insert(makeSection(&generator), at: generator.int(0..<sections.count + 1))
            case 1 where !sections.isEmpty: sections.remove(at: generator.int(0..<sections.count))
            case 2 where sections.count > 1:
                let section = sections.remove(at: generator.int(0..<sections.count))
                sections.insert(section, at: generator.int(0..<sections.count + 1))
            default: break
            }
        }
        guard !sections.isEmpty else { return }
        for _ in 0..<generator.int(0..<12) {
            let section = generator.int(0..<sections.count)
            let count = sections[section].items.count
            guard count > 0, !generator.chance(40) else {
                // A range of rows arrives.
                let rows = (0..<generator.int(1..<5)).map { _ in makeRow() }
                sections[section].items.insert(contentsOf: rows, at: generator.int(0..<count + 1))
                continue
            }
            let item = generator.int(0..<count)
            switch generator.int(0..<4) {
            case 0: sections[section].items.removeSubrange(item..<min(count, item + generator.int(1..<6)))
            case 1: sections[section].items[item].stamp += 1
            default:
                let row = sections[section].items.remove(at: item)
                let target = generator.int(0..<sections.count)
                let place = generator.int(0..<sections[target].items.count + 1)
                sections[target].items.insert(row, at: place)
            }
        }
    }

    func difference(to new: ModelState) throws -> Difference {
        try KeyedDiff.difference(from: sections, to: new.sections, id: \.id, isChanged: !=)
    }

    /// The paths of the rows by their identities.
    var paths: [Int: IndexPath] {
        var paths: [Int: IndexPath] = [:]
        for (section, content) in sections.enumerated() {
            for (item, row) in content.items.enumerated() {
                paths[row.id] = IndexPath(item: item, section: section)
            }
        }
        return paths
    }
}

/// The data source of the model: each row's cell knows its true length.
final class ModelSource: CollectionViewDataSource {
    var state: ModelState
    /// The identities of the rows whose true length the view knows.
    var measured: Set<Int> = []
    /// The row whose cell cannot be made.
    var failing: Int?
    /// A closure that is called once, when the next cell is requested.
    var whenAsked: (() -> Void)?

    init(_ state: ModelState) { self.state = state }

    static func length(_ id: Int) -> Double { Double(id * 37 % 59 + 2) / 2 }

    func numberOfSections(in collectionView: CollectionView) -> Int { state.sections.count }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        state.sections[section].items.count
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        if let change = whenAsked {
            whenAsked = nil
            change()
        }
        // A change in a callback leads to requests for paths of the old state.
        guard state.sections.indices.contains(indexPath.section),
            state.sections[indexPath.section].items.indices.contains(indexPath.item)
        else { throw SourceFault(path: indexPath) }
        let row = state.sections[indexPath.section].items[indexPath.item]
        if row.id == failing { throw SourceFault(path: indexPath) }
        let dequeued = try collectionView.dequeueReusableCell(withReuseIdentifier: "number", for: indexPath)
        dequeued.content.text = StyledText("\(row.id) v\(row.stamp)")
        if let cell = dequeued as? NumberCell {
            cell.number = row.id
            cell.length = Self.length(row.id)
            cell.whenMeasured = { [weak self] in self?.measured.insert(row.id) }
        }
        return dequeued
    }

    func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        let view = try collectionView.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: indexPath
        )
        guard state.sections.indices.contains(indexPath.section) else { throw SourceFault(path: indexPath) }
        view.content.text = StyledText("section \(state.sections[indexPath.section].key)")
        return view
    }

    func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool { true }

    func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        let row = state.sections[sourceIndexPath.section].items.remove(at: sourceIndexPath.item)
        state.sections[destinationIndexPath.section].items.insert(row, at: destinationIndexPath.item)
    }
}
