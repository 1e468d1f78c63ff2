internal import BridgeValues
internal import Synchronization

/// Files whose folders are watched, also files that do not exist.
final class WatchedFiles: Sendable {
    private struct State {
        /// The names of the files, by path.
        var names: [String: String] = [:]
        var folders: Set<String> = []
        var problem: WatchError?
    }

    private let watch: FileWatch
    private let state = Mutex(State())

    /// Creates a watch of no file.
    ///
    /// - Throws: ``CommandFailure`` if the system has no more notifications.
    init() throws(CommandFailure) { watch = try FileWatch() }

    /// An element for each time that there are changes to take.
    var events: AsyncStream<Void> { watch.events }

    /// Returns the reason why a folder could not be watched, once.
    func takeProblem() -> WatchError? {
        state.withLock { state in
            defer { state.problem = nil }
            return state.problem
        }
    }

    /// Watches a file.
    ///
    /// - Parameters:
    ///   - path: The absolute path, without symbolic links.
    ///   - name: The name that its changes have.
    ///   - replaces: Whether a name that the file has already is replaced.
    func add(_ path: String, as name: String, replaces: Bool = true) {
        guard let slash = path.lastIndex(of: "/") else { return }
        state.withLock { if replaces || $0.names[path] == nil { $0.names[path] = name } }
        add(folder: slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    /// Watches a folder.
    func add(folder: String) {
        state.withLock { state in
            guard state.folders.insert(folder).inserted else { return }
            state.problem = watch.watch(folder: folder) ?? state.problem
        }
    }

    /// Returns the names of the files that have changed since the last call.
    ///
    /// - Parameter other: Called with the path of each other file or folder that has changed; returns whether it counts.
    /// - Returns: The names of the files, and the paths of the others that count.
    func takeChanged(counting other: (String) -> Bool = { _ in false }) -> Set<String> {
        let changes = watch.takeChanges()
        let (names, others) = state.withLock { state -> (Set<String>, Set<String>) in
            if changes.isIncomplete { return (Set(state.names.values), Set<String>()) }
            var names = Set(changes.paths.compactMap { state.names[$0] })
            let others = changes.paths.filter { state.names[$0] == nil }
            // A folder that was created, removed or renamed.
            for path in others {
                for folder in state.folders where folder == path || folder.hasPrefix(path + "/") {
                    _ = watch.watch(folder: folder)
                }
                for (file, name) in state.names where file.hasPrefix(path + "/") { names.insert(name) }
            }
            return (names, others)
        }
        return names.union(others.filter(other))
    }
}
