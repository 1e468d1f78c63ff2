import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("The program of the module's page")
struct LandingPageTests {
    final class Numbers: CollectionViewDataSource {
        func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
            1_000_000
        }

        func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws
            -> Cell
        {
            let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "number", for: indexPath)
            cell.content.text = StyledText("row \(indexPath.item)")
            return cell
        }
    }

    @Test("V6 the program prints what the page says")
    func program() throws {
        let numbers = Numbers()
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 3),
            collectionViewLayout: ListLayout()
        )
        view.register(Cell.self, forCellWithReuseIdentifier: "number")
        view.dataSource = numbers
        try view.scrollToItem(at: IndexPath(item: 500_000, section: 0), at: .start)
        let rows = try view.makeFrame().elements.map(\.content.text.string)
        #expect(rows == ["row 500000", "row 500001", "row 500002"])
    }
}
