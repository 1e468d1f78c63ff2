internal import BridgeViews
internal import CollectionViews
internal import Foundation

/// The parts of a script's view that a terminal and a page show alike.
struct ScriptViewParts {
    let owner: ScriptCollectionView
    let program: ScriptViewProgram

    /// The status of the script's view, else the line that the script has printed last.
    var status: String { owner.status.isEmpty ? program.lastLine : owner.status }

    /// Returns the lines that show an item completely; if the script fails, a line that says so.
    func details(at indexPath: IndexPath) -> [StyledText] {
        do {
            return try owner.details(at: indexPath)
        } catch {
            return [StyledText("details failed: \(ErrorText.plain(error))", style: .failure)]
        }
    }

    /// Returns the texts of items, without those that the script could not give.
    func texts(at indexPaths: [IndexPath]) -> [[String]] {
        indexPaths.compactMap { owner.content(at: $0)?.texts }
    }
}

extension CellContent {
    /// The text and the secondary text, without empty ones.
    var texts: [String] { [text.string, secondaryText.string].filter { !$0.isEmpty } }
}
