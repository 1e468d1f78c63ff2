internal import Foundation

/// The life of the thread that waits for commits of other processes.
///
/// The log file is written before a commit is to be seen, so a report of the system says that one is coming:
/// where none has come yet, it is looked for again a moment later, and only then waited for anew.
// @unchecked Sendable because it is used by one thread only, and the store is only read through a weak reference.
final class WatchLoop: @unchecked Sendable {
    private weak var store: SQLiteStore?
    private let wakening: WakeningPipe
    private let path: String
    private let pollingInterval: Int32

    /// How often to look again, a millisecond apart, before the next report is waited for.
    private static let secondLooks = 3

    init(_ store: SQLiteStore, _ wakening: WakeningPipe, path: String, pollingInterval: Int) {
        self.store = store
        self.wakening = wakening
        self.path = path
        self.pollingInterval = Int32(min(max(1, pollingInterval), 60_000))
    }

    func run() {
        var reports = FileReports(path)
        // The first one at once, for what was committed before the reports began.
        var looksLeft = 1
        while !wakening.isEnded {
            // Even where the system reports changes, one of another machine is not among them.
            let timeout = looksLeft > 0 ? 1 : (reports == nil ? pollingInterval : 20 * pollingInterval)
            let woken = wait(reports?.descriptor, timeout)
            if wakening.isEnded { return }
            wakening.drain()
            let isReported = reports?.drain() ?? false
            guard let store else { return }
            let hasFound = (try? store.mergeRemoteChanges()) ?? false
            looksLeft = hasFound ? 0 : isReported && woken ? Self.secondLooks : max(0, looksLeft - 1)
            if reports?.isOutdated ?? true {
                reports = FileReports(path)
                if reports != nil { looksLeft = 1 }
            }
        }
    }

    private func wait(_ descriptor: Int32?, _ timeout: Int32) -> Bool {
        var descriptors = [pollfd(fd: wakening.reading, events: Int16(POLLIN), revents: 0)]
        if let descriptor { descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
        return poll(&descriptors, nfds_t(descriptors.count), timeout) > 0
    }
}
