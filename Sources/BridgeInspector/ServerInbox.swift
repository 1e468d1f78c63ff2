internal import Foundation
internal import JavaScriptEngine
internal import Synchronization

/// The entries of other threads for the loop of a server, and the pipe that wakes it.
final class ServerInbox: Sendable {
    enum Entry: Sendable {
        case event(InspectorEvent, InspectorTarget)
        case close(exitCode: Int?)
    }

    /// The number of entries beyond which lines of the console are dropped.
    static let maximumCount = 100_000

    private let entries = Mutex<[Entry]>([])
    /// The end of the pipe that is readable when there are entries.
    let reader: Int32
    private let writer: Int32

    init() throws(DebugServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw DebugServerError("cannot open a pipe: \(String(cString: strerror(errno)))")
        }
        (reader, writer) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        Foundation.close(reader)
        Foundation.close(writer)
    }

    /// Adds an entry, from any thread.
    func add(_ entry: Entry) {
        let mustWake = entries.withLock { entries in
            if case .event(.console, _) = entry, entries.count >= Self.maximumCount { return false }
            entries.append(entry)
            return entries.count == 1
        }
        guard mustWake else { return }
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Removes and returns the entries.
    func take() -> [Entry] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
        return entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}
