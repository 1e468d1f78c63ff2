internal import Foundation

/// Which thread this is.
struct ThreadIdentity: Hashable, Sendable {
    private let raw: UInt

    /// The calling thread.
    static var current: ThreadIdentity {
        #if canImport(Darwin)
            ThreadIdentity(raw: UInt(bitPattern: pthread_self()))
        #else
            ThreadIdentity(raw: UInt(pthread_self()))
        #endif
    }
}
