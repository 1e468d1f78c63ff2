internal import Synchronization

/// The record that a runtime was closed, which happens once and on any thread, and the handler for it.
struct RuntimeClosing: ~Copyable, Sendable {
    private let hasBegun = Atomic(false)
    private let handler = Mutex<(@Sendable () -> Void)?>(nil)

    /// A Boolean value that indicates whether the runtime was closed, before the handler is called.
    var isClosed: Bool { hasBegun.load(ordering: .sequentiallyConsistent) }

    /// Records that the runtime is closed, and calls the handler if it was open.
    ///
    /// - Returns: Whether it was open.
    func begin() -> Bool {
        guard !hasBegun.exchange(true, ordering: .sequentiallyConsistent) else { return false }
        let handler = handler.withLock { $0.take() }
        handler?()
        return true
    }

    /// Sets the handler that is called once, on the closing thread.
    func setHandler(_ handler: @escaping @Sendable () -> Void) { self.handler.withLock { $0 = handler } }
}
