internal import Synchronization

/// A message of another thread to a content of a table.
enum TableMessage: Sendable {
    case loaded(TableLoad, isComplete: Bool)
    /// The reason why work could not be done; rows were not found if it belongs to no job.
    case failed(String, job: TableJob?)
    case arranged(TableArrangement, job: TableJob)
    /// Rows that match, of the rows before a number.
    case matched([Int32], end: Int, job: TableJob)
    case changed(TableChange)
}

/// A piece of work on another thread, which is identified by its object.
final class TableJob: Sendable {
    private let cancelled = Atomic(false)
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    func cancel() { cancelled.store(true, ordering: .relaxed) }
}

/// The messages that wait for the owner of a content.
final class TableMailbox: Sendable {
    private let messages = Mutex<[TableMessage]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ message: TableMessage) {
        messages.withLock { $0.append(message) }
        wake()
    }

    func take() -> [TableMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
