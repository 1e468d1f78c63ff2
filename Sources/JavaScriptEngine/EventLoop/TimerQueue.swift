/// A priority queue of a context's timers by deadline.
///
/// Timers with equal deadlines are in the order of their start.
struct TimerQueue {
    /// A timer that was taken from the queue to fire.
    struct Taken {
        fileprivate let entry: Entry
        fileprivate let isReferenced: Bool
        fileprivate let operation: ExecutionBudget?

        var id: Int { entry.id }
    }

    fileprivate struct Entry {
        let deadline: Duration
        let sequence: Int
        let id: Int

        func isBefore(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence
        }
    }

    private var heap: [Entry] = []
    private var live: [Int: Int] = [:]
    private var unreferenced: Set<Int> = []
    /// The number of referenced timers that are the package's own, whose IDs are negative.
    private var ownCount = 0
    // The operations of the timers that were started inside one.
    private var operations: [Int: ExecutionBudget] = [:]
    private var nextSequence = 0

    /// The number of pending timers that keep a run alive.
    var referencedCount: Int { live.count - unreferenced.count }

    /// The number of pending timers that do not keep a run alive.
    var unreferencedCount: Int { unreferenced.count }

    /// The number of pending timers that keep a run alive and belong to a script.
    var scriptCount: Int { referencedCount - ownCount }

    /// Returns the deadline of the next timer, or `nil` if none is pending.
    mutating func nextDeadline() -> Duration? {
        dropStopped()
        return heap.first?.deadline
    }

    /// Adds a timer, or restarts the one with that ID.
    mutating func start(
        id: Int,
        at deadline: Duration,
        isReferenced: Bool = true,
        operation: ExecutionBudget? = nil
    ) {
        let entry = Entry(deadline: deadline, sequence: nextSequence, id: id)
        nextSequence += 1
        add(entry, isReferenced: isReferenced, operation: operation)
    }

    private mutating func add(_ entry: Entry, isReferenced: Bool, operation: ExecutionBudget?) {
        if !isReferenced {
            unreferenced.insert(entry.id)
        } else if entry.id < 0, live[entry.id] == nil {
            ownCount += 1
        }
        if operation != nil || !operations.isEmpty { operations[entry.id] = operation }
        live[entry.id] = entry.sequence
        heap.append(entry)
        siftUp(heap.count - 1)
    }

    /// Adds a timer again, in its place.
    mutating func putBack(_ timer: Taken) {
        guard live[timer.id] == nil else { return }
        add(timer.entry, isReferenced: timer.isReferenced, operation: timer.operation)
    }

    /// The IDs of the pending timers, in ascending order.
    var ids: [Int] { live.keys.sorted() }

    /// The pending timers, in the order of their deadlines.
    var waiting: [(id: Int, deadline: Duration)] {
        heap.filter { live[$0.id] == $0.sequence }.sorted { $0.isBefore($1) }.map { ($0.id, $0.deadline) }
    }

    /// Returns whether a timer keeps a run alive and belongs to a script.
    func isScripts(id: Int) -> Bool { id > 0 && !unreferenced.contains(id) }

    /// Removes a timer.
    mutating func stop(id: Int) {
        guard live.removeValue(forKey: id) != nil else { return }
        forget(id)
    }

    // Most contexts have none of these, and then this costs a comparison.
    private mutating func forget(_ id: Int) {
        if id < 0, unreferenced.isEmpty || unreferenced.remove(id) == nil { ownCount -= 1 }
        if !operations.isEmpty { operations[id] = nil }
    }

    /// Returns the first timer that is due and was started before this round, and its operation.
    ///
    /// A timer that another timer starts belongs to the next round, so that a timer that restarts itself does not
    /// prolong the round forever.
    mutating func nextDue(at now: Duration, startedBefore round: Int) -> (
        id: Int, operation: ExecutionBudget?
    )? {
        dropStopped()
        guard let first = heap.first, first.deadline <= now, first.sequence < round else { return nil }
        return (first.id, operations[first.id])
    }

    /// Removes and returns that timer if it belongs to the given operation, or to none for `nil`.
    mutating func takeDue(
        at now: Duration,
        startedBefore round: Int,
        in operation: ExecutionBudget?
    ) -> Taken? {
        guard let first = nextDue(at: now, startedBefore: round), first.operation === operation else {
            return nil
        }
        defer { removeFirst() }
        return take(heap[0])
    }

    /// Removes and returns a timer, whenever it is due; `nil` if it is not pending.
    mutating func take(id: Int) -> Taken? {
        heap.first { $0.id == id && live[id] == $0.sequence }.map { take($0) }
    }

    private mutating func take(_ entry: Entry) -> Taken {
        let taken = Taken(
            entry: entry,
            isReferenced: !unreferenced.contains(entry.id),
            operation: operations[entry.id]
        )
        stop(id: entry.id)
        return taken
    }

    /// The boundary for ``nextDue(at:startedBefore:)``: every timer that was started until now is before it.
    var round: Int { nextSequence }

    // A stopped timer stays in the heap until it is first, unless most of the heap is stopped timers.
    private mutating func dropStopped() {
        while let first = heap.first, live[first.id] != first.sequence { removeFirst() }
        guard heap.count > 64, heap.count > live.count * 4 else { return }
        let kept = heap.filter { live[$0.id] == $0.sequence }
        heap.removeAll(keepingCapacity: false)
        for entry in kept {
            heap.append(entry)
            siftUp(heap.count - 1)
        }
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
