internal import CollectionViews
internal import Foundation

/// The saved position and marks of a page, by which it is the same after a reload of the page.
extension PageSession {
    /// The maximum number of UTF-8 bytes of a state.
    ///
    /// Escaped in a message, it is shorter than what the server takes.
    static let maximumState = 28 * 1_024

    /// Returns the state as JSON: the first visible row by its identity, marks, focus, order, filter and search.
    ///
    /// - Throws: ``PageInputError`` if the state is too long even without marks.
    func savedState() throws -> String {
        guard let json = try ViewState.json(of: view, content, maximumByteCount: Self.maximumState) else {
            throw PageInputError("the position is longer than \(Self.maximumState) bytes")
        }
        return String(decoding: json, as: UTF8.self)
    }

    /// Adopts a saved state: filter and order now, position and marks when their rows are there.
    ///
    /// A string that is not a state, or one of other rows, leaves a message.
    func restore(_ json: String) {
        do {
            _ = restore(try ViewState(json: Data(json.utf8)))
        } catch {
            message = "the saved position was not used: \(error)"
        }
    }

    /// Adopts a saved state: filter and order now, position and marks when their rows are there.
    ///
    /// - Returns: `false` for a state of other rows, which leaves a message.
    func restore(_ state: ViewState) -> Bool {
        do {
            try state.adoptOrder(in: view, content)
        } catch {
            message = "the saved position was not used: \(error)"
            return false
        }
        pendingState = state
        restorePendingState()
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
            interaction.focusedSection = nil
            isInfoStale = true
            if missing > 0 { message = "rows of the saved marks are gone: \(missing)" }
        } catch {
            message = "the saved position was not used: \(error)"
        }
    }
}
