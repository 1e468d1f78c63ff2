/// A priority queue of a context's timers by deadline.
///
/// Timers with equal deadlines are in the order of their start.
struct TimerQueue {
    private struct Entry {
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
        if !isReferenced {
            unreferenced.insert(id)
        } else if id < 0, live[id] == nil {
            ownCount += 1
        }
        if operation != nil || !operations.isEmpty { operations[id] = operation }
        let entry = Entry(deadline: deadline, sequence: nextSequence, id: id)
        nextSequence += 1
        live[id] = entry.sequence
        heap.append(entry)
        siftUp(heap.count - 1)
    }

    /// The IDs of the pending timers, in ascending order.
    var ids: [Int] { live.keys.sorted() }

    /// The pending timers, in the order of their deadlines.
    var waiting: [(id: Int, deadline: Duration)] {
        heap.filter { live[$0.id] == $0.sequence }.sorted { $0.isBefore($1) }.map { ($0.id, $0.deadline) }
    }

    /// Returns whether a timer keeps a run alive and belongs to a script.
    func isScripts(id: Int) -> Bool { id > 0 && !unreferenced.contains(id) }

    /// Returns whether a timer is pending.
    func has(id: Int) -> Bool { live[id] != nil }

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
    mutating func takeDue(at now: Duration, startedBefore round: Int, in operation: ExecutionBudget?) -> Int?
    {
        guard let first = nextDue(at: now, startedBefore: round), first.operation === operation else {
            return nil
        }
        live[first.id] = nil
        forget(first.id)
        removeFirst()
        return first.id
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
