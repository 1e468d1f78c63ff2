/// A store that can tell whether the calling thread is in the middle of a write.
///
/// What is read then may be undone: nobody else must be shown it.
package protocol ThreadWriting: Store {
    /// Whether a write is open on the calling thread.
    var isWritingOnThisThread: Bool { get }
}
