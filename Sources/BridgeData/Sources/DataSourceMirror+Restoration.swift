public import DataSources
public import Foundation
internal import JavaScriptBridge

extension DataSourceMirror {
    /// Returns an archive of the position and marks of a view of this mirror, by the identities that the script gives
    /// to its items.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - marks: The view's selection, focus and expanded items.
    ///   - time: The time of the archive; the present time by default.
    /// - Returns: The archive.
    /// - Throws: ``BridgeError`` for an invalid answer of the script; `source.changed` if changes are pending and there
    ///   is a ``changesPending`` closure, because the view does not show the newest state then.
    public func savedState<View: RestorableView & Sendable>(
        of view: View,
        marks: RestorableMarks = RestorableMarks(),
        time: Date = Date()
    ) async throws -> StateArchive {
        try await readingNewest { $0.savedState(of: view, marks: marks, time: time) }
    }

    /// Finds a view's position and marks again, with the rule that determined the position.
    ///
    /// - Parameters:
    ///   - archive: The saved state of the view.
    ///   - view: The view, with the counts that the mirror shows.
    ///   - policy: The condition under which to restore.
    ///   - knownSchemas: Earlier values of the script's `schema` whose archives are valid for the present items.
    /// - Returns: The restored state, or `nil` if the policy does not allow restoration yet.
    /// - Throws: ``StateArchiveError`` for an archive of other items, and the errors of ``savedState(of:marks:time:)``.
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

    /// Runs a closure with the source in a turn in which the mirror shows its newest state.
    private func readingNewest<Result: Sendable>(
        _ body: @escaping @Sendable (ScriptDataSource) throws -> Result
    ) async throws -> Result {
        for _ in 0..<8 {
            try showNewest()
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
