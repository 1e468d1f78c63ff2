internal import BridgeValues
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc

    /// The system's notifications of changes in any number of folders.
    ///
    /// Folders are watched, and not files, because editors replace a file by another one of its name.
    final class FileWatch: Sendable {
        /// The changes between two looks at them.
        struct Changes {
            /// The paths of the files and folders that have changed.
            var paths: Set<String> = []
            /// A Boolean value that indicates whether the system has lost changes.
            var isIncomplete = false
        }

        private struct State {
            var folders: [Int32: String] = [:]
            var changes = Changes()
        }

        /// An element for each time that there are changes to take.
        let events: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation
        private let notifications: FileNotifications
        private let state = Mutex(State())
        private let queue = DispatchQueue(label: "jsbridge.watch")
        // nonisolated(unsafe) because it is set once, and a dispatch source may be cancelled on any thread.
        nonisolated(unsafe) private var source: (any DispatchSourceRead)?

        /// Creates a watch of no folder.
        ///
        /// - Throws: ``CommandFailure`` if the system has no more notifications.
        init() throws(CommandFailure) {
            do throws(RegularFile.Problem) {
                notifications = try FileNotifications()
            } catch {
                throw CommandFailure(status: ExitStatus.failure, reason: WatchError(problem: error))
            }
            (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            source = notifications.source(on: queue) { [weak self] in self?.drain() }
        }

        deinit { source?.cancel() }

        /// Watches a folder; one that does not exist by its nearest parent, until it is created.
        ///
        /// - Returns: The reason if the folder cannot be watched.
        func watch(folder: String) -> WatchError? {
            // IN_MODIFY would report a file that is truncated, before its new text is written.
            let events =
                IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
                | IN_MOVE_SELF
            let error: WatchError? = state.withLock { state in
                do throws(RegularFile.Problem) {
                    state.folders[try notifications.watch(folder, for: events)] = folder
                    return nil
                } catch {
                    return WatchError(problem: error)
                }
            }
            guard error?.isMissing == true, let slash = folder.lastIndex(of: "/"), folder != "/" else {
                return error
            }
            return watch(folder: slash == folder.startIndex ? "/" : String(folder[..<slash]))
        }

        /// Returns the changes since the last call.
        func takeChanges() -> Changes {
            state.withLock { state in
                defer { state.changes = Changes() }
                return state.changes
            }
        }

        private func drain() {
            let hasChanged = state.withLock { state in
                var hasChanged = false
                notifications.drain { hasChanged = Self.note($0, in: &state) || hasChanged }
                return hasChanged
            }
            if hasChanged { continuation.yield() }
        }

        /// Returns whether an event is a change.
        private static func note(_ event: FileNotifications.Event, in state: inout State) -> Bool {
            if event.has(IN_Q_OVERFLOW) {
                state.changes.isIncomplete = true
                return true
            }
            guard let folder = state.folders[event.watch] else { return false }
            if event.has(IN_IGNORED) {
                state.folders[event.watch] = nil
                return false
            }
            // A file that is created is reported again when it is closed.
            guard event.name == nil || event.has(IN_ISDIR) || !event.has(IN_CREATE) else { return false }
            state.changes.paths.insert(event.name.map { (folder == "/" ? "" : folder) + "/" + $0 } ?? folder)
            return true
        }
    }

    /// The reason why a folder cannot be watched.
    struct WatchError: Error, CustomStringConvertible {
        let problem: RegularFile.Problem

        var isMissing: Bool { problem == .system(ENOENT) || problem == .system(ENOTDIR) }
        var description: String {
            let limit =
                problem == .system(ENOSPC) ? " (the system's limit is fs.inotify.max_user_watches)" : ""
            return "changes of files cannot be watched: \(problem.reason)\(limit)"
        }
    }
#endif
