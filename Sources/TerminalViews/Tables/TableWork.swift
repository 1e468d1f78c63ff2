internal import Dispatch
internal import Synchronization

/// The work of a content on other threads, and the messages that it sends back.
///
/// At most one arrangement and one search are wanted at a time; one of another order or query cancels the one before. A
/// change of the rows does not: an arrangement would never end while changes come faster than it is made.
final class TableWork {
    /// A function that runs closures on other threads, or in tests at a time of their choice.
    typealias Runner = (@escaping @Sendable () -> Void) -> Void

    private let mailbox: TableMailbox
    private let run: Runner
    private let loading = TableJob()
    private var arranging: TableJob?
    // The changes of the rows since the present arrangement was begun.
    private var missed = MissedChanges()
    private var searching: TableJob?
    private var observation: AnyObject?
    /// The number of rows that the last arrangement was made of.
    private(set) var arrangedCount = 0
    /// The number of rows at which the present search ends.
    private(set) var searchEnd = 0

    init(wake: @escaping @Sendable () -> Void, run: Runner? = nil) {
        mailbox = TableMailbox(wake: wake)
        let queue = DispatchQueue(label: "TerminalViews.table", qos: .userInitiated, attributes: .concurrent)
        self.run = run ?? { queue.async(execute: $0) }
    }

    /// Cancels everything.
    func end() {
        loading.cancel()
        arranging?.cancel()
        searching?.cancel()
        observation = nil
    }

    func take() -> [TableMessage] { mailbox.take() }

    // MARK: - Loading

    func load(_ source: any TableSource) {
        run { [mailbox, loading] in
            var last = TableLoad(rowCount: source.firstRowCount)
            do {
                try source.load { load in
                    last = load
                    mailbox.post(.loaded(load, isComplete: false))
                    return !loading.isCancelled
                }
                last.progress = 1
                mailbox.post(.loaded(last, isComplete: true))
            } catch {
                mailbox.post(.failed("\(error)", job: nil))
            }
        }
    }

    func observe(_ source: any TableSource) {
        observation = source.observe { [mailbox] change in mailbox.post(.changed(change)) }
    }

    // MARK: - Order

    var isArranging: Bool { arranging != nil }

    func arrange(_ source: any TableSource, _ order: TableOrder, count: Int) {
        arranging?.cancel()
        let job = TableJob()
        arranging = job
        missed = MissedChanges()
        arrangedCount = count
        run { [mailbox] in
            do {
                let made = try TableArrangement.make(order, of: source, count: count) { job.isCancelled }
                if let made { mailbox.post(.arranged(made, job: job)) }
            } catch {
                mailbox.post(.failed("\(error)", job: job))
            }
        }
    }

    /// Arranges the rows after a change: now, or when the present arrangement has ended.
    func arrange(_ source: any TableSource, _ order: TableOrder, after change: TableChange) {
        guard isArranging else { return arrange(source, order, count: change.rowCount) }
        missed.isAny = true
        missed.deleted.formUnion(change.deleted.map { Int32($0) })
    }

    func cancelArranging() {
        arranging?.cancel()
        arranging = nil
        missed = MissedChanges()
    }

    /// Changes of the rows that an arrangement may not contain.
    struct MissedChanges {
        var isAny = false
        var deleted: Set<Int32> = []
    }

    /// Ends an arrangement that has arrived, and returns the changes that it may not contain; `nil` if it is not wanted.
    func arranged(_ job: TableJob) -> MissedChanges? {
        guard job === arranging else { return nil }
        arranging = nil
        defer { missed = MissedChanges() }
        return missed
    }

    // MARK: - Search

    func search(_ source: any TableSource, _ query: RowQuery, _ range: Range<Int>) -> TableJob {
        let job = TableJob()
        searching = job
        searchEnd = range.upperBound
        run { [mailbox] in
            var found: [Int32] = []
            // The first answer is early, so that the first match is seen while typing.
            var next = range.lowerBound + 2_048
            do {
                try source.scan(range) { number, fields in
                    if number >= next {
                        guard !job.isCancelled else { return false }
                        mailbox.post(.matched(found, end: number, job: job))
                        found = []
                        next = number + 65_536
                    }
                    if query.matches(fields) { found.append(Int32(number)) }
                    return true
                }
                mailbox.post(.matched(found, end: range.upperBound, job: job))
            } catch {
                mailbox.post(.failed("\(error)", job: job))
            }
        }
        return job
    }
}
