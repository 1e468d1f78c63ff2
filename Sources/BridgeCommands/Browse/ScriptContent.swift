internal import BridgeViews
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import TerminalViews

/// The content of a browser that shows a view of a script.
final class ScriptContent: BrowserContent {
    private let owner: ScriptCollectionView
    private let parts: ScriptViewParts
    private var actions: [ScriptCollectionView.Action] = []
    private var titles = SectionTitleCache()
    var changeHandler: (() -> Void)?

    init(_ owner: ScriptCollectionView, of program: ScriptViewProgram) {
        self.owner = owner
        parts = ScriptViewParts(owner: owner, program: program)
    }

    var title: String { owner.title }

    var status: String {
        [parts.status, charts.isEmpty ? "" : "c charts"].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    var charts: [BarChart] { parts.program.charts }

    var hasPrimaryAction: Bool { true }

    var indexTitles: [BrowserIndexTitle] {
        titles.titles(of: owner.view).map { BrowserIndexTitle($0.title, section: $0.section) }
    }

    func details(at indexPath: IndexPath) -> [StyledText] { parts.details(at: indexPath) }

    func menu(at indexPath: IndexPath) throws -> [BrowserMenuItem] {
        actions = try owner.menu(at: indexPath)
        return actions.map { BrowserMenuItem($0.title, isDisabled: $0.isDisabled) }
    }

    func performMenuItem(_ number: Int) throws -> String {
        guard actions.indices.contains(number) else { return "" }
        return try owner.performAction(number, ofMenu: actions[number].menu)
    }

    func copyText(at indexPaths: [IndexPath]) -> String {
        parts.texts(at: indexPaths).map { $0.joined(separator: "\t") }.joined(separator: "\n")
    }
}
