/// Lets other tasks and threads go on until something is so, for a minute at most.
///
/// For what they do last, of which they tell nobody: a thread lets go what its last work held. A number of rounds is
/// nothing to wait by, since a busy machine runs none of the other thread meanwhile.
///
/// - Returns: Whether it is so.
package nonisolated(nonsending) func waitUntil(_ isSo: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !isSo() {
        guard ContinuousClock.now < end else { return false }
        await Task.yield()
    }
    return true
}
