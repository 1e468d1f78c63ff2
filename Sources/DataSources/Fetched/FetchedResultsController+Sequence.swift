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
        /// Deliveries, and `nil` where the controller may have pending changes.
        private var events: AsyncStream<FetchedChanges?>.Iterator

        init(_ controller: FetchedResultsController) {
            let (events, continuation) = AsyncStream.makeStream(of: FetchedChanges?.self)
            self.controller = controller
            self.events = events.makeAsyncIterator()
            controller.deliveries = continuation
            controller.changesPending = { continuation.yield(nil) }
            // Commits between the fetch and this loop call nothing.
            continuation.yield(nil)
        }

        /// Returns the next changes; `nil` after the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
            -> FetchedChanges?
        {
            while let event = await events.next(isolation: actor) {
                if let changes = event { return changes }
                controller.processPendingChanges()
            }
            return nil
        }
    }
}
