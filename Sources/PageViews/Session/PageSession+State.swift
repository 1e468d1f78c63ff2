package import CollectionViews
internal import Foundation

/// The saved position and marks of a page, by which it is the same after a reload of the page.
extension PageSession: ViewStateRestoring {
    /// The maximum number of UTF-8 bytes of a state.
    ///
    /// Escaped in a message, it is shorter than what the server takes.
    static let maximumState = 28 * 1_024

    /// Returns the state as JSON: the first visible row by its identity, marks, focus, order, filter and search.
    ///
    /// ``stateSaved`` gets it too, unless an earlier state waits for its rows: the present position is not that of the
    /// user then. After a state was refused it gets none, because that one must be kept.
    ///
    /// - Throws: ``PageInputError`` if the state is too long even without marks.
    func savedState() throws -> String {
        guard let state = try ViewState(of: view, content, maximumByteCount: Self.maximumState) else {
            throw PageInputError("the position is longer than \(Self.maximumState) bytes")
        }
        if pendingState == nil, !hasRefusedState { stateSaved?(state) }
        return String(decoding: state.json, as: UTF8.self)
    }

    /// Adopts a saved state: filter and order now, position and marks when their rows are there.
    ///
    /// A string that is not a state, or one of other rows, leaves a message.
    func restore(_ json: String) {
        do {
            _ = restore(try ViewState(json: Data(json.utf8)))
        } catch {
            show("the saved position was not used: \(error)")
        }
    }

    /// Adopts a saved state: filter and order now, position and marks when their rows are there.
    ///
    /// - Returns: `false` for a state of other rows, which leaves a message.
    func restore(_ state: ViewState) -> Bool {
        guard adopt(state) else { return false }
        restorePendingState()
        return true
    }

    package var viewContent: any ViewContent { content }

    package func show(_ message: String) { self.message = message }

    package func stateWasRestored() {
        interaction.focusedSection = nil
        isInfoStale = true
    }
}
