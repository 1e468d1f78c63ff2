public import CollectionViews
internal import Foundation

/// The saved position, marks and order of a browser.
extension TerminalBrowser: ViewStateRestoring {
    /// The maximum number of bytes of a state.
    static let maximumState = 1 << 20

    /// Returns the state: the first visible row by its identity, marks, focus, order, filter and search.
    ///
    /// A page of a browser can restore it too.
    ///
    /// - Returns: The state; `nil` if it is longer than 1 MiB even without marks, while an earlier state waits for its
    ///   rows, because the present position is not that of the user then, and after a state was refused, because it must
    ///   be kept.
    /// - Throws: The error of encoding it.
    public func savedState() throws -> ViewState? {
        guard pendingState == nil, !hasRefusedState else { return nil }
        return try ViewState(of: view, content, maximumByteCount: Self.maximumState)
    }

    /// Adopts a saved state: filter and order now, position and marks when their rows are there.
    ///
    /// A key of the user that comes before them ends the wait. The next update restores the position, in the size of the
    /// terminal.
    ///
    /// - Returns: `false` for a state of other rows, which leaves a message.
    public func restore(_ state: ViewState) -> Bool { adopt(state) }

    package var viewContent: any ViewContent { content }

    package func show(_ message: String) { self.message = message }

    package func stateWasRestored() {
        // A page may have saved no focus, and the first row is not where the view is.
        if focusedPath == nil, let first = view.visibleIndexPaths.first { try? view.focusItem(at: first) }
    }
}
