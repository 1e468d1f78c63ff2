/// The timers of a context by their time; those of one time in the order in which they were started.
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
    /// How many of the others are the package's own, whose ids are negative.
    private var ownCount = 0
    // Of the timers that were started inside one.
    private var operations: [Int: JSOperation] = [:]
    private var nextSequence = 0

    /// How many timers wait that keep a run going.
    var referencedCount: Int { live.count - unreferenced.count }

    /// How many timers wait that keep none going.
    var unreferencedCount: Int { unreferenced.count }

    /// How many timers wait that keep a run going and are a script's.
    var scriptCount: Int { referencedCount - ownCount }

    /// When the next timer is due; `nil` where none waits.
    mutating func nextDeadline() -> Duration? {
        dropStopped()
        return heap.first?.deadline
    }

    /// Adds a timer, or starts one of that identity anew.
    mutating func start(
        id: Int,
        at deadline: Duration,
        isReferenced: Bool = true,
        operation: JSOperation? = nil
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

    /// The timers that wait.
    var ids: [Int] { live.keys.sorted() }

    /// The timers that wait, in the order in which they are due.
    var waiting: [(id: Int, deadline: Duration)] {
        heap.filter { live[$0.id] == $0.sequence }.sorted { $0.isBefore($1) }.map { ($0.id, $0.deadline) }
    }

    /// Whether a timer keeps a run going and is a script's.
    func isScripts(id: Int) -> Bool { id > 0 && !unreferenced.contains(id) }

    /// Whether a timer waits.
    func has(id: Int) -> Bool { live[id] != nil }

    /// Removes a timer.
    mutating func stop(id: Int) {
        guard live.removeValue(forKey: id) != nil else { return }
        forget(id)
    }

    // Most contexts have none, and then this costs a comparison.
    private mutating func forget(_ id: Int) {
        if id < 0, unreferenced.isEmpty || unreferenced.remove(id) == nil { ownCount -= 1 }
        if !operations.isEmpty { operations[id] = nil }
    }

    /// The first timer that is due and was started before this round, and the operation that it belongs to.
    ///
    /// A timer that a timer starts is for the next round, so that one that starts itself ends no round.
    mutating func nextDue(at now: Duration, startedBefore round: Int) -> (id: Int, operation: JSOperation?)? {
        dropStopped()
        guard let first = heap.first, first.deadline <= now, first.sequence < round else { return nil }
        return (first.id, operations[first.id])
    }

    /// Takes that timer, if it belongs to an operation, or to none.
    mutating func takeDue(at now: Duration, startedBefore round: Int, in operation: JSOperation?) -> Int? {
        guard let first = nextDue(at: now, startedBefore: round), first.operation === operation else {
            return nil
        }
        live[first.id] = nil
        forget(first.id)
        removeFirst()
        return first.id
    }

    /// The mark that ``nextDue(at:startedBefore:)`` takes: everything started until now.
    var round: Int { nextSequence }

    // A stopped timer stays in the heap until it comes up, unless stopped ones are most of it.
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
