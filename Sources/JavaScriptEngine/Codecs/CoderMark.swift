internal import CJavaScriptCoreSPI
internal import Synchronization

/// Says which decoders, encoders and containers may be used: those of the value that is being coded, on its thread.
///
/// A type may keep what it gets, and hand it to other threads. What it gets is therefore no reference to anything,
/// which would be counted at every member (a third of the time of a small structure, measured), but a number that
/// must be the mark's: a new one for each value, and for containers a new one whenever somebody has kept one.
/// Marks are used again, but never given back, so that whoever has kept a number can always ask.
struct CoderMark {
    /// The mark of the thread that codes; 0 where none does.
    private var thread: UInt = 0
    private(set) var value: UInt = 0
    private(set) var containers: UInt = 0
    private var last: UInt = 0

    typealias Pointer = UnsafeMutablePointer<CoderMark>

    /// Whether the value of that number is being coded, by this thread.
    @inline(__always)
    static func isOpen(_ mark: Pointer, value: UInt) -> Bool {
        // What belongs to another thread is not looked at.
        jsb_load_mark(&mark.pointee.thread) == jsb_thread_mark() && mark.pointee.value == value
    }

    /// Whether a value is being coded by this thread that containers of that number belong to.
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

    /// Goes on with a value that was put aside by ``end(_:)``.
    @inline(__always)
    static func goOn(_ mark: Pointer) { jsb_store_mark(&mark.pointee.thread, jsb_thread_mark()) }

    /// Leaves all containers to those that have kept them, who can use them no more.
    static func leaveContainers(_ mark: Pointer) {
        mark.pointee.last += 1
        mark.pointee.containers = mark.pointee.last
    }

    private struct Idle: @unchecked Sendable {
        // @unchecked Sendable because a mark in the list belongs to nobody, and the list is behind a lock.
        var marks: [Pointer] = []
    }

    private static let idle = Mutex(Idle())

    /// A mark that no value is coded under.
    static func take() -> Pointer {
        let mark =
            idle.withLock { $0.marks.popLast() }
            ?? {
                let new = Pointer.allocate(capacity: 1)
                new.initialize(to: CoderMark())
                return new
            }()
        leaveContainers(mark)
        return mark
    }

    /// Gives a mark back.
    static func giveBack(_ mark: Pointer) {
        end(mark)
        leaveContainers(mark)
        let idleMark = Idle(marks: [mark])
        idle.withLock { $0.marks += idleMark.marks }
    }
}

/// The containers of a decoder or encoder: the one that a type asks for first, which serves one value after another as
/// long as nobody keeps it, and those made for one value.
///
/// To make one costs half as much as to read a structure of five members (measured). Their memory is plain: in an array
/// a copy of that could refer to them too.
struct CoderContainers {
    private static let capacity = 4
    private var keys: UnsafeRawPointer?
    private let usual: UnsafeMutablePointer<AnyObject?>
    private let made = UnsafeMutablePointer<AnyObject>.allocate(capacity: capacity)
    private var madeCount = 0
    /// Whether one was made that cannot be told from a kept one.
    private var hasUnknown = false

    init() {
        usual = .allocate(capacity: 1)
        usual.initialize(to: nil)
    }

    /// Gives the memory back.
    mutating func deallocate() {
        forget()
        usual.deallocate()
        made.deallocate()
    }

    /// Where the container for keys is, if it is the one that the type asks for first.
    ///
    /// A place and no container, since a cast to one looks its type up (20 ns, measured).
    @inline(__always)
    func usual<Key>(for keys: Key.Type) -> UnsafeRawPointer? {
        guard self.keys == unsafeBitCast(keys, to: UnsafeRawPointer.self), usual.pointee != nil else {
            return nil
        }
        return UnsafeRawPointer(usual)
    }

    /// Notes a container that was made.
    mutating func note<Key, Container>(_ container: Container, for keys: Key.Type) {
        // Where a container is no reference to an object, nothing says whether it is kept.
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size, madeCount < Self.capacity else {
            hasUnknown = true
            return
        }
        if usual.pointee == nil, madeCount == 0 { self.keys = unsafeBitCast(keys, to: UnsafeRawPointer.self) }
        (made + madeCount).initialize(to: unsafeBitCast(container, to: AnyObject.self))
        madeCount += 1
    }

    /// Ends a value; false where a container of it may have been kept, and all are left to whoever has them.
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
