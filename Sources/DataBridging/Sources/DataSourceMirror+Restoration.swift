public import DataSources
public import Foundation
internal import JavaScriptBridge

extension DataSourceMirror {
    /// Notes where a view of this mirror is, by the identities that the script gives to its items.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - marks: What is selected, focused and unfolded in it.
    ///   - time: When; now if it is left out.
    /// - Returns: The archive.
    /// - Throws: ``BridgeError``: what was wrong with the script's answer; `source.changed` where changes wait to be
    ///   processed and ``changesPending`` has told somebody of them, whose view is not of the newest state.
    public func savedState<View: RestorableView & Sendable>(
        of view: View,
        marks: RestorableMarks = RestorableMarks(),
        time: Date = Date()
    ) async throws -> StateArchive {
        try await readingNewest { $0.savedState(of: view, marks: marks, time: time) }
    }

    /// Finds a view's place and marks again; the result says by which rule.
    ///
    /// - Parameters:
    ///   - archive: Where the view was.
    ///   - view: The view, with the counts that the mirror shows.
    ///   - policy: When to restore.
    ///   - knownSchemas: Earlier `schema` members whose archives are right for the present items.
    /// - Returns: The place; `nil` where the policy says not yet.
    /// - Throws: ``StateArchiveError`` for an archive of other items, and what ``savedState(of:marks:time:)`` throws.
    public func restoredState<View: RestorableView & Sendable>(
        from archive: StateArchive,
        in view: View,
        policy: RestorationPolicy = .allow,
        knownSchemas: [String] = []
    ) async throws -> RestoredState? {
        try await readingNewest {
            try $0.restoredState(from: archive, in: view, policy: policy, knownSchemas: knownSchemas)
        }
    }

    /// Runs a body with the source in a turn in which the mirror shows its newest state.
    private func readingNewest<Result: Sendable>(
        _ body: @escaping @Sendable (ScriptDataSource) throws -> Result
    ) async throws -> Result {
        for _ in 0..<8 {
            try goToNewest()
            let result = try await bridge.withContext { [self] context -> Result? in
                let source = try source(in: context)
                guard showsNewest else { return nil }
                return try source.throwingItsErrors { try body(source) }
            }
            if let result { return result }
        }
        throw BridgeError(
            .overloaded,
            "the data source '\(name)' changed 8 times while its view was restored"
        )
    }
}
