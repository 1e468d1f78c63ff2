public import CollectionViews
public import Foundation

/// The saved position, marks and order of a browser.
extension TerminalBrowser {
    /// The maximum number of bytes of a state.
    static let maximumState = 1 << 20

    /// Returns the state as JSON: the first visible row by its identity, marks, focus, order, filter and search.
    ///
    /// A page of a browser can restore it too.
    ///
    /// - Returns: The JSON; `nil` if it is longer than 1 MiB even without marks, and while a state waits for its rows,
    ///   because the present position is not that of the user.
    /// - Throws: The error of encoding it.
    public func savedState() throws -> Data? {
        guard pendingState == nil else { return nil }
        return try ViewState.json(of: view, content, maximumByteCount: Self.maximumState)
    }

    /// Adopts a saved state: filter and order now, position and marks when their rows are there.
    ///
    /// A key of the user that comes before them ends the wait.
    ///
    /// - Returns: `false` for a state of other rows, which leaves a message.
    public func restore(_ state: ViewState) -> Bool {
        do {
            try state.adoptOrder(in: view, content)
        } catch {
            message = "the saved position was not used: \(error)"
            return false
        }
        // The next update restores it, in the size of the terminal.
        pendingState = state
        return true
    }

    /// Restores position and marks, if the rows are there.
    func restorePendingState() {
        guard let state = pendingState else { return }
        // Restoring may change the content, which calls this again.
        pendingState = nil
        do {
            guard let missing = try state.adoptPosition(in: view, content) else {
                pendingState = state
                return
            }
            // A page may have saved no focus, and the first row is not where the view is.
            if focusedPath == nil, let first = view.visibleIndexPaths.first { try? view.focusItem(at: first) }
            if missing > 0 { message = "rows of the saved marks are gone: \(missing)" }
        } catch {
            message = "the saved position was not used: \(error)"
        }
    }
}
