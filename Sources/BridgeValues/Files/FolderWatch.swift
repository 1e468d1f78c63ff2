internal import CFileAccess
package import Dispatch
internal import Foundation

#if canImport(Glibc)
    internal import Glibc

    /// The system's notifications of changes of a file, or of the entries of a folder.
    package final class FolderWatch: Sendable {
        /// A change.
        package struct Change: Sendable, Hashable {
            /// The kind of a change.
            package enum Kind: String, Sendable, Hashable {
                case create
                case modify
                case remove
                /// Changes were lost because they came too fast.
                case overflow
            }

            /// The kind.
            package let kind: Kind
            /// The name of the entry in the folder; `nil` for the watched entry itself.
            package let name: String?
        }

        private let notifications: FileNotifications

        init(ofEntry entry: Int32) throws(RegularFile.Problem) {
            notifications = try FileNotifications()
            // By the descriptor, because the path may lead elsewhere by now.
            try notifications.watch(
                "/proc/self/fd/\(entry)",
                for: IN_CREATE | IN_MODIFY | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
                    | IN_MOVE_SELF
            )
        }

        /// Creates a source that calls a function when there are changes to ``drain()``.
        package func source(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)
            -> any DispatchSourceRead
        { notifications.source(on: queue, body) }

        /// Returns the changes until now.
        package func drain() -> [Change] {
            var changes: [Change] = []
            notifications.drain { event in
                guard let kind = Self.kind(of: event) else { return }
                let change = Change(kind: kind, name: event.name)
                // A write is reported for each call of write().
                if changes.last != change { changes.append(change) }
            }
            return changes
        }

        private static func kind(of event: FileNotifications.Event) -> Change.Kind? {
            if event.has(IN_Q_OVERFLOW) { return .overflow }
            if event.has(IN_CREATE | IN_MOVED_TO) { return .create }
            if event.has(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF) { return .remove }
            return event.has(IN_MODIFY) ? .modify : nil
        }
    }

    extension OpenFolder {
        /// Begins to watch a file, or the entries of a folder.
        package func watch(_ path: String) throws(RegularFile.Problem) -> FolderWatch {
            let entry = CFileAccess_openPath(descriptor, path, 0)
            guard entry >= 0 else { throw .opening(-entry) }
            defer { close(entry) }
            return try FolderWatch(ofEntry: entry)
        }
    }
#endif
