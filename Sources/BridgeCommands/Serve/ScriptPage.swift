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
    private let parts: ScriptViewParts
    private var observer = 0

    /// Returns a page with a view of its own; called in a turn of the script's engine.
    ///
    /// - Throws: ``BridgeError`` if the script has closed the view, or the error of its layout.
    static func make(_ name: String, of program: ScriptViewProgram, in context: JSContext) throws -> Page {
        let owner = try context.collectionView(named: name)
        let view = try owner.makeView(unit: .pixel, frame: Rect(x: 0, y: 0, width: 800, height: 600))
        return Page(view: view, content: ScriptPage(owner, program))
    }

    private init(_ owner: ScriptCollectionView, _ program: ScriptViewProgram) {
        self.owner = owner
        parts = ScriptViewParts(owner: owner, program: program)
        observer = owner.addObserver { [weak self] in self?.changeHandler?() }
    }

    deinit { owner.removeObserver(observer) }

    var title: String { owner.title }
    var status: String { parts.status }
    var charts: [BarChart] { parts.program.charts }
    var hasDetails: Bool { owner.hasDetails }
    var restorableSource: (any RestorableSource)? { try? owner.makeRestorableSource() }

    func details(at indexPath: IndexPath) -> [StyledText] { parts.details(at: indexPath) }

    func copy(at indexPaths: [IndexPath]) -> PageCopy? {
        PageCopy(rows: parts.texts(at: indexPaths).map { $0.map(PageCopy.oneLine) })
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
