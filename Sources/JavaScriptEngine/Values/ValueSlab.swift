internal import BridgeValues
internal import CJavaScriptCore
internal import Foundation

/// The two areas of numbers that Swift and the package's own script share, one for each direction.
///
/// The layout is described at the head of `JS/src/engine/values.js`. The memory is passed to a typed array without a copy
/// and is freed with it.
final class ValueSlab {
    /// The value that the script took last, for the caller that requested it.
    var taken: Value = .undefined
    /// The converter of references in the context's payloads; without one, no references cross.
    var references: (any JSReferences)?
    /// A writer of the values that the script builds.
    let writer: SlabWriter
    private var outgoing: UnsafeMutablePointer<Double>?
    private var outgoingCapacity = 0
    private(set) var incoming: UnsafeMutablePointer<Double>
    private(set) var incomingCapacity: Int
    private static let smallestCapacity = 1024
    /// A Boolean value that indicates whether the script still uses an older, smaller area.
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

    /// Returns the cells that the script has written, from an index on; the result is empty if the index is out of
    /// range.
    func outgoingCells(from start: Int) -> UnsafeBufferPointer<Double> {
        guard let outgoing, (0..<outgoingCapacity).contains(start) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: outgoing + start, count: outgoingCapacity - start)
    }

    /// Creates a larger area for the script to write to, with the content of the old one.
    ///
    /// - Throws: ``BridgeError`` if the engine has no memory for it; the old area then remains in use.
    func growOutgoing(used: Int, in context: JSContextRef) throws -> JSObjectRef {
        try replaceOutgoing(
            capacity: max(Self.smallestCapacity, outgoingCapacity * 2),
            keeping: min(max(used, 0), outgoingCapacity),
            in: context
        )
    }

    /// Creates a small empty area for the script to write to.
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

    /// Ensures capacity for a number of cells that the script reads.
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

    /// Passes the area that the script reads to it; does nothing if the script already has it.
    ///
    /// - Throws: ``BridgeError`` if the engine has no memory for it; the written content is then lost.
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

    /// Abandons an area that was passed to a script which was stopped before it recorded the area.
    func abandonIncoming() {
        if !incomingIsNew { makeIncoming() }
    }

    private func makeIncoming() {
        incomingCapacity = Self.smallestCapacity
        incoming = .allocate(capacity: incomingCapacity)
        incomingIsNew = true
    }

    // The engine frees the memory in any case: with the typed array, or immediately if it creates none.
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

    /// Passes the marks of interned strings to the script.
    ///
    /// - Throws: ``BridgeError`` if the engine has no memory for them.
    func shareKnown(in context: JSContextRef) throws -> JSObjectRef {
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            context,
            kJSTypedArrayTypeFloat64Array,
            writer.known.marks,
            InternedStrings.count * MemoryLayout<Double>.stride,
            { _, _ in },
            nil,
            &exception
        )
        guard let array else {
            throw BridgeError(.limitExceeded, "the engine has no memory for interned strings")
        }
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
        static let numbers = 15.0
        // Larger numbers are shapes: objects whose members are known in advance.
    }
}
