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
    public internal(set) var title: String { didSet { noteChange() } }
    /// A sentence that renderers show, which the script sets; empty at first.
    public internal(set) var status = "" { didSet { noteChange() } }
    /// The unit of the lengths of ``view``.
    public private(set) var unit: ViewUnit
    /// The view of the first renderer, which is also the one that the script reads and scrolls.
    public let view: CollectionView
    /// The error of the script that was recorded last; `nil` if there was none.
    public internal(set) var lastError: BridgeError?

    let script: ScriptFunctions
    let rows: ScriptRows
    private let coordinator: ViewCoordinator
    private unowned let session: ViewSession
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
        let layout = try ScriptLayouts.make(for: script, unit, session.configuration.size)
        view = CollectionView(
            frame: Rect(origin: .zero, size: session.configuration.size),
            collectionViewLayout: layout
        )
        coordinator = ViewCoordinator()
        coordinator.owner = self
        coordinator.bind(view, to: rows)
        rows.failed = { [weak self] in self?.note($0) }
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
        let layout = try ScriptLayouts.make(for: script, unit, view.frame.size)
        self.unit = unit
        view.setCollectionViewLayout(layout)
        noteChange()
    }

    /// Creates a view of the same rows for another renderer, with a layout of its own.
    ///
    /// - Throws: The error of the script's layout.
    public func makeView(unit: ViewUnit, frame: Rect) throws -> CollectionView {
        let layout = try ScriptLayouts.make(for: script, unit, frame.size)
        let other = CollectionView(sharing: view, frame: frame, collectionViewLayout: layout)
        coordinator.attach(other)
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

    func noteChange() {
        for observer in observers { observer.tell() }
        session.configuration.viewChanged?(name)
    }

    /// Ends the view: the program no longer finds it, and it follows no data.
    func close() {
        session.remove(self)
        noteChange()
    }

    /// Replaces the layout by the script's present one.
    func replaceLayout() throws {
        view.setCollectionViewLayout(try ScriptLayouts.make(for: script, unit, view.frame.size))
        noteChange()
    }

    // MARK: - The script

    func has(_ function: String) -> Bool { functions.contains(function) }

    /// Records an error of the script in ``lastError``, and reports it to the bridge's handler of uncaught errors.
    public func report(_ error: any Error) { note(error) }

    func note(_ error: any Error) {
        lastError = BridgeError(wrapping: error)
        if let exception = error as? JSException, !exception.isTermination {
            script.value.context.reportUncaught(exception)
        }
        noteChange()
    }

    /// Returns the answer of the script, or `nil` if it failed, which is recorded.
    func ask(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            note(error)
            return nil
        }
    }

    // MARK: - Contents

    /// A Boolean value that indicates whether the script has ``details(at:)``.
    public var hasDetails: Bool { has("details") }

    /// Creates the source by which the position of a view is saved and restored.
    public func makeRestorableSource() -> any RestorableSource { rows.makeRestorableSource() }

    /// Returns the content of an item's cell, whether it is visible or not; `nil` for a path out of range, or if the
    /// script failed.
    public func content(at indexPath: IndexPath) -> CellContent? { rows.item(at: indexPath) }

    // MARK: - Actions

    /// An action of an item's menu.
    public struct Action: Sendable, Hashable {
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
        return (answer.arrayValue ?? []).enumerated().map { number, action in
            Action(
                number: number,
                title: action[0].stringValue ?? "",
                isDestructive: action[1].boolValue ?? false,
                isDisabled: action[2].boolValue ?? false
            )
        }
    }

    /// Performs an action of the menu that was returned last, and returns the script's message; empty for none.
    ///
    /// - Throws: The error of the script.
    public func perform(_ action: Action) throws -> String {
        defer { noteChange() }
        return try script.ask("performAction", .index(action.number)).stringValue ?? ""
    }

    /// Returns the lines that show an item completely; an empty array without `details`.
    ///
    /// - Throws: The error of the script.
    public func details(at indexPath: IndexPath) throws -> [StyledText] {
        guard has("details") else { return [] }
        let answer = try script.ask("details", .index(indexPath.section), .index(indexPath.item))
        return (answer.arrayValue ?? []).map { StyledText($0) }
    }
}

@available(*, unavailable)
extension ScriptCollectionView: Sendable {}
