import CollectionViews
import DataSources
import Foundation

// A UICollectionView with a flow layout: cells that are reused, headers, and a shelf behind the items of each section.

private final class Letters: CollectionViewDataSource {
    let alphabets: [(name: String, first: UInt32, count: Int)] = [
        ("Greek", 0x3B1, 25), ("Cyrillic", 0x430, 32), ("Armenian", 0x561, 38), ("Georgian", 0x10D0, 33),
    ]

    func numberOfSections(in collectionView: CollectionView) -> Int { alphabets.count }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        alphabets[section].count
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "letter", for: indexPath)
        let scalar = Unicode.Scalar(alphabets[indexPath.section].first + UInt32(indexPath.item))
        cell.content.text = StyledText(scalar.map { String(Character($0)) } ?? "?")
        return cell
    }

    func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        let header = try collectionView.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: indexPath
        )
        let alphabet = alphabets[indexPath.section]
        header.content.text = StyledText("\(alphabet.name), \(alphabet.count) letters", style: .strong)
        return header
    }
}

private final class LetterCell: Cell {
    private(set) var uses = 1

    override func prepareForReuse() {
        super.prepareForReuse()
        uses += 1
    }
}

private final class Shelf: ReusableView {}

func showFlow() throws {
    let layout = FlowLayout()
    layout.itemSize = Size(width: 3, height: 1)
    layout.minimumLineSpacing = 0
    layout.minimumInteritemSpacing = 1
    layout.sectionInset = EdgeInsets(top: 1, left: 2, bottom: 1, right: 2)
    layout.headerReferenceSize = Size(width: 0, height: 1)
    layout.sectionHeadersPinToVisibleBounds = true
    layout.backgroundKind = "shelf"
    layout.register(Shelf.self, forDecorationViewOfKind: "shelf")

    let letters = Letters()
    let view = CollectionView(frame: Rect(x: 0, y: 0, width: 40, height: 8), collectionViewLayout: layout)
    view.register(LetterCell.self, forCellWithReuseIdentifier: "letter")
    view.register(
        ReusableView.self,
        forSupplementaryViewOfKind: CollectionView.elementKindSectionHeader,
        withReuseIdentifier: "header"
    )
    view.dataSource = letters
    try show("at the top", view)
    for section in 0..<letters.alphabets.count {
        try view.scrollToItem(at: IndexPath(item: 0, section: section), at: .start)
        _ = try view.makeFrame()
    }
    try show("at the last section", view)
    let reused = view.visibleCells.compactMap { $0 as? LetterCell }.filter { $0.uses > 1 }
    let counters = view.counters
    print("views that were created: \(counters.created), elements that were shown: \(counters.displayed)")
    print("all visible cells were others before: \(reused.count == view.visibleCells.count)")
}
