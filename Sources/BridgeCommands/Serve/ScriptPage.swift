internal import BridgeValues
internal import BridgeViews
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import PageViews

/// The parts beside the rows of a script's view for one page.
final class ScriptPage: PageContent {
    var changeHandler: (() -> Void)?
    private let owner: ScriptCollectionView
    private let view: CollectionView
    private let program: ScriptViewProgram
    private var observer = 0
    // The titles of one version of the view.
    private var titles: (version: Int, titles: [PageIndexTitle])?

    /// Returns a page with a view of its own; called in a turn of the script's engine.
    ///
    /// - Throws: ``BridgeError`` if the script has closed the view, or the error of its layout.
    static func make(_ name: String, of program: ScriptViewProgram, in context: JSContext) throws -> Page {
        let owner = try context.collectionView(named: name)
        let view = try owner.makeView(unit: .pixel, frame: Rect(x: 0, y: 0, width: 800, height: 600))
        return Page(view: view, content: ScriptPage(owner, view, program))
    }

    private init(_ owner: ScriptCollectionView, _ view: CollectionView, _ program: ScriptViewProgram) {
        self.owner = owner
        self.view = view
        self.program = program
        observer = owner.addObserver { [weak self] in self?.changeHandler?() }
    }

    deinit { owner.removeObserver(observer) }

    var title: String { owner.title }
    var status: String { owner.status.isEmpty ? program.lastLine : owner.status }
    var hasDetails: Bool { owner.hasDetails }
    var restorableSource: (any RestorableSource)? { try? owner.makeRestorableSource() }

    var indexTitles: [PageIndexTitle] {
        if let titles, titles.version == view.version { return titles.titles }
        guard view.numberOfSections > 1 else { return [] }
        let found = view.indexTitles.enumerated().compactMap { index, title in
            view.indexPath(forIndexTitle: title, at: index).map { PageIndexTitle(title, section: $0.section) }
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

    func copy(at indexPaths: [IndexPath]) -> PageCopy? {
        let rows = indexPaths.compactMap { owner.content(at: $0) }.map { content in
            [content.text.string, content.secondaryText.string].filter { !$0.isEmpty }
                .map { field in String(field.map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
        }
        return PageCopy(
            text: rows.map { $0.joined(separator: "  ") }.joined(separator: "\n"),
            tabSeparatedValues: rows.map { $0.joined(separator: "\t") }.joined(separator: "\n")
        )
    }

    func menu(at indexPath: IndexPath) -> [PageMenuItem] {
        let actions: [ScriptCollectionView.Action]
        do {
            actions = try owner.menu(at: indexPath)
        } catch {
            owner.report(error)
            return []
        }
        return actions.map { action in
            PageMenuItem(
                id: "\(action.menu):\(action.number)",
                title: action.title,
                isDestructive: action.isDestructive,
                isDisabled: action.isDisabled
            )
        }
    }

    func perform(_ id: String, at indexPath: IndexPath) throws -> String? {
        let numbers = id.split(separator: ":").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        let message = try owner.performAction(numbers[1], ofMenu: numbers[0])
        return message.isEmpty ? nil : message
    }
}
