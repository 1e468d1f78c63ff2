internal import Synchronization

/// An array to which a test's handlers and sinks add elements from any thread, and on which a test can wait.
public final class Recorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    /// Creates an empty array.
    public init() {}

    /// The elements, in order.
    public var elements: [Element] { state.withLock { $0.elements } }

    /// Adds an element.
    public func add(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let count = state.elements.count
            let ready = state.waiters.filter { $0.value.count <= count }
            for number in ready.keys { state.waiters[number] = nil }
            return ready.values
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Waits until there are a number of elements, or until the task is cancelled, as a test is that exceeds its time
    /// limit.
    ///
    /// - Returns: Whether there are that many elements.
    @discardableResult
    public func wait(for count: Int) async -> Bool {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.elements.count < count, !Task.isCancelled else { return true }
                    state.waiters[number] = (count, continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.continuation.resume()
        }
        return state.withLock { $0.elements.count >= count }
    }
}
