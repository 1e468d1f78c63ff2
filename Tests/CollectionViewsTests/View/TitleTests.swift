import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Index titles and typed letters")
struct TitleTests {
    final class Words: CollectionViewDataSource {
        var sections = [
            ("Apples", ["Boskoop", "Braeburn", "Cox"]), ("beans", []),
            ("Nuts", ["almond", "brazil", "cashew"]),
            ("Tea", ["Assam"]),
        ]
        var titles: [String]?
        var paths: [String: IndexPath] = [:]
        func numberOfSections(in view: CollectionView) -> Int { sections.count }
        func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
            sections[section].1.count
        }
        func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) throws -> Cell {
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText(sections[path.section].1[path.item])
            return cell
        }
        func indexTitles(for view: CollectionView) -> [String]? { titles }
        func collectionView(_ view: CollectionView, indexPathForIndexTitle title: String, at index: Int)
            -> IndexPath?
        {
            paths[title]
        }
        func collectionView(_ view: CollectionView, titleForSection section: Int) -> String? {
            sections[section].0.isEmpty ? nil : sections[section].0
        }
        func collectionView(_ view: CollectionView, titleForItemAt path: IndexPath) -> String? {
            sections[path.section].1[path.item]
        }
    }

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    private func make() throws -> (Words, CollectionView) {
        let words = Words()
        let view = CollectionView.list(TestSource(count: 0), height: 40)
        view.dataSource = words
        try view.layoutIfNeeded()
        return (words, view)
    }

    @Test("V15 an index title leads where the data source says, or to the first section not before it")
    func indexTitles() throws {
        let (words, view) = try make()
        #expect(view.indexTitles == ["A", "B", "N", "T"])
        #expect(view.indexPath(forIndexTitle: "A", at: 0) == path(0, 0))
        // A section without items leads to the next item, and a title after all sections to the last one.
        #expect(view.indexPath(forIndexTitle: "B", at: 1) == path(2, 0))
        #expect(view.indexPath(forIndexTitle: "F", at: 1) == path(2, 0))
        #expect(view.indexPath(forIndexTitle: "z", at: 1) == path(3, 0))
        #expect(try view.scrollToIndexTitle("N", at: 2) == path(2, 0))
        #expect(try view.makeFrame().lines == ["almond at 0.0", "brazil at 20.0"])
        // A section without a title has no index title, and the others keep theirs.
        words.sections[0].0 = ""
        #expect(view.indexTitles == ["B", "N", "T"])
        #expect(view.indexPath(forIndexTitle: "N", at: 1) == path(2, 0))
        #expect(view.indexPath(forIndexTitle: "z", at: 1) == path(3, 0))
        words.titles = ["#", "Z"]
        words.paths["#"] = path(0, 2)
        #expect(view.indexTitles == ["#", "Z"] && view.indexPath(forIndexTitle: "#", at: 0) == path(0, 2))
        words.paths["#"] = path(9, 9)
        #expect(throws: CollectionViewError.self) { try view.scrollToIndexTitle("#", at: 0) }
        words.sections = []
        view.reloadData()
        #expect(view.indexTitles == ["#", "Z"] && view.indexPath(forIndexTitle: "A", at: 0) == nil)
    }

    @Test("V16 V10 the view scrolls to the item that gets the focus, also if the delegate changes the rows")
    func typingWithChanges() throws {
        final class Focus: CollectionViewDelegate {
            var change: () -> Void = {}
            func collectionView(_ view: CollectionView, canFocusItemAt path: IndexPath) -> Bool {
                change()
                return true
            }
        }
        let (words, view) = try make()
        let delegate = Focus()
        view.delegate = delegate
        delegate.change = {
            words.sections[2].1.removeFirst()
            view.deleteItems(at: [path(2, 0)])
        }
        #expect(try view.focusItem(typing: "ca", at: 0) == path(2, 1))
        #expect(view.focusedIndexPath == path(2, 1))
        #expect(try view.makeFrame().lines.contains { $0.hasPrefix("cashew") })
    }

    @Test("V16 typed letters lead to the next item that begins with them, and the view scrolls to it")
    func typing() throws {
        let (words, view) = try make()
        defer { withExtendedLifetime(words) {} }
        #expect(try view.focusItem(typing: "b", at: 0) == path(0, 0))
        // The same letter again leads to the next one, and round to the first.
        #expect(try view.focusItem(typing: "b", at: 0.5) == path(0, 1))
        #expect(try view.focusItem(typing: "B", at: 5) == path(2, 1))
        #expect(try view.makeFrame().lines.contains("brazil at 20.0"))
        #expect(try view.focusItem(typing: "b", at: 10) == path(0, 0))
        // More letters: the present item may still begin with them.
        #expect(try view.focusItem(typing: "r", at: 10.9) == path(0, 1))
        #expect(try view.focusItem(typing: "a", at: 11.8) == path(0, 1))
        #expect(try view.focusItem(typing: "z", at: 12) == path(2, 1))
        #expect(try view.focusItem(typing: "q", at: 20) == nil && view.focusedIndexPath == path(2, 1))
        #expect(try view.focusItem(typing: "", at: 21) == nil)
    }
}
