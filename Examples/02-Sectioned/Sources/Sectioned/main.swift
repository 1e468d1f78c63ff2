import DataSources
import Foundation

// Sections with titles, and a view that shows them and applies the announced change sets.

final class Menu: SectionedDataSource {
    typealias ItemType = String

    private(set) var sections: [Section<String>]
    var reloadBlock: ReloadBlock?

    init(_ sections: [Section<String>]) { self.sections = sections }

    /// Changes the sections and announces the changes, since a section does not announce its own.
    func change(_ body: (inout [Section<String>]) -> [Change]) {
        let changes = body(&sections)
        reloadBlock?(.some(changes))
    }
}

/// A text view, which reads only the arriving items from the data source.
final class TextView: BatchUpdatingView {
    private let source: AnyDataSource<String>
    private var rows: [[String]] = []
    private var batch = Batch()

    private struct Batch {
        var leaving: [IndexPath] = []
        var arriving: [IndexPath] = []
        var deletedSections = IndexSet()
        var insertedSections = IndexSet()
    }

    init(_ source: AnyDataSource<String>) {
        self.source = source
        reloadData()
    }

    private func cell(_ path: IndexPath) -> String { source.item(at: path) ?? "?" }

    func reloadData() {
        rows = (0..<source.numberOfSections).map { section in
            (0..<source.numberOfItems(in: section)).map { cell(IndexPath(item: $0, section: section)) }
        }
    }

    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) {
        batch = Batch()
        updates?()
        // Independent of the order of the calls: first the old paths from the back, then the new ones from the front.
        for path in batch.leaving.sorted(by: >) { rows[path.section].remove(at: path.item) }
        for section in batch.deletedSections.reversed() { rows.remove(at: section) }
        for section in batch.insertedSections { rows.insert([], at: section) }
        for path in batch.arriving.sorted() { rows[path.section].insert(cell(path), at: path.item) }
        completion?(true)
    }

    func insertSections(_ sections: IndexSet) { batch.insertedSections.formUnion(sections) }
    func deleteSections(_ sections: IndexSet) { batch.deletedSections.formUnion(sections) }
    func reloadSections(_ sections: IndexSet) { reloadData() }
    func moveSection(_ section: Int, toSection newSection: Int) { reloadData() }
    func insertItems(at indexPaths: [IndexPath]) { batch.arriving += indexPaths }
    func deleteItems(at indexPaths: [IndexPath]) { batch.leaving += indexPaths }
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        batch.leaving.append(indexPath)
        batch.arriving.append(newIndexPath)
    }
    func reloadItems(at indexPaths: [IndexPath]) {
        for path in indexPaths { rows[path.section][path.item] = cell(path) }
    }

    func show(_ title: String, _ menu: Menu) {
        print(title)
        for (section, items) in rows.enumerated() {
            print("  \(menu.headerTitle(for: section) ?? "(no title)"): \(items.joined(separator: ", "))")
            if let footer = menu.footerTitle(for: section) { print("    \(footer)") }
        }
    }
}

let menu = Menu([
    Section(items: ["soup", "salad"], headerTitle: "Starters"),
    Section(items: ["pie", "fish"], headerTitle: "Main", footerTitle: "with potatoes"),
    Section(items: ["cake"], headerTitle: "Sweet"),
])
let view = TextView(AnyDataSource(dataSource: menu))
menu.reloadBlock = { view.performUpdates(withChangeSet: $0) }
view.show("in the morning", menu)

// The starters are deleted. The salad moves to the main dishes. The drinks are inserted.
menu.change { sections in
    let salad = sections[0].items[1]
    sections[1].items.insert(salad, at: 0)
    sections.remove(at: 0)
    sections.append(Section(items: ["tea", "wine"], headerTitle: "Drinks"))
    return [
        .item(type: .delete(IndexPath(item: 0, section: 0))),
        .item(type: .move(IndexPath(item: 1, section: 0), IndexPath(item: 0, section: 0))),
        .section(type: .delete(IndexPath(item: 0, section: 0))),
        .section(type: .insert(IndexPath(item: 0, section: 2))),
        .item(type: .insert(IndexPath(item: 0, section: 2))),
        .item(type: .insert(IndexPath(item: 1, section: 2))),
    ]
}
view.show("at noon", menu)

// Instead of listing the changes, a program can compute them: by keys, the fewest possible.
let before = menu.sections.map { SectionSnapshot(key: $0.headerTitle ?? "", items: $0.items) }
var after = before
after[0].items.swapAt(0, 2)
after[2].items.removeFirst()
after[1].items.append("ice")
let difference = try KeyedDiff.difference(from: before, to: after, id: { $0 }, isChanged: { $0 != $1 })
print("in the evening: \(difference)")
menu.change { sections in
    for (section, snapshot) in zip(sections, after) { section.items = snapshot.items }
    guard case .some(let changes) = difference.changeSet else { return [] }
    return changes
}
view.show("then", menu)
