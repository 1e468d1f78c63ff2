import CollectionViews
import DataSources
import Foundation

// Data sources of EZDataSource in a view: a list and a sectioned one, whose reload blocks the view follows.

private final class Groceries: ListDataSource {
    private(set) var items: [String]
    var reloadBlock: ReloadBlock?

    init(_ items: [String]) { self.items = items }

    func append(_ item: String) {
        items.append(item)
        reloadBlock?(.some([.item(type: .insert(IndexPath(item: items.count - 1, section: 0)))]))
    }

    func moveToTop(_ index: Int) {
        items.insert(items.remove(at: index), at: 0)
        let top = IndexPath(item: 0, section: 0)
        reloadBlock?(.some([.item(type: .move(IndexPath(item: index, section: 0), top))]))
    }
}

private final class Menu: SectionedDataSource {
    typealias ItemType = String

    private(set) var sections: [Section<String>]
    var reloadBlock: ReloadBlock?

    init(_ sections: [Section<String>]) { self.sections = sections }

    func replaceFirstSection(by section: Section<String>) {
        sections[0] = section
        let first = IndexPath(item: 0, section: 0)
        let arriving = section.items.indices.map { IndexPath(item: $0, section: 0) }
        reloadBlock?(
            .some(
                [.section(type: .delete(first)), .section(type: .insert(first))]
                    + arriving.map { .item(type: .insert($0)) }
            )
        )
    }
}

func showLists() throws {
    let groceries = Groceries(["tea", "bread", "apples"])
    let list = makeList(lines: 6)
    // The binding has the place of the data source of a UICollectionView, and applies what the reload block gets.
    let binding = SourceBinding(list, to: groceries) { view, path, item in
        let cell = try view.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        cell.content.text = StyledText(item)
        return cell
    }
    try show("a list", list)
    binding.source.append("soap")
    binding.source.moveToTop(2)
    try show("soap is new, apples are at the top", list)

    let menu = Menu([
        Section(items: ["soup", "salad"], headerTitle: "Starters"),
        Section(items: ["pie", "fish"], headerTitle: "Main"),
    ])
    let view = makeList(lines: 8, hasHeaders: true)
    let sections = SourceBinding(view, to: menu) { view, path, item in
        let cell = try view.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        cell.content.text = StyledText(item)
        return cell
    }
    sections.supplementaryViewProvider = { view, kind, path in
        let header = try view.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: path
        )
        header.content.text = StyledText(menu.headerTitle(for: path.section) ?? "")
        return header
    }
    try show("sections", view)
    menu.replaceFirstSection(by: Section(items: ["cake", "ice", "plums"], headerTitle: "Sweet"))
    try show("another first section", view)
}
