package import DataSources
internal import JavaScriptBridge

extension ChangeSet {
    /// Checks that these changes, which a script announced, can lead from some counts to others.
    ///
    /// Items of inserted or deleted sections need not be named.
    ///
    /// - Throws: ``BridgeError`` with the name of the source and the broken rule.
    /// - Complexity: O(c + s) in the changes and the sections.
    package func requireCounts(from before: [Int], to after: [Int], of name: String) throws {
        do {
            try check(from: before, to: after, namesInsertedRows: false)
        } catch {
            throw BridgeError(
                .invalidArgument,
                "the changes that the data source '\(name)' announced do not match its counts: \(error)"
            )
        }
    }
}
