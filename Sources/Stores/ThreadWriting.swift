/// A store that can tell whether the calling thread is inside a write.
///
/// Data read inside a write may be rolled back, so it must not be passed on.
package protocol ThreadWriting: Store {
    /// A Boolean value that indicates whether the calling thread has an open write.
    var isWritingOnThisThread: Bool { get }
}
