extension FetchedResultsController {
    /// The changes of the content as they are delivered.
    ///
    /// ```swift
    /// for await changes in controller.changes { view.apply(changes.changeSet) }
    /// ```
    ///
    /// An element is one delivery. The content changes when the loop asks for the next element, so that it is the state
    /// after these changes in the body of the loop. All commits since the last element are one element. The delegate
    /// and ``onChange`` are called first. A difference that is delivered in other ways, such as by ``apply(_:)``, is an
    /// element too.
    ///
    /// A loop replaces ``changesPending``, an earlier loop and ``deliverChanges(on:)``. It ends when its task is
    /// cancelled, when another loop begins, and with ``close()``. It retains the controller.
    public var changes: Changes { Changes(controller: self) }

    /// The changes of a controller, as an asynchronous sequence for one loop.
    public struct Changes: AsyncSequence {
        /// The changes of one delivery.
        public typealias Element = Difference
        /// No error: the sequence ends without one.
        public typealias Failure = Never

        let controller: FetchedResultsController

        /// Starts following the store.
        public func makeAsyncIterator() -> Iterator { Iterator(controller) }
    }
}

extension FetchedResultsController.Changes {
    /// An iterator, which applies pending changes on the isolation of its caller.
    public struct Iterator: AsyncIteratorProtocol {
        private let controller: FetchedResultsController
        private let deliveries: ChangeDeliveries
        private var signals: AsyncStream<Void>.Iterator
        /// A Boolean value that indicates whether a signal came for changes that were not applied yet.
        private var hasSignal = true

        init(_ controller: FetchedResultsController) {
            let (signals, continuation) = AsyncStream.makeStream(
                of: Void.self,
                bufferingPolicy: .bufferingNewest(1)
            )
            self.controller = controller
            self.signals = signals.makeAsyncIterator()
            deliveries = ChangeDeliveries(signal: continuation)
            controller.deliveries = deliveries
            // Commits between the fetch and this loop call nothing, hence the signal at the beginning.
            controller.changesPending = { continuation.yield() }
        }

        /// Returns the next changes; `nil` after the end.
        ///
        /// Further changes are applied only if all that were delivered have been returned: a commit on another thread
        /// may signal while a delivery is under way.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
            -> Difference?
        {
            while true {
                if let changes = deliveries.takeFirst() { return changes }
                if !hasSignal, await signals.next(isolation: actor) == nil { return deliveries.takeFirst() }
                hasSignal = !deliveries.isEmpty
                if !hasSignal { controller.processPendingChanges() }
            }
        }
    }
}

/// The deliveries for a loop that it has not read yet, in order, on the isolation of the controller.
final class ChangeDeliveries {
    private var queue: [Difference] = []
    private var first = 0
    private let signal: AsyncStream<Void>.Continuation

    init(signal: AsyncStream<Void>.Continuation) { self.signal = signal }

    var isEmpty: Bool { first == queue.count }

    func add(_ changes: Difference) {
        queue.append(changes)
        signal.yield()
    }

    func takeFirst() -> Difference? {
        guard first < queue.count else { return nil }
        defer {
            first += 1
            if first == queue.count { (queue, first) = ([], 0) }
        }
        return queue[first]
    }

    /// Ends the loop once it has read everything.
    func finish() { signal.finish() }
}
