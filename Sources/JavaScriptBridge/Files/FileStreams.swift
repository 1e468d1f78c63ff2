internal import Dispatch
internal import Foundation
internal import Synchronization

/// The streams of `bridge:fs`, whose items are batches: a message for each line or entry would be slow.
extension ScriptFiles {
    private static let maximumEntries = 256
    private static let batchBytes = 64 << 10

    /// Lists the entries of a folder.
    func readDirectory(
        _ request: FileRequest
    ) async throws -> AsyncThrowingStream<[FolderEntryReply], any Error> {
        let place = try await access.place(request.path, for: .read)
        let entries = try await run(request.path) { _ in try place.folder.openEntries(place.path) }
        return AsyncThrowingStream {
            let part = try await run(request.path) { _ in try entries.next(Self.maximumEntries) }
            return part.isEmpty ? nil : part.map(FolderEntryReply.init)
        }
    }

    /// Reads the lines of a file, without their ends.
    func readLines(_ request: FileRequest) async throws -> AsyncThrowingStream<[String], any Error> {
        let place = try await access.place(request.path, for: .read)
        let file = try await run(request.path) { _ in try place.folder.openFile(place.path) }
        return LineSplitter.batches(
            name: Printable.quoted(request.path),
            maximumBytes: access.permissions.maximumLineBytes
        ) {
            try await run(request.path) { _ in try file.read(upTo: Self.batchBytes) }
        }
    }

    #if canImport(Glibc)
        /// Reports the changes of a file, or of the entries of a folder, until the watched entry itself is removed.
        func watch(_ request: FileRequest) async throws -> AsyncStream<[FileChangeReply]> {
            let place = try await access.place(request.path, for: .read)
            let watch = try await run(request.path) { _ in try place.folder.watch(place.path) }
            return AsyncStream(bufferingPolicy: .bufferingOldest(Self.maximumBatches)) { continuation in
                let delivery = WatchDelivery(watch, of: request.path, to: continuation)
                // nonisolated(unsafe) because a source may be cancelled on any thread.
                nonisolated(unsafe) let source = watch.source(on: Self.watchQueue) { delivery.deliver() }
                continuation.onTermination = { _ in source.cancel() }
            }
        }

        private static let maximumBatches = 64
        private static let watchQueue = DispatchQueue(label: "JavaScriptBridge.watches")
    #endif
}

#if canImport(Glibc)
    /// The delivery of a watch's changes to a script, which reports those that it had to drop.
    private final class WatchDelivery: Sendable {
        private let watch: FolderWatch
        private let path: String
        private let continuation: AsyncStream<[FileChangeReply]>.Continuation
        private let hasDropped = Atomic(false)

        init(
            _ watch: FolderWatch,
            of path: String,
            to continuation: AsyncStream<[FileChangeReply]>.Continuation
        ) {
            self.watch = watch
            self.path = path
            self.continuation = continuation
        }

        /// Delivers the changes until now; called on one queue.
        func deliver() {
            let changes = watch.drain()
            guard !changes.isEmpty else { return }
            var batch = changes.map { change in
                let path = change.name.map {
                    self.path.hasSuffix("/") ? self.path + $0 : "\(self.path)/\($0)"
                }
                return FileChangeReply(kind: change.kind.rawValue, path: path ?? self.path)
            }
            if hasDropped.exchange(false, ordering: .relaxed) {
                batch.insert(
                    FileChangeReply(kind: FolderWatch.Change.Kind.overflow.rawValue, path: path),
                    at: 0
                )
            }
            if case .dropped = continuation.yield(batch) { hasDropped.store(true, ordering: .relaxed) }
            // The watched entry itself is gone, so nothing can follow.
            if changes.contains(where: { $0.kind == .remove && $0.name == nil }) { continuation.finish() }
        }
    }
#endif
