internal import BridgeValues
internal import BridgeViews
internal import Stores
internal import Synchronization

/// The views of scripts that run without a renderer, and the sentence that names the commands that have one.
///
/// A script works with its views as elsewhere, so that one file serves `run`, `browse` and `serve`.
enum UnshownViews {
    /// Returns a configuration that prints the sentence when a script creates its first view.
    static func configuration(of script: RunOptions.Script, _ output: CommandOutput)
        -> CollectionViewConfiguration
    {
        let isSaid = Atomic(false)
        var views = CollectionViewConfiguration()
        views.unit = .cell
        views.viewChanged = { name in
            guard !isSaid.exchange(true, ordering: .relaxed) else { return }
            output.printError("jsbridge: \(sentence(about: name, of: script))")
        }
        return views
    }

    private static func sentence(about name: String, of script: RunOptions.Script) -> String {
        var file = "FILE"
        if case .file(let path) = script, BrowseOptions(file: path).isScript { file = ShellText.quoted(path) }
        return
            "the view \(MessageText.quoted(name)) is not shown here; for a terminal: jsbridge browse \(file); "
            + "for a browser: jsbridge serve \(file)"
    }
}
