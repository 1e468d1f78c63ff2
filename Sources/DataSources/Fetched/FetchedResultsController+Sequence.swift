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
        public typealias Element = FetchedChanges
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
        private let queue = ChangeQueue()
        private var wakeUps: AsyncStream<Void>.Iterator

        init(_ controller: FetchedResultsController) {
            self.controller = controller
            wakeUps = queue.wakeUps.makeAsyncIterator()
            controller.changeQueue = queue
            controller.changesPending = { [wake = queue.wake] in wake.yield() }
        }

        /// Returns the next changes; `nil` after the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
            -> FetchedChanges?
        {
            while !Task.isCancelled {
                if let changes = queue.takeFirst() { return changes }
                guard queue.isOpen else { return nil }
                if controller.processPendingChanges() { continue }
                _ = await wakeUps.next(isolation: actor)
            }
            return nil
        }
    }
}

/// The deliveries that a loop over a controller's changes has not taken yet.
final class ChangeQueue {
    let wakeUps: AsyncStream<Void>
    let wake: AsyncStream<Void>.Continuation
    private var waiting: [FetchedChanges] = []
    private(set) var isOpen = true

    init() {
        // One wake-up represents any number of changes.
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func append(_ changes: FetchedChanges) {
        waiting.append(changes)
        wake.yield()
    }

    func takeFirst() -> FetchedChanges? { waiting.isEmpty ? nil : waiting.removeFirst() }

    func close() {
        isOpen = false
        wake.finish()
    }
}
