internal import Foundation
package import Synchronization

/// The identity of a thread of this process, valid while it runs.
package struct ThreadID: Hashable, Sendable, AtomicRepresentable {
    package typealias AtomicRepresentation = UInt.AtomicRepresentation

    private let value: UInt

    /// The current thread.
    package static var current: ThreadID {
        #if canImport(Darwin)
            ThreadID(value: UInt(bitPattern: pthread_self()))
        #else
            ThreadID(value: UInt(pthread_self()))
        #endif
    }
    /// No thread.
    package static let none = ThreadID(value: 0)

    package static func encodeAtomicRepresentation(_ value: consuming ThreadID) -> AtomicRepresentation {
        UInt.encodeAtomicRepresentation(value.value)
    }

    package static func decodeAtomicRepresentation(_ representation: consuming AtomicRepresentation)
        -> ThreadID
    {
        ThreadID(value: UInt.decodeAtomicRepresentation(representation))
    }
}
