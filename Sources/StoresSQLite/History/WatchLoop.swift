internal import Foundation

/// The loop of the thread that waits for commits of other processes.
///
/// The log file is written before a commit becomes visible, so a notification announces a future commit. If there is no
/// commit yet, the loop checks again a moment later before it waits for the next notification.
// @unchecked Sendable because one thread uses it, and it references the store weakly.
final class WatchLoop: @unchecked Sendable {
    private weak var store: SQLiteStore?
    private let wakening: WakePipe
    private let path: String
    private let pollingInterval: Int32

    /// The number of further checks, one millisecond apart, before the loop waits for the next notification.
    private static let secondLooks = 3

    init(_ store: SQLiteStore, _ wakening: WakePipe, path: String, pollingInterval: Int) {
        self.store = store
        self.wakening = wakening
        self.path = path
        self.pollingInterval = Int32(min(max(1, pollingInterval), 60_000))
    }

    func run() {
        var reports = FileReports(path)
        // Checks immediately, for commits from before the notifications began.
        var looksLeft = 1
        while !wakening.isEnded {
            // Polls even if the system sends notifications, which do not cover changes by other machines.
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
