internal import BridgeData
public import BridgeValues
public import CollectionViews
public import DataSources
public import Foundation
internal import JavaScriptBridge

/// A collection view that a script has created by `bridge.collectionView(options)`.
///
/// Cells, headers, delegate, actions, and maybe the layout, are the script's. The view belongs to the turns of its bridge
/// (``Bridge/withCollectionView(_:_:)``). An error of the script leaves the view as it was, or is shown in the cell that
/// failed; ``lastError`` has it, and the error goes to the bridge's handler of uncaught errors.
public final class ScriptCollectionView {
    /// The name, by which the program finds the view.
    public let name: String
    /// The title that renderers show.
    public internal(set) var title: String { didSet { setNeedsDisplay() } }
    /// A sentence that renderers show, which the script sets; empty at first.
    public internal(set) var status = "" { didSet { setNeedsDisplay() } }
    /// The unit of the lengths of ``view``.
    public private(set) var unit: ViewUnit
    /// The view of the first renderer, which is also the one that the script reads and scrolls.
    public let view: CollectionView
    /// The error of the script that was recorded last; `nil` if there was none.
    public internal(set) var lastError: BridgeError?

    /// The content of the views behind the rows; `nil` for none.
    var background: CellContent? { didSet { forEachView { view, _ in showBackground(in: view) } } }

    let script: ScriptFunctions
    let rows: ScriptRows
    private let coordinator: ViewCoordinator
    private weak var session: ViewSession?
    private var shown: [Renderer] = []
    // The messages of errors that were reported; each is reported once.
    private var reported: Set<String> = []
    private var hasTitles = SectionTitles()
    private var filterText = ""

    /// The view of a renderer, its unit, and the closure that is called when a primary action in it has a result.
    private struct Renderer {
        weak var view: CollectionView?
        var unit: ViewUnit
        var actionEnded: ((Result<String, BridgeError>) -> Void)?
    }

    private var observers: [(number: Int, tell: () -> Void)] = []
    private var observerCount = 0
    /// The functions that the script has given.
    private let functions: Set<String>

    init(name: String, title: String, script: ScriptFunctions, in session: ViewSession) throws {
        self.name = name
        self.title = title
        self.script = script
        self.session = session
        unit = session.configuration.unit
        functions = Set(try script.ask("functions").arrayValue?.compactMap(\.stringValue) ?? [])
        rows = try ScriptRows(name: name, script: script)
        hasTitles = try SectionTitles(of: script)
        let layout = try ScriptLayouts.make(for: script, unit, session.configuration.size, hasTitles)
        view = CollectionView(
            frame: Rect(origin: .zero, size: session.configuration.size),
            collectionViewLayout: layout
        )
        coordinator = ViewCoordinator()
        coordinator.owner = self
        view.contentInset = try ScriptLayouts.contentInset(of: script, unit, session.configuration.size)
        coordinator.bind(view, to: rows)
        shown = [Renderer(view: view, unit: unit)]
        rows.failed = { [weak self] in self?.report($0) }
        adopt(layout)
        try rows.follow()
        loadCounts()
    }

    /// Makes the view read its counts now.
    ///
    /// A script may change its data and call `performBatchUpdates` before a renderer has requested the first frame. The
    /// batch needs the counts before the change.
    func loadCounts() { _ = view.numberOfSections }

    // MARK: - Renderers

    /// Adapts the view to the unit of its first renderer: the script's layout is made again.
    ///
    /// - Throws: The error of the script's layout. The view then keeps its layout.
    public func setUnit(_ unit: ViewUnit) throws {
        guard unit != self.unit else { return }
        let layout = try makeLayout(unit, view.frame.size)
        let inset = try ScriptLayouts.contentInset(of: script, unit, view.frame.size)
        self.unit = unit
        shown[0].unit = unit
        view.setCollectionViewLayout(layout)
        view.contentInset = inset
        setNeedsDisplay()
    }

    private func makeLayout(_ unit: ViewUnit, _ size: Size) throws -> CollectionLayout {
        let layout = try ScriptLayouts.make(for: script, unit, size, hasTitles)
        adopt(layout)
        return layout
    }

    private func adopt(_ layout: CollectionLayout) {
        (layout as? ScriptLayout)?.failed = { [weak self] in self?.report($0) }
        ((layout as? FlowLayout)?.ownedDelegate as? ScriptFlowFunctions)?.failed = { [weak self] in
            self?.report($0)
        }
    }

    /// Creates a view of the same rows for another renderer, with a layout of its own.
    ///
    /// - Throws: The error of the script's layout.
    public func makeView(unit: ViewUnit, frame: Rect) throws -> CollectionView {
        let layout = try makeLayout(unit, frame.size)
        let inset = try ScriptLayouts.contentInset(of: script, unit, frame.size)
        let other = CollectionView(sharing: view, frame: frame, collectionViewLayout: layout)
        other.contentInset = inset
        for flag in ViewVerbs.flags.values { other[keyPath: flag] = view[keyPath: flag] }
        showBackground(in: other)
        coordinator.attach(other)
        shown.removeAll { $0.view == nil }
        shown.append(Renderer(view: other, unit: unit))
        return other
    }

    /// Adds a closure that is called in a turn when a frame may differ from the last one; returns a number to remove it.
    ///
    /// It is called for what the script and its data change, not for what renderers do.
    public func addObserver(_ tell: @escaping () -> Void) -> Int {
        observerCount += 1
        observers.append((observerCount, tell))
        return observerCount
    }

    /// Removes a closure that was added.
    public func removeObserver(_ number: Int) { observers.removeAll { $0.number == number } }

    /// Requests a frame of all renderers, because something that they show beside the rows has changed.
    public func setNeedsDisplay() {
        script.resumeFrames()
        for observer in observers { observer.tell() }
        session?.configuration.viewChanged?(name)
    }

    /// Ends the view: the program no longer finds it, and it follows no data.
    ///
    /// Renderers that still show it have its last rows.
    func close() {
        rows.end()
        session?.remove(self)
        status = "the script has closed this view"
    }

    /// Does something with the views of all renderers.
    func forEachView(_ body: (CollectionView, ViewUnit) throws -> Void) rethrows {
        for renderer in shown { if let view = renderer.view { try body(view, renderer.unit) } }
    }

    /// Replaces the layouts of all renderers by the script's present one; the completion is that of the first renderer.
    func replaceLayout(animated: Bool = false, completion: ((Bool) -> Void)? = nil) throws {
        // All are made before one is used, because the script may fail.
        var layouts: [(CollectionView, CollectionLayout)] = []
        try forEachView { view, unit in layouts.append((view, try makeLayout(unit, view.frame.size))) }
        for (view, layout) in layouts {
            view.setCollectionViewLayout(
                layout,
                animated: animated,
                completion: view === self.view ? completion : nil
            )
        }
        setNeedsDisplay()
    }

    /// Replaces the insets of all renderers by the script's present ones.
    func replaceContentInset() throws {
        var insets: [(CollectionView, EdgeInsets)] = []
        try forEachView { view, unit in
            insets.append((view, try ScriptLayouts.contentInset(of: script, unit, view.frame.size)))
        }
        for (view, inset) in insets { view.contentInset = inset }
    }

    private func showBackground(in view: CollectionView) {
        view.backgroundView = background.map { content in
            let shown = ReusableView()
            shown.content = content
            return shown
        }
    }

    /// Asks the script again for the headers and footers that are shown.
    func updateSupplementaryViews() { coordinator.updateSupplementaryViews() }

    /// Gives lists headers and footers if the sections have titles now, and removes them otherwise.
    func updateTitles() {
        guard let present = try? SectionTitles(of: script), present != hasTitles else { return }
        hasTitles = present
        do { try replaceLayout() } catch { report(error) }
    }

    // MARK: - The script

    func has(_ function: String) -> Bool { functions.contains(function) }

    /// Records an error of the script in ``lastError``, and reports it to the bridge's handler of uncaught errors, once for
    /// each message.
    ///
    /// Renderers are not notified: a frame that fails would request the next one.
    public func report(_ error: any Error) {
        let wrapped = BridgeError(wrapping: error)
        lastError = wrapped
        if reported.count >= 100 { reported = [] }
        guard reported.insert(wrapped.message).inserted else { return }
        script.report(error)
    }

    /// Returns the answer of the script, or `nil` if it failed, which is recorded.
    func ask(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            report(error)
            return nil
        }
    }

    // MARK: - Contents

    /// A Boolean value that indicates whether the script has lines of its own for ``details(at:)``.
    public var hasDetails: Bool { has("details") }

    /// Creates the source by which the position of a view is saved and restored.
    ///
    /// - Throws: ``BridgeError`` with the code `disconnected` after the bridge was reloaded.
    public func makeRestorableSource() throws -> any RestorableSource { try rows.makeRestorableSource() }

    /// Returns the content of an item's cell, whether it is visible or not; `nil` for a path out of range, or if the
    /// script failed.
    public func content(at indexPath: IndexPath) -> CellContent? { rows.item(at: indexPath) }

    /// A Boolean value that indicates whether the script has a function that is called about selections of the user.
    public var asksAboutSelection: Bool {
        ["shouldSelectItemAt", "shouldDeselectItemAt", "didSelectItemAt", "didDeselectItemAt"].contains {
            has($0)
        }
    }

    // MARK: - Search

    /// A Boolean value that indicates whether the user can search the rows.
    public var canSearch: Bool { has("search") }

    /// A Boolean value that indicates whether the script filters its rows by a text.
    public var canFilter: Bool { has("filter") }

    /// The text by which the script filters its rows, for all renderers; empty for all rows.
    ///
    /// A new value is passed to the script, whose error is recorded. Without such a function it has no effect.
    public var filter: String {
        get { filterText }
        set {
            guard canFilter, newValue != filterText else { return }
            filterText = newValue
            _ = ask { try script.ask("filter", .string(newValue)) }
            setNeedsDisplay()
        }
    }

    // MARK: - Actions

    /// An action of an item's menu.
    public struct Action: Sendable, Hashable {
        /// The number of the menu.
        public let menu: Int
        /// The number of the action in its menu.
        public let number: Int
        /// The title.
        public let title: String
        /// A Boolean value that indicates whether the action destroys something.
        public let isDestructive: Bool
        /// A Boolean value that indicates whether the action cannot be performed now.
        public let isDisabled: Bool
    }

    /// Returns the actions that the script has for an item; an empty array without a `menu`.
    ///
    /// - Throws: The error of the script.
    public func menu(at indexPath: IndexPath) throws -> [Action] {
        guard has("menu") else { return [] }
        let answer = try script.ask("menu", .index(indexPath.section), .index(indexPath.item))
        let menu = answer[0].index ?? 0
        return (answer[1].arrayValue ?? []).enumerated().map { number, action in
            Action(
                menu: menu,
                number: number,
                title: action[0].stringValue ?? "",
                isDestructive: action[1].boolValue ?? false,
                isDisabled: action[2].boolValue ?? false
            )
        }
    }

    /// Performs an action of one of the last menus.
    ///
    /// It is performed on the item for which the menu was made, wherever that is now.
    ///
    /// - Parameters:
    ///   - number: The number of the action.
    ///   - menu: The number of its menu.
    ///   - ended: A closure that is called in a later turn if the action returned a promise: with the message, empty for
    ///     none, or with the error.
    /// - Returns: The script's message; empty for none.
    /// - Throws: The error of the script, also if the item is gone.
    public func performAction(
        _ number: Int,
        ofMenu menu: Int,
        ended: @escaping (Result<String, BridgeError>) -> Void = { _ in }
    ) throws -> String {
        defer { setNeedsDisplay() }
        return try perform("performAction", menu, number, ended).stringValue ?? ""
    }

    /// Sets the closure that is called when a primary action in the view of a renderer has a result: the message of the
    /// script, empty for none, or the error.
    ///
    /// It is called in a turn: during the action, or when the promise settles that the action returned.
    public func setActionHandler(
        of view: CollectionView,
        _ ended: @escaping (Result<String, BridgeError>) -> Void
    ) {
        for index in shown.indices where shown[index].view === view { shown[index].actionEnded = ended }
    }

    /// Performs the primary action of an item in the view of a renderer, which gets the message.
    func performPrimaryAction(at indexPath: IndexPath, in view: CollectionView) throws {
        _ = try perform("primaryAction", indexPath.section, indexPath.item) { [weak self, weak view] result in
            self?.shown.first { $0.view === view }?.actionEnded?(result)
        }
    }

    /// Calls a function of the script that performs an action.
    private func perform(
        _ function: String,
        _ first: Int,
        _ second: Int,
        _ ended: @escaping (Result<String, BridgeError>) -> Void
    ) throws -> Value {
        let script = try script.value
        let context = script.context
        let end = context.makeHostFunction { [weak self] call in
            let message = call.string(at: 0) ?? ""
            let isFailure = try call.value(at: 1) == true
            ended(isFailure ? .failure(BridgeError(.handlerFailed, message)) : .success(message))
            self?.setNeedsDisplay()
            return .undefined
        }
        return try context.withTurn {
            let numbers = try [first, second].map { try JSValue(.index($0), in: context) }
            return try script.invokeMethod(function, withArguments: numbers + [end]).toValue()
        }
    }

    /// Returns the lines that show an item completely: those of the script's `details`, or else the content of its
    /// cell.
    ///
    /// - Throws: The error of the script.
    public func details(at indexPath: IndexPath) throws -> [StyledText] {
        guard hasDetails else {
            guard let content = content(at: indexPath) else { return [] }
            return [content.text, content.secondaryText].filter { !$0.spans.isEmpty }
        }
        let answer = try script.ask("details", .index(indexPath.section), .index(indexPath.item))
        return (answer.arrayValue ?? []).map { StyledText($0) }
    }
}

@available(*, unavailable)
extension ScriptCollectionView: Sendable {}
