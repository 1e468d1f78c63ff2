internal import Foundation
internal import Synchronization

/// The name of a thread of this process, as long as it runs.
struct ThreadID: Hashable, Sendable, AtomicRepresentable {
    typealias AtomicRepresentation = UInt.AtomicRepresentation

    let value: UInt

    /// The thread that asks.
    static var current: ThreadID { ThreadID(value: UInt(pthread_self())) }
    /// No thread.
    static let none = ThreadID(value: 0)

    static func encodeAtomicRepresentation(_ value: consuming ThreadID) -> AtomicRepresentation {
        UInt.encodeAtomicRepresentation(value.value)
    }

    static func decodeAtomicRepresentation(_ representation: consuming AtomicRepresentation) -> ThreadID {
        ThreadID(value: UInt.decodeAtomicRepresentation(representation))
    }
}
