import CollectionViews
import DataSources
import Foundation

/// Rows of a page in three columns, as a view has them, and the changes of a program.
final class PageRows: CollectionViewDataSource, DataSourceModelAssociation {
    private let numbers: [Int]
    private var revisions: [Int: Int] = [:]
    let view: CollectionView

    init(count: Int) {
        numbers = Array(0..<count)
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 32
        let frame = Rect(x: 0, y: 0, width: 1_000, height: 700)
        view = CollectionView(frame: frame, collectionViewLayout: ListLayout(configuration))
        view.register(Cell.self, forCellWithReuseIdentifier: "row")
        view.dataSource = self
    }

    /// Changes the text of one visible row.
    func change(_ item: Int) throws {
        revisions[numbers[item], default: 0] += 1
        try view.performBatchUpdates { view.reloadItems(at: [IndexPath(item: item, section: 0)]) }
    }

    func numberOfSections(in collectionView: CollectionView) -> Int { 1 }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        numbers.count
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
        let number = numbers[indexPath.item]
        cell.content.text = StyledText("row \(number)")
        cell.content.columns = [
            StyledText("row \(number)"), StyledText("revision \(revisions[number] ?? 0)"),
            StyledText("\(number * 7_919 % 1_000_003)"),
        ]
        return cell
    }

    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        "\(numbers[indexPath.item])"
    }

    func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
        -> IndexPath?
    {
        Int(identifier).flatMap { numbers.firstIndex(of: $0) }.map { IndexPath(item: $0, section: 0) }
    }
}
