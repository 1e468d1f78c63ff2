/// The views that wait for reuse, in a queue for each category, kind and identifier.
struct ReuseQueues {
    struct Key: Hashable {
        let category: ElementCategory
        let kind: String
        let identifier: String
    }

    private struct Queue {
        let make: () -> ReusableView
        let registration: Int
        // Two arrays, so that neither end costs more the more views wait: the first view is the last of `first`, the last
        // one that of `last`.
        private var first: [ReusableView] = []
        private var last: [ReusableView] = []

        init(make: @escaping () -> ReusableView, registration: Int) {
            self.make = make
            self.registration = registration
        }

        mutating func append(_ view: ReusableView) { last.append(view) }

        mutating func popFirst() -> ReusableView? {
            if first.isEmpty {
                first = last.reversed()
                last = []
            }
            return first.popLast()
        }
    }

    /// The views that the present callback has dequeued and not yet returned.
    var dequeued: [(view: ReusableView, element: ElementIdentifier)] = []
    /// The view that a data source is asked to configure again, in place of a dequeued one.
    var reconfigured: (element: ElementIdentifier, view: ReusableView)?
    private var queues: [Key: Queue] = [:]
    private var lastNumber = 0
    private var registrations = 0

    /// Registers the function that creates views; the waiting views of an earlier one are released.
    mutating func register(_ key: Key, _ make: @escaping () -> ReusableView) {
        registrations += 1
        queues[key] = Queue(make: make, registration: registrations)
    }

    /// Registers the classes of other queues, whose views stay there.
    mutating func adoptRegistrations(of other: ReuseQueues) {
        for (key, queue) in other.queues { register(key, queue.make) }
    }

    func isRegistered(_ key: Key) -> Bool { queues[key] != nil }

    /// Returns a waiting view, or a new one and whether it is new.
    mutating func dequeue(_ key: Key) throws(CollectionViewError) -> (view: ReusableView, isNew: Bool) {
        // In place: a copy of the queue would copy its waiting views.
        if let view = queues[key]?.popFirst() {
            view.isWaiting = false
            view.prepareForReuse()
            return (view, false)
        }
        guard let queue = queues[key] else {
            let kind = key.category == .cell ? "cells" : "views of kind \"\(key.kind)\""
            throw CollectionViewError(
                .unregisteredIdentifier,
                "no class is registered for \(kind) with the reuse identifier \"\(key.identifier)\""
            )
        }
        let view = queue.make()
        view.reuseIdentifier = key.identifier
        view.registration = queue.registration
        number(view)
        return (view, true)
    }

    /// Gives a view its number, if it has none.
    mutating func number(_ view: ReusableView) {
        guard view.viewNumber == 0 else { return }
        view.viewNumber = makeNumber()
    }

    /// Returns a number that no view of a frame has.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Puts a view into the queue of its identifier; a view without a queue or of an earlier registration is released.
    mutating func enqueue(_ view: ReusableView, _ element: ElementIdentifier) {
        view.layoutAttributes = nil
        guard let identifier = view.reuseIdentifier else { return }
        let key = Key(category: element.category, kind: element.kind, identifier: identifier)
        guard queues[key]?.registration == view.registration else { return }
        view.isWaiting = true
        // The first one is dequeued first: views of another part of the content then have the order of those before, so that
        // a renderer whose nodes are in the order of the items has to move none.
        queues[key]?.append(view)
    }
}
