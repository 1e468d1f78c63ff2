internal import CJavaScriptCoreSPI
internal import Synchronization

/// A generation check that allows only the decoders, encoders and containers of the value that is being coded, on its
/// thread.
///
/// A type may keep its decoder or encoder and pass it to another thread. Decoders and encoders therefore contain a
/// number instead of a reference: counting a reference at every member took a third of the time of a small structure
/// (measured). The number must equal the mark's current one. Each value gets a new number, and containers get one
/// whenever one of them was kept. Marks are recycled but never freed, so a stale container can still be checked safely.
struct CoderGeneration {
    /// The mark of the thread that is coding; 0 if none is.
    private var thread: UInt = 0
    private(set) var value: UInt = 0
    private(set) var containers: UInt = 0
    private var last: UInt = 0

    typealias Pointer = UnsafeMutablePointer<CoderGeneration>

    /// Returns whether this thread is coding the value with that number.
    @inline(__always)
    static func isOpen(_ mark: Pointer, value: UInt) -> Bool {
        // A mark that another thread uses is not read.
        jsb_load_mark(&mark.pointee.thread) == jsb_thread_mark() && mark.pointee.value == value
    }

    /// Returns whether this thread is coding a value whose containers have that number.
    @inline(__always)
    static func isOpen(_ mark: Pointer, containers: UInt) -> Bool {
        jsb_load_mark(&mark.pointee.thread) == jsb_thread_mark() && mark.pointee.containers == containers
    }

    /// Begins a value.
    @inline(__always)
    static func begin(_ mark: Pointer) {
        mark.pointee.last += 1
        mark.pointee.value = mark.pointee.last
        jsb_store_mark(&mark.pointee.thread, jsb_thread_mark())
    }

    /// Ends a value.
    @inline(__always)
    static func end(_ mark: Pointer) { jsb_store_mark(&mark.pointee.thread, 0) }

    /// Resumes a value that ``end(_:)`` suspended.
    @inline(__always)
    static func resume(_ mark: Pointer) { jsb_store_mark(&mark.pointee.thread, jsb_thread_mark()) }

    /// Invalidates all existing containers, because one of them may have been kept.
    static func invalidateContainers(_ mark: Pointer) {
        mark.pointee.last += 1
        mark.pointee.containers = mark.pointee.last
    }

    private struct Idle: @unchecked Sendable {
        // @unchecked Sendable because a mark in the array has no other user, and a lock protects the array.
        var marks: [Pointer] = []
    }

    private static let idle = Mutex(Idle())

    /// Returns a mark that is not in use.
    static func take() -> Pointer {
        let mark =
            idle.withLock { $0.marks.popLast() }
            ?? {
                let new = Pointer.allocate(capacity: 1)
                new.initialize(to: CoderGeneration())
                return new
            }()
        invalidateContainers(mark)
        return mark
    }

    /// Returns a mark to the unused ones.
    static func recycle(_ mark: Pointer) {
        end(mark)
        invalidateContainers(mark)
        let idleMark = Idle(marks: [mark])
        idle.withLock { $0.marks += idleMark.marks }
    }
}

/// The containers of a decoder or encoder.
///
/// The first container that a type requests is reused for one value after another, as long as the type does not keep
/// it. Further containers serve one value only. Creating one costs half as much as reading a structure of five members
/// (measured). The memory is plain, because a copy of an array could also retain them.
struct CoderContainers {
    private static let capacity = 4
    private var keys: UnsafeRawPointer?
    private let usual: UnsafeMutablePointer<AnyObject?>
    private let made = UnsafeMutablePointer<AnyObject>.allocate(capacity: capacity)
    private var madeCount = 0
    /// A Boolean value that indicates whether a container was made for which the reference count does not show whether
    /// it was kept.
    private var hasUnknown = false

    init() {
        usual = .allocate(capacity: 1)
        usual.initialize(to: nil)
    }

    /// Frees the memory.
    mutating func deallocate() {
        forget()
        usual.deallocate()
        made.deallocate()
    }

    /// Returns the address of the reusable container if it is for these keys.
    ///
    /// It returns an address, because a cast to a container looks up its type (20 ns, measured).
    @inline(__always)
    func usual<Key>(for keys: Key.Type) -> UnsafeRawPointer? {
        guard self.keys == unsafeBitCast(keys, to: UnsafeRawPointer.self), usual.pointee != nil else {
            return nil
        }
        return UnsafeRawPointer(usual)
    }

    /// Records a container that was created.
    mutating func note<Key, Container>(_ container: Container, for keys: Key.Type) {
        // Only a container that is a reference to an object shows whether it was kept.
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size, madeCount < Self.capacity else {
            hasUnknown = true
            return
        }
        if usual.pointee == nil, madeCount == 0 { self.keys = unsafeBitCast(keys, to: UnsafeRawPointer.self) }
        (made + madeCount).initialize(to: unsafeBitCast(container, to: AnyObject.self))
        madeCount += 1
    }

    /// Ends a value.
    ///
    /// Returns false if a container may have been kept; then all containers are given up.
    @inline(__always)
    mutating func end() -> Bool {
        if madeCount > 0 || hasUnknown { return endMade() }
        guard usual.pointee != nil, !isKnownUniquelyReferenced(&usual.pointee) else { return true }
        forget()
        return false
    }

    private mutating func endMade() -> Bool {
        var isKept = hasUnknown || usual.pointee != nil && !isKnownUniquelyReferenced(&usual.pointee)
        for index in 0..<madeCount where !isKnownUniquelyReferenced(&made[index]) { isKept = true }
        guard !isKept else {
            forget()
            return false
        }
        let first = usual.pointee ?? made[0]
        let keys = keys
        forget()
        self.keys = keys
        usual.pointee = first
        return true
    }

    private mutating func forget() {
        made.deinitialize(count: madeCount)
        madeCount = 0
        hasUnknown = false
        usual.pointee = nil
        keys = nil
    }
}
