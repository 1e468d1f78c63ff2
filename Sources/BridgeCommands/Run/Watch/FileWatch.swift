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
        private let descriptor: Int32
        private let state = Mutex(State())
        private let queue = DispatchQueue(label: "jsbridge.watch")
        // nonisolated(unsafe) because it is set once, and a dispatch source may be cancelled on any thread.
        nonisolated(unsafe) private let source: any DispatchSourceRead

        /// Creates a watch of no folder.
        ///
        /// - Throws: ``CommandFailure`` if the system has no more notifications.
        init() throws(CommandFailure) {
            let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else {
                throw CommandFailure(status: ExitStatus.failure, reason: WatchError(number: errno))
            }
            self.descriptor = descriptor
            (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            // The descriptor must stay open until the source has ended.
            source.setCancelHandler { close(descriptor) }
            source.setEventHandler { [weak self] in self?.drain() }
            source.activate()
        }

        deinit { source.cancel() }

        /// Watches a folder; one that does not exist by its nearest parent, until it is created.
        ///
        /// - Returns: The reason if the folder cannot be watched.
        func watch(folder: String) -> WatchError? {
            // IN_MODIFY would report a file that is truncated, before its new text is written.
            let events =
                IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
                | IN_MOVE_SELF
            let error: WatchError? = state.withLock { state in
                let watch = inotify_add_watch(descriptor, folder, UInt32(events))
                guard watch >= 0 else { return WatchError(number: errno) }
                state.folders[watch] = folder
                return nil
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
            var bytes = [UInt8](repeating: 0, count: 16_384)
            var hasChanged = false
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                state.withLock { state in
                    bytes.withUnsafeBytes { bytes in
                        hasChanged = Self.parse(bytes.prefix(count), into: &state) || hasChanged
                    }
                }
            }
            if hasChanged { continuation.yield() }
        }

        private static func parse(_ bytes: Slice<UnsafeRawBufferPointer>, into state: inout State) -> Bool {
            let headSize = MemoryLayout<inotify_event>.size
            var bytes = UnsafeRawBufferPointer(rebasing: bytes)
            var hasChanged = false
            while bytes.count >= headSize {
                let event = bytes.loadUnaligned(as: inotify_event.self)
                let name = bytes.dropFirst(headSize).prefix(Int(event.len)).prefix { $0 != 0 }
                bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(headSize + Int(event.len)))
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    state.changes.isIncomplete = true
                    hasChanged = true
                    continue
                }
                guard let folder = state.folders[event.wd] else { continue }
                if event.mask & UInt32(IN_IGNORED) != 0 {
                    state.folders[event.wd] = nil
                    continue
                }
                let path =
                    name.isEmpty
                    ? folder : (folder == "/" ? "" : folder) + "/" + String(decoding: name, as: UTF8.self)
                // A file that is created is reported again when it is closed.
                let isFolder = event.mask & UInt32(IN_ISDIR) != 0 || name.isEmpty
                guard isFolder || event.mask & UInt32(IN_CREATE) == 0 else { continue }
                state.changes.paths.insert(path)
                hasChanged = true
            }
            return hasChanged
        }
    }

    /// The reason why a folder cannot be watched.
    struct WatchError: Error, CustomStringConvertible {
        let number: Int32

        var isMissing: Bool { number == ENOENT || number == ENOTDIR }
        var description: String {
            let limit = number == ENOSPC ? " (the system's limit is fs.inotify.max_user_watches)" : ""
            return "changes of files cannot be watched: \(String(cString: strerror(number)))\(limit)"
        }
    }
#endif
