internal import BridgeValues
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A watch of the folders of tests, for the next change of a file in them.
final class TestWatch: Sendable {
    private struct State {
        var hasChanged = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private static let maximumFolders = 1_000
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "jsbridge.changes")
    // nonisolated(unsafe) because they are set once, and only retain the sources.
    nonisolated(unsafe) private var sources: [any DispatchSourceProtocol] = []

    /// Begins to watch the folders below some paths, and those of files.
    ///
    /// Folders that are created later are not watched.
    ///
    /// - Throws: ``CommandError`` for a folder that cannot be watched.
    init(_ paths: [String]) throws(CommandError) {
        var folders: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            folders += isFolder.boolValue ? TestFiles.folders(below: path) : [parent]
        }
        guard folders.count <= Self.maximumFolders else {
            throw CommandError("too many folders to watch (\(folders.count), limit \(Self.maximumFolders))")
        }
        for folder in folders {
            do throws(RegularFile.Problem) {
                let watch = try OpenFolder(path: folder).watch(".")
                sources.append(
                    watch.source(on: queue) { [weak self] in
                        let changes = watch.drain()
                        if changes.contains(where: Self.matters) { self?.noteChange() }
                    }
                )
            } catch {
                throw CommandError("\(folder): \(error.reason)")
            }
        }
    }

    deinit { for source in sources { source.cancel() } }

    // Editors write hidden files beside the one that is edited.
    private static func matters(_ change: FolderWatch.Change) -> Bool { change.name?.hasPrefix(".") != true }

    private func noteChange() {
        let waiter = state.withLock { state in
            state.hasChanged = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for a change since the last call.
    func next() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasChanged { state.waiter = continuation }
                defer { state.hasChanged = false }
                return state.hasChanged
            }
            if isOver { continuation.resume() }
        }
    }
}
