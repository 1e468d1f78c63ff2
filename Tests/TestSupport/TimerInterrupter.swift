internal import Foundation
package import JavaScriptEngine
internal import Synchronization

/// An observer of a context that terminates a turn when a timer is about to fire, before its callback has begun.
package final class TimerInterrupter: ContextObserver, Sendable {
    // Used only inside turns of the context.
    nonisolated(unsafe) private weak let context: JSContext?
    private let count: Mutex<Int>

    /// The number of timers whose turns it still terminates.
    package var remainingCount: Int { count.withLock { $0 } }

    package init(in context: JSContext, count: Int) {
        self.context = context
        self.count = Mutex(count)
    }

    package func willFireTimer(_ id: Int) {
        guard let context else { return }
        let interrupts = count.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        guard interrupts else { return }
        context.virtualMachine.interruptHandle.interrupt(reason: "a test")
        // The engine finds out at its next tick, which it gives after some processor time of the thread. Then it refuses
        // the call that follows.
        let end = processorTime + .milliseconds(50)
        while processorTime < end {}
    }

    private var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    package func willEvaluate(_ script: String, sourceURL: String?, startingLine: Int) {}
    package func didEvaluate(_ result: Result<JSValue, JSException>) {}
    package func willRunMicrotasks() {}
    package func willBeginTurn() {}
    package func didEndTurn() {}
}
