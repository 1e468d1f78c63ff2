import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Registrations")
struct RegistrationTests {
    final class Source: CollectionViewDataSource {
        let cells = CellRegistration<NumberCell, Int> { cell, path, number in
            cell.number = number
            cell.content.text = StyledText("\(number) at \(path.item)")
        }
        let headers = SupplementaryRegistration<ReusableView>(
            elementKind: CollectionView.elementKindSectionHeader
        ) { view, kind, path in view.content.text = StyledText("header \(path.section)") }
        var isWrong = false

        func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 1_000 }
        func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) throws -> Cell {
            if isWrong {
                let registration = CellRegistration<Cell, Int> { _, _, _ in }
                return try view.dequeueConfiguredReusableCell(using: registration, for: path, item: 1)
            }
            return try view.dequeueConfiguredReusableCell(using: cells, for: path, item: path.item * 2)
        }
        func collectionView(
            _ view: CollectionView,
            viewForSupplementaryElementOfKind kind: String,
            at path: IndexPath
        ) throws -> ReusableView? {
            try view.dequeueConfiguredReusableSupplementary(using: headers, for: path)
        }
    }

    @Test("C6 a registration configures cells of its class and headers, and reuses them")
    func registration() throws {
        let source = Source()
        let view = CollectionView.list(TestSource(count: 0)) { $0.headerLength = 20 }
        view.dataSource = source
        #expect(try view.makeFrame().elements.map(\.content.text.string).contains("header 0"))
        for offset in stride(from: 100.0, to: 10_000, by: 100) {
            view.contentOffset = offset
            try view.layoutIfNeeded()
        }
        #expect(view.counters.created <= 8)
        #expect(
            (view.visibleCells.first as? NumberCell)?.number == view.indexPathsForVisibleItems[0].item * 2
        )
    }

    @Test("C6 a registration that is created for each cell is an error")
    func inProvider() throws {
        let source = Source()
        source.isWrong = true
        let view = CollectionView.list(TestSource(count: 0))
        view.dataSource = source
        let error = #expect(throws: CollectionViewError.self) { try view.makeFrame() }
        #expect(error?.code == .registrationInProvider)
        source.isWrong = false
        #expect(try view.makeFrame().elements.count == 5)
    }
}
