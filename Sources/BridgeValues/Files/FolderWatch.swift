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

        /// The descriptor to poll.
        private let descriptor: Int32

        init(ofEntry entry: Int32) throws(RegularFile.Problem) {
            descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { throw .system(errno) }
            let events =
                IN_CREATE | IN_MODIFY | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
                | IN_MOVE_SELF
            // By the descriptor, because the path may lead elsewhere by now.
            guard inotify_add_watch(descriptor, "/proc/self/fd/\(entry)", UInt32(events)) >= 0 else {
                throw .system(errno)
            }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Creates a source that calls a function when there are changes to ``drain()``.
        package func source(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)
            -> any DispatchSourceRead
        {
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler(handler: body)
            // The descriptor must stay open until the source has ended.
            source.setCancelHandler { withExtendedLifetime(self) {} }
            source.activate()
            return source
        }

        /// Returns the changes until now.
        package func drain() -> [Change] {
            var changes: [Change] = []
            var bytes = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { return changes }
                bytes.withUnsafeBytes { Self.parse($0.prefix(count), into: &changes) }
            }
        }

        private static func parse(_ bytes: Slice<UnsafeRawBufferPointer>, into changes: inout [Change]) {
            let headSize = MemoryLayout<inotify_event>.size
            var bytes = UnsafeRawBufferPointer(rebasing: bytes)
            while bytes.count >= headSize {
                let event = bytes.loadUnaligned(as: inotify_event.self)
                let name = bytes.dropFirst(headSize).prefix(Int(event.len)).prefix { $0 != 0 }
                if let kind = kind(of: event.mask) {
                    let text = event.len == 0 ? nil : String(decoding: name, as: UTF8.self)
                    let change = Change(kind: kind, name: text)
                    // A write is reported for each call of write().
                    if changes.last != change { changes.append(change) }
                }
                bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(headSize + Int(event.len)))
            }
        }

        private static func kind(of mask: UInt32) -> Change.Kind? {
            func has(_ bits: Int) -> Bool { mask & UInt32(bits) != 0 }
            if has(Int(IN_Q_OVERFLOW)) { return .overflow }
            if has(Int(IN_CREATE | IN_MOVED_TO)) { return .create }
            if has(Int(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)) { return .remove }
            return has(Int(IN_MODIFY)) ? .modify : nil
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
