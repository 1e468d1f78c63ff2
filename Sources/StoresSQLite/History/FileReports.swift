internal import Foundation
internal import Stores

#if canImport(Glibc)
    internal import Glibc

    /// Notifications by the system of writes to a store's log file, and of the replacement of the store's file.
    final class FileReports {
        /// The descriptor to poll.
        let descriptor: Int32
        private let path: String
        private let log: FileIdentity?

        init?(_ path: String) {
            self.path = path
            descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            log = FileIdentity(path + "-wal")
            guard descriptor >= 0 else { return nil }
            let isWatched = inotify_add_watch(descriptor, path + "-wal", UInt32(IN_MODIFY)) >= 0
            _ = inotify_add_watch(descriptor, path, UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF))
            // All properties are initialized, so `deinit` closes the descriptor, and nothing else must.
            guard isWatched else { return nil }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Drains the notifications; returns whether there were any.
        func drain() -> Bool {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            var isReported = false
            while read(descriptor, &bytes, bytes.count) > 0 { isReported = true }
            return isReported
        }

        /// A Boolean value that indicates whether the log was replaced by another file than the watched one.
        var isOutdated: Bool { FileIdentity(path + "-wal") != log }
    }
#else
    /// Without notifications by the system, the store polls for commits.
    final class FileReports {
        let descriptor: Int32 = -1
        init?(_ path: String) { nil }
        func drain() -> Bool { false }
        var isOutdated: Bool { false }
    }
#endif
