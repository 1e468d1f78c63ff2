internal import BridgeValues
internal import CJavaScriptCore
internal import Foundation

/// The two areas of numbers that native code and the package's own script both see: one for each direction.
///
/// The layout is at the head of `JS/src/01_values.js`. Memory is handed to a typed array without a copy and
/// goes with it.
final class ValueSlab {
    /// What the script took last, for the caller that asked it to.
    var taken: Value = .undefined
    private(set) var outgoing: UnsafeMutablePointer<Double>
    private(set) var outgoingCapacity = 0
    private(set) var incoming: UnsafeMutablePointer<Double>
    private(set) var incomingCapacity: Int
    /// Whether the script still sees an older, smaller area.
    private(set) var incomingIsNew = true

    init() {
        incomingCapacity = 1024
        incoming = .allocate(capacity: incomingCapacity)
        outgoing = incoming
    }

    deinit {
        if incomingIsNew { incoming.deallocate() }
    }

    func takeTaken() -> Value {
        defer { taken = .undefined }
        return taken
    }

    /// Makes a larger area for the script to write to, with what it has written.
    func growOutgoing(used: Int, in context: JSContextRef) -> JSObjectRef? {
        let capacity = max(1024, outgoingCapacity * 2)
        let larger = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
        larger.update(from: outgoing, count: min(used, outgoingCapacity))
        outgoing = larger
        outgoingCapacity = capacity
        return Self.share(larger, capacity: capacity, in: context)
    }

    /// Makes sure that a number of cells can be written for the script to read.
    func reserveIncoming(_ count: Int, used: Int) {
        guard count > incomingCapacity else { return }
        let capacity = max(count, incomingCapacity * 2)
        let larger = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
        larger.update(from: incoming, count: used)
        if incomingIsNew { incoming.deallocate() }
        incoming = larger
        incomingCapacity = capacity
        incomingIsNew = true
    }

    /// Hands the area that the script reads over to it.
    func shareIncoming(in context: JSContextRef) -> JSObjectRef? {
        guard incomingIsNew else { return nil }
        incomingIsNew = false
        return Self.share(incoming, capacity: incomingCapacity, in: context)
    }

    private static func share(
        _ cells: UnsafeMutablePointer<Double>,
        capacity: Int,
        in context: JSContextRef
    ) -> JSObjectRef? {
        JSObjectMakeTypedArrayWithBytesNoCopy(
            context,
            kJSTypedArrayTypeFloat64Array,
            cells,
            capacity * MemoryLayout<Double>.stride,
            { bytes, _ in bytes?.deallocate() },
            nil,
            nil
        )
    }

    /// The tags of the layout.
    enum Tag {
        static let undefined = 0.0
        static let null = 1.0
        static let `false` = 2.0
        static let `true` = 3.0
        static let number = 4.0
        static let string = 5.0
        static let array = 6.0
        static let object = 7.0
        static let date = 8.0
        static let bytes = 9.0
        static let bigInt = 10.0
        static let hole = 11.0
    }
}
