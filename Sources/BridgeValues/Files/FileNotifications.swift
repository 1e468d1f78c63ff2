package import Dispatch
internal import Foundation

#if canImport(Glibc)
    internal import Glibc

    /// The system's queue of notifications about files and folders (inotify).
    package final class FileNotifications: Sendable {
        /// A notification.
        package struct Event {
            /// The number of the watch that it belongs to.
            package let watch: Int32
            private let mask: UInt32
            /// The name of an entry of the watched folder; `nil` for the watched file or folder itself.
            package let name: String?

            /// Creates an event from the beginning of bytes, and removes it from them.
            fileprivate init(removingFrom bytes: inout UnsafeRawBufferPointer) {
                let event = bytes.loadUnaligned(as: inotify_event.self)
                let rest = bytes.dropFirst(MemoryLayout<inotify_event>.size)
                let text = rest.prefix(Int(event.len)).prefix { $0 != 0 }
                (watch, mask) = (event.wd, event.mask)
                name = text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
                bytes = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(event.len)))
            }

            /// Returns whether one of some bits is set.
            package func has(_ bits: Int32) -> Bool { mask & UInt32(bits) != 0 }
        }

        /// The descriptor to poll.
        package let descriptor: Int32

        /// Creates a queue without watches.
        ///
        /// - Throws: ``RegularFile/Problem`` if the system has no more of them.
        package init() throws(RegularFile.Problem) {
            descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { throw .system(errno) }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Watches a file, or the entries of a folder.
        ///
        /// - Parameters:
        ///   - path: The path; symbolic links are followed.
        ///   - events: The bits of the events to report.
        /// - Returns: The number of the watch.
        /// - Throws: ``RegularFile/Problem`` with the system's error.
        @discardableResult
        package func watch(_ path: String, for events: Int32) throws(RegularFile.Problem) -> Int32 {
            let watch = inotify_add_watch(descriptor, path, UInt32(events))
            guard watch >= 0 else { throw .system(errno) }
            return watch
        }

        /// Creates a source that calls a function when there are events to read.
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

        /// Calls a function with each event until now.
        package func drain(_ body: (Event) -> Void) {
            var bytes = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { return }
                bytes.withUnsafeBytes { bytes in
                    var rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
                    while rest.count >= MemoryLayout<inotify_event>.size { body(Event(removingFrom: &rest)) }
                }
            }
        }
    }
#endif
