internal import BridgeViews
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import TerminalViews

/// A search in the cells of a script's view.
///
/// It reads the first rows only: each cell is a call of the script, and a frame waits for it.
struct ScriptSearch {
    /// The number of rows that are searched.
    static let maximumRowCount = 10_000

    /// The text that is searched for; empty for none.
    let text: String
    // In ascending order; nil until they are asked for, and after a change of the rows.
    private var found: (paths: [IndexPath], isComplete: Bool)?

    init(_ text: String = "") { self.text = text }

    /// Forgets the rows that were found, because the rows have changed.
    mutating func forget() { found = nil }

    /// Returns the rows that match, and whether all rows were searched.
    mutating func find(in owner: ScriptCollectionView) -> (paths: [IndexPath], isComplete: Bool) {
        if let found { return found }
        let query = RowQuery(text)
        var paths: [IndexPath] = []
        var left = Self.maximumRowCount
        var isComplete = true
        for section in 0..<owner.view.numberOfSections {
            let count = owner.view.numberOfItems(inSection: section)
            if count > left { isComplete = false }
            for item in 0..<min(count, left) {
                let path = IndexPath(item: item, section: section)
                if let texts = owner.content(at: path)?.texts, query.matches(texts) { paths.append(path) }
            }
            left -= min(count, left)
        }
        found = (paths, isComplete)
        return (paths, isComplete)
    }

    /// Returns the next match from a path on, also beyond the end; `nil` without a match.
    mutating func match(
        in owner: ScriptCollectionView,
        from start: IndexPath?,
        forward: Bool,
        includingStart: Bool
    ) -> IndexPath? {
        let paths = find(in: owner).paths
        guard let start else { return forward ? paths.first : paths.last }
        if includingStart, paths.contains(start) { return start }
        return forward ? paths.first { $0 > start } ?? paths.first : paths.last { $0 < start } ?? paths.last
    }
}
