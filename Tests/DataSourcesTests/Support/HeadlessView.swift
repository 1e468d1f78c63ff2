import DataSources
import Foundation

/// A view without a screen, which creates a cell for each inserted row and keeps the cells of other rows.
///
/// Batches are applied by edits of arrays in the order of U5, whatever the order of the calls.
final class HeadlessView: BatchUpdatingView {
    /// A cell that displays a row.
    final class Cell {
        var row: TestRow

        init(_ row: TestRow) { self.row = row }
    }

    private(set) var cells: [[Cell]]
    private(set) var made = 0
    /// The content of the data source, to be set before changes are reported.
    var dataSource: State

    private enum Step {
        case deleteItem(IndexPath)
        case deleteSection(Int)
        case insertSection(Int)
        case insertItem(IndexPath)
        case moveItem(IndexPath, IndexPath)
        case moveSection(Int, Int)
        case reload(IndexPath)
    }

    private var steps: [Step]?

    init(_ state: State) {
        dataSource = state
        cells = state.map { $0.items.map(Cell.init) }
    }

    private func makeCell(_ path: IndexPath) -> Cell {
        made += 1
        return Cell(dataSource[path.section].items[path.item])
    }

    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) {
        steps = []
        updates?()
        carryOut(steps ?? [])
        steps = nil
        completion?(true)
    }

    private func carryOut(_ steps: [Step]) {
        var moved: [(cell: Cell, to: IndexPath)] = []
        var movedSections: [(cells: [Cell], to: Int)] = []
        var leaving: [IndexPath] = []
        var leavingSections: [Int] = []
        for step in steps {
            switch step {
            case .deleteItem(let path): leaving.append(path)
            case .moveItem(let old, let new):
                moved.append((cells[old.section][old.item], new))
                leaving.append(old)
            case .deleteSection(let section), .moveSection(let section, _): leavingSections.append(section)
            case .insertSection, .insertItem, .reload: break
            }
        }
        // Changed content is read after all rows are at their new positions; the cells are known now.
        var reloaded: [Cell] = []
        for case .reload(let path) in steps { reloaded.append(cells[path.section][path.item]) }
        for path in leaving.sorted(by: >) { cells[path.section].remove(at: path.item) }
        for case .moveSection(let old, let new) in steps { movedSections.append((cells[old], new)) }
        for section in leavingSections.sorted(by: >) { cells.remove(at: section) }
        var arrivingSections = movedSections.map { ($0.to, $0.cells) }
        for case .insertSection(let section) in steps { arrivingSections.append((section, [])) }
        for (section, content) in arrivingSections.sorted(by: { $0.0 < $1.0 }) {
            cells.insert(content, at: section)
        }
        var arriving = moved.map { ($0.to, $0.cell) }
        for case .insertItem(let path) in steps { arriving.append((path, makeCell(path))) }
        for (path, cell) in arriving.sorted(by: { $0.0 < $1.0 }) {
            cells[path.section].insert(cell, at: path.item)
        }
        for (section, content) in cells.enumerated() {
            for (item, cell) in content.enumerated() where reloaded.contains(where: { $0 === cell }) {
                cell.row = dataSource[section].items[item]
            }
        }
    }

    func reloadData() {
        cells = dataSource.map { $0.items.map(Cell.init) }
    }

    func insertSections(_ sections: IndexSet) { steps? += sections.map(Step.insertSection) }
    func deleteSections(_ sections: IndexSet) { steps? += sections.map(Step.deleteSection) }
    func reloadSections(_ sections: IndexSet) {}
    func moveSection(_ section: Int, toSection newSection: Int) {
        steps?.append(.moveSection(section, newSection))
    }
    func insertItems(at indexPaths: [IndexPath]) { steps? += indexPaths.map(Step.insertItem) }
    func deleteItems(at indexPaths: [IndexPath]) { steps? += indexPaths.map(Step.deleteItem) }
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        steps?.append(.moveItem(indexPath, newIndexPath))
    }

    func reloadItems(at indexPaths: [IndexPath]) {
        guard steps == nil else {
            steps? += indexPaths.map(Step.reload)
            return
        }
        for path in indexPaths {
            cells[path.section][path.item].row = dataSource[path.section].items[path.item]
        }
    }
}
