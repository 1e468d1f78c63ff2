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
    /// What knows the references of the script's payloads; none cross where it is `nil`.
    var references: (any JSReferences)?
    /// Writes what the script builds.
    let writer: SlabWriter
    private var outgoing: UnsafeMutablePointer<Double>?
    private var outgoingCapacity = 0
    private(set) var incoming: UnsafeMutablePointer<Double>
    private(set) var incomingCapacity: Int
    private static let smallestCapacity = 1024
    /// Whether the script still sees an older, smaller area.
    private(set) var incomingIsNew = true

    init() {
        incomingCapacity = Self.smallestCapacity
        incoming = .allocate(capacity: incomingCapacity)
        writer = SlabWriter(cells: incoming, capacity: incomingCapacity)
        writer.join(self)
    }

    deinit {
        writer.deallocate()
        if incomingIsNew { incoming.deallocate() }
    }

    func takeTaken() -> Value {
        defer { taken = .undefined }
        return taken
    }

    /// What the script has written, from a cell on: nothing where there is no such cell.
    func outgoingCells(from start: Int) -> UnsafeBufferPointer<Double> {
        guard let outgoing, (0..<outgoingCapacity).contains(start) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: outgoing + start, count: outgoingCapacity - start)
    }

    /// Makes a larger area for the script to write to, with what it has written.
    ///
    /// - Throws: ``BridgeError`` where the engine has no memory for it; the old area is then still in use.
    func growOutgoing(used: Int, in context: JSContextRef) throws -> JSObjectRef {
        try replaceOutgoing(
            capacity: max(Self.smallestCapacity, outgoingCapacity * 2),
            keeping: min(max(used, 0), outgoingCapacity),
            in: context
        )
    }

    /// Makes a small empty area for the script to write to.
    func renewOutgoing(in context: JSContextRef) throws -> JSObjectRef {
        try replaceOutgoing(capacity: Self.smallestCapacity, keeping: 0, in: context)
    }

    private func replaceOutgoing(capacity: Int, keeping used: Int, in context: JSContextRef) throws
        -> JSObjectRef
    {
        let area = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
        if let outgoing { area.update(from: outgoing, count: used) }
        (area + used).initialize(repeating: Tag.undefined, count: capacity - used)
        let shared = try Self.share(area, capacity: capacity, in: context)
        outgoing = area
        outgoingCapacity = capacity
        return shared
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

    /// Hands the area that the script reads over to it; nothing where it has it already.
    ///
    /// - Throws: ``BridgeError`` where the engine has no memory for it; what was written is then lost.
    func shareIncoming(in context: JSContextRef) throws -> JSObjectRef? {
        guard incomingIsNew else { return nil }
        incomingIsNew = false
        do {
            return try Self.share(incoming, capacity: incomingCapacity, in: context)
        } catch {
            makeIncoming()
            throw error
        }
    }

    /// Lets the area go that was handed over to a script which was stopped before it noted it.
    func abandonIncoming() {
        if !incomingIsNew { makeIncoming() }
    }

    private func makeIncoming() {
        incomingCapacity = Self.smallestCapacity
        incoming = .allocate(capacity: incomingCapacity)
        incomingIsNew = true
    }

    // The engine gives the memory back in either case: with the typed array, or at once where it makes none.
    private static func share(
        _ cells: UnsafeMutablePointer<Double>,
        capacity: Int,
        in context: JSContextRef
    ) throws -> JSObjectRef {
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            context,
            kJSTypedArrayTypeFloat64Array,
            cells,
            capacity * MemoryLayout<Double>.stride,
            { bytes, _ in bytes?.deallocate() },
            nil,
            &exception
        )
        guard let array else {
            throw BridgeError(.limitExceeded, "the engine has no memory for a payload of \(capacity) cells")
        }
        return array
    }

    /// Hands the marks of known texts over to the script.
    ///
    /// - Throws: ``BridgeError`` where the engine has no memory for them.
    func shareKnown(in context: JSContextRef) throws -> JSObjectRef {
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            context,
            kJSTypedArrayTypeFloat64Array,
            writer.known.marks,
            KnownTexts.count * MemoryLayout<Double>.stride,
            { _, _ in },
            nil,
            &exception
        )
        guard let array else { throw BridgeError(.limitExceeded, "the engine has no memory for known texts") }
        return array
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
        static let reference = 12.0
        static let longString = 13.0
        static let longStringAgain = 14.0
        /// The first tag that stands for a shape: an object whose members are known.
        static let firstShape = 16.0
    }
}
