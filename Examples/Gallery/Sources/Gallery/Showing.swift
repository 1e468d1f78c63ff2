import CollectionViews
import DataSources
import Foundation

// The work of a renderer: it draws the elements of a frame, here as lines of text.

/// Prints what a view shows.
func show(_ title: String, _ view: CollectionView) throws { show(title, try view.makeFrame()) }

/// Prints the elements of a frame, those at the same height in one line.
func show(_ title: String, _ frame: ViewFrame) {
    print(title)
    let lines = Dictionary(grouping: frame.elements) { $0.attributes.frame.minY }
    for (_, elements) in lines.sorted(by: { $0.key < $1.key }) {
        let texts = elements.sorted { $0.attributes.frame.minX < $1.attributes.frame.minX }.map(text)
        print("  " + texts.filter { !$0.isEmpty }.joined(separator: "  "))
    }
}

private func text(_ element: ViewFrame.Element) -> String {
    let content = element.content
    switch element.attributes.representedElementCategory {
    case .supplementaryView: return "-- \(content.text.string) --"
    case .decorationView: return "[\(element.attributes.representedElementKind ?? "")]"
    case .cell:
        let mark = element.isSelected ? "* " : ""
        return mark
            + [content.text, content.secondaryText].map(\.string).filter { !$0.isEmpty }.joined(
                separator: ", "
            )
    }
}

/// Returns a list with room for a number of lines, whose sections have headers of one line or none.
func makeList(lines: Double, hasHeaders: Bool = false) -> CollectionView {
    var configuration = ListConfiguration()
    configuration.headerLength = hasHeaders ? 1 : 0
    let view = CollectionView(
        frame: Rect(x: 0, y: 0, width: 40, height: lines),
        collectionViewLayout: ListLayout(configuration)
    )
    view.register(Cell.self, forCellWithReuseIdentifier: "cell")
    view.register(
        ReusableView.self,
        forSupplementaryViewOfKind: CollectionView.elementKindSectionHeader,
        withReuseIdentifier: "header"
    )
    return view
}
