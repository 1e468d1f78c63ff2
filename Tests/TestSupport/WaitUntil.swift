/// Waits until a condition is true, while other tasks and threads run, for a minute at most.
///
/// It is for effects without a notification, such as the release of what a thread's last work retained. A fixed number
/// of rounds would not suffice, since a busy machine may not run the other thread meanwhile.
///
/// - Returns: Whether the condition is true.
package nonisolated(nonsending) func waitUntil(_ isSo: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !isSo() {
        guard ContinuousClock.now < end else { return false }
        await Task.yield()
    }
    return true
}
