import CollectionViews
import DataSources
import Foundation

// State restoration by UIDataSourceModelAssociation: the data source names its rows, and finds them by name.

private struct Word: Identifiable {
    let id: String
    var length: Int { id.count }
}

private final class Words: ListDataSource, RestorableSource {
    let items: [Word]
    var reloadBlock: ReloadBlock?

    init(_ items: [Word]) { self.items = items }

    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        item(at: indexPath)?.id
    }

    func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
        -> IndexPath?
    {
        items.firstIndex { $0.id == identifier }.map { IndexPath(item: $0, section: 0) }
    }
}

/// The view of one run of a program, with three lines.
private final class Screen {
    let view = makeList(lines: 3)
    let binding: SourceBinding<Words>

    init(_ items: [Word]) {
        binding = SourceBinding(view, to: Words(items)) { view, path, word in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
            cell.content.text = StyledText("\(path.item): \(word.id)")
            return cell
        }
    }

    func save() throws -> Data {
        try binding.source.savedState(of: view, marks: view.restorableMarks).json()
    }

    /// Restores the state, and returns the rule by which the position was found.
    func restore(_ archive: Data) throws -> String {
        guard let state = try binding.source.restoredState(from: StateArchive(json: archive), in: view) else {
            return "no rule"
        }
        view.restore(state)
        return state.rule.rawValue + (state.isClamped ? ", as far as the content reaches" : "")
    }
}

func showRestoration() throws {
    let words = ["ash", "birch", "cedar", "elm", "hornbeam", "larch", "maple", "oak", "pine", "yew"].map(
        Word.init
    )
    let before = Screen(words)
    try before.view.scrollToItem(at: IndexPath(item: 4, section: 0), at: .start)
    try before.view.selectItem(at: IndexPath(item: 5, section: 0))
    try show("left like this", before.view)
    let archive = try before.save()

    func comeBack(_ title: String, _ words: [Word]) throws {
        let after = Screen(words)
        let rule = try after.restore(archive)
        try show("\(title): by \(rule)", after.view)
    }
    try comeBack("after a restart", words)
    try comeBack("by length", words.sorted { ($0.length, $0.id) < ($1.length, $1.id) })
    try comeBack("without hornbeam", words.filter { $0.id != "hornbeam" })
    try comeBack("other words", ["beech", "fir", "lime", "plum", "spruce"].map(Word.init))
}
