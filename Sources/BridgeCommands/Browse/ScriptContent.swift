internal import BridgeViews
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import TerminalViews

/// The content of a browser that shows a view of a script.
final class ScriptContent: BrowserContent {
    private let owner: ScriptCollectionView
    private let program: ScriptViewProgram
    private var actions: [ScriptCollectionView.Action] = []
    // The titles of one version of the view.
    private var titles: (version: Int, titles: [BrowserIndexTitle])?
    var changeHandler: (() -> Void)?

    init(_ owner: ScriptCollectionView, of program: ScriptViewProgram) {
        self.owner = owner
        self.program = program
    }

    var title: String { owner.title }

    /// The status of the script's view, else the line that the script has printed last.
    var status: String { owner.status.isEmpty ? program.lastLine : owner.status }

    var hasPrimaryAction: Bool { true }

    var indexTitles: [BrowserIndexTitle] {
        let view = owner.view
        if let titles, titles.version == view.version { return titles.titles }
        guard view.numberOfSections > 1 else { return [] }
        let found = view.indexTitles.enumerated().compactMap { index, title in
            view.indexPath(forIndexTitle: title, at: index).map {
                BrowserIndexTitle(title, section: $0.section)
            }
        }
        titles = (view.version, found)
        return found
    }

    func details(at indexPath: IndexPath) -> [StyledText] {
        do {
            return try owner.detailLines(at: indexPath)
        } catch {
            return [StyledText("details failed: \(ErrorText.plain(error))", style: .failure)]
        }
    }

    func menu(at indexPath: IndexPath) throws -> [BrowserMenuItem] {
        actions = try owner.menu(at: indexPath)
        return actions.map { BrowserMenuItem($0.title, isDisabled: $0.isDisabled) }
    }

    func performMenuItem(_ number: Int) throws -> String {
        guard actions.indices.contains(number) else { return "" }
        return try owner.performAction(number, ofMenu: actions[number].menu)
    }

    func copyText(at indexPaths: [IndexPath]) -> String {
        let lines = indexPaths.compactMap { path -> String? in
            guard let content = owner.content(at: path) else { return nil }
            let parts = [content.text.string, content.secondaryText.string].filter { !$0.isEmpty }
            return parts.joined(separator: "\t")
        }
        return lines.joined(separator: "\n")
    }
}
