internal import BridgeValues
internal import BridgeViews
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import PageViews
internal import TerminalViews

/// The parts beside the rows of a script's view, in a terminal and in pages.
final class ScriptContent: BrowserContent, PageContent {
    var changeHandler: (() -> Void)?
    private let owner: ScriptCollectionView
    private let program: ScriptViewProgram
    private var titles = SectionTitleCache()
    private var observer = 0
    private var activeSearch = ScriptSearch()
    /// The message of the last action that has ended, until a renderer takes it.
    private var message: String?

    /// Creates the parts beside the rows for a renderer, whose view is that of the script by default.
    init(_ owner: ScriptCollectionView, of program: ScriptViewProgram, in view: CollectionView? = nil) {
        self.owner = owner
        self.program = program
        owner.setActionHandler(of: view ?? owner.view) { [weak self] in self?.actionEnded($0) }
        observer = owner.addObserver { [weak self] in
            self?.activeSearch.forget()
            self?.changeHandler?()
        }
    }

    deinit { owner.removeObserver(observer) }

    // MARK: - Texts

    var title: String { owner.title }

    /// The status of the script's view, else the line that the script has printed last.
    var status: String { owner.status.isEmpty ? program.lastLine : owner.status }

    var charts: [BarChart] { program.charts }

    var indexTitles: [ViewIndexTitle] {
        titles.titles(of: owner.view).map { ViewIndexTitle($0.title, section: $0.section) }
    }

    var hasDetails: Bool { owner.hasDetails }

    func details(at indexPath: IndexPath) -> [StyledText] {
        do {
            return try owner.details(at: indexPath)
        } catch {
            return [StyledText("details failed: \(ErrorText.plain(error))", style: .failure)]
        }
    }

    /// Returns the texts of items, without those that the script could not give.
    func copiedRows(at indexPaths: [IndexPath], maximumByteCount: Int) -> CopiedRows? {
        CopiedRows(
            indexPaths.lazy.compactMap { [owner] in owner.content(at: $0)?.texts },
            maximumByteCount: maximumByteCount
        )
    }

    // MARK: - Search

    var canSearch: Bool { owner.canSearch }
    var canFilter: Bool { owner.canFilter }

    var filter: String {
        get { owner.filter }
        set { owner.filter = newValue }
    }

    var search: String {
        get { activeSearch.text }
        set {
            guard canSearch, newValue != activeSearch.text else { return }
            activeSearch = ScriptSearch(newValue)
            changeHandler?()
        }
    }

    var matches: ViewMatches? {
        guard !activeSearch.text.isEmpty else { return nil }
        let found = activeSearch.find(in: owner)
        return ViewMatches(count: found.paths.count, isComplete: found.isComplete)
    }

    func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath? {
        guard !activeSearch.text.isEmpty else { return nil }
        return activeSearch.match(
            in: owner,
            from: indexPath,
            forward: forward,
            includingStart: includingStart
        )
    }

    // MARK: - Actions

    var hasPrimaryAction: Bool { true }

    func menu(at indexPath: IndexPath) throws -> [ViewMenuItem] {
        try owner.menu(at: indexPath).map { action in
            ViewMenuItem(
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
        let message = try owner.performAction(numbers[1], ofMenu: numbers[0]) { [weak self] in
            self?.actionEnded($0)
        }
        return message.isEmpty ? nil : message
    }

    func takeMessage() -> String? {
        defer { message = nil }
        return message
    }

    private func actionEnded(_ result: Result<String, BridgeError>) {
        switch result {
        case .success(let text): if !text.isEmpty { message = text }
        case .failure(let error): message = "the action failed: \(error.message)"
        }
    }

    var asksAboutSelection: Bool { owner.asksAboutSelection }

    // MARK: - State

    var restorableSource: (any RestorableSource)? { try? owner.makeRestorableSource() }
}

extension CellContent {
    /// The text and the secondary text, without empty ones.
    var texts: [String] { [text.string, secondaryText.string].filter { !$0.isEmpty } }
}
