internal import BridgeValues
internal import Foundation

/// Writes values into the slab for the script to build.
///
/// One per context, used again and again. A value that is written runs no script, but its `encode(to:)` is
/// the user's code and may do anything, also make another value meanwhile: ``JSContext/writing(_:)`` keeps
/// such two apart.
final class SlabWriter {
    let slab: ValueSlab
    /// Bytes that travel beside the slab.
    private(set) var bytes: [Data] = []
    private(set) var used = 0
    private var units: UnsafeMutablePointer<UInt16>
    private(set) var unitCount = 0
    private var unitCapacity = 512
    private var nodes = 0
    private(set) var depth = 0
    private var maximumDepth = 0
    private var maximumNodes = 0
    /// Whether a value is being written.
    private(set) var isOpen = false

    init(slab: ValueSlab) {
        self.slab = slab
        units = .allocate(capacity: unitCapacity)
    }

    deinit { units.deallocate() }

    /// The text of everything written.
    var text: UnsafeMutableBufferPointer<UInt16> { UnsafeMutableBufferPointer(start: units, count: unitCount) }

    /// What was written, to go on with after another value.
    struct Interruption {
        fileprivate let cells: [Double]
        fileprivate let units: [UInt16]
        fileprivate let bytes: [Data]
        fileprivate let nodes: Int
        fileprivate let depth: Int
    }

    /// Begins a value, in the middle of another one if need be.
    func begin(limits: ExecutionLimits) -> Interruption? {
        var interruption: Interruption?
        if isOpen {
            interruption = Interruption(
                cells: Array(UnsafeBufferPointer(start: slab.incoming, count: used)),
                units: Array(text),
                bytes: bytes,
                nodes: nodes,
                depth: depth
            )
        }
        isOpen = true
        used = 0
        unitCount = 0
        nodes = 0
        depth = 0
        if !bytes.isEmpty { bytes = [] }
        maximumDepth = limits.maximumDepth
        maximumNodes = limits.maximumNodes
        return interruption
    }

    /// Ends the value, and goes on with the one that it interrupted.
    func end(_ interruption: Interruption?) {
        isOpen = interruption != nil
        guard let interruption else {
            // One large text must not be kept for ever.
            if unitCapacity > 1 << 20 { replaceUnits(capacity: 512, keeping: 0) }
            return
        }
        used = 0
        unitCount = 0
        slab.reserveIncoming(interruption.cells.count, used: 0)
        for cell in interruption.cells { put(cell) }
        reserveUnits(interruption.units.count)
        for unit in interruption.units {
            units[unitCount] = unit
            unitCount += 1
        }
        bytes = interruption.bytes
        nodes = interruption.nodes
        depth = interruption.depth
    }

    /// A place in what is written, to come back to.
    struct Mark {
        fileprivate let used: Int
        fileprivate let unitCount: Int
        fileprivate let byteCount: Int
        fileprivate let nodes: Int
    }

    /// The place where the writer is.
    var mark: Mark { Mark(used: used, unitCount: unitCount, byteCount: bytes.count, nodes: nodes) }

    /// Takes back what was written since a place.
    func rewind(to mark: Mark) {
        used = mark.used
        unitCount = mark.unitCount
        if bytes.count > mark.byteCount { bytes.removeLast(bytes.count - mark.byteCount) }
        nodes = mark.nodes
    }

    // MARK: Cells and text

    @inline(__always)
    func put(_ cell: Double) {
        if used >= slab.incomingCapacity { slab.reserveIncoming(used + 1, used: used) }
        slab.incoming[used] = cell
        used += 1
    }

    @inline(__always)
    func put(_ tag: Double, _ cell: Double) {
        put(tag)
        put(cell)
    }

    /// Changes a cell that was written before.
    func replace(_ index: Int, by cell: Double) { slab.incoming[index] = cell }

    /// Writes the length of a text into a cell, and the text beside the cells.
    @inline(__always)
    func put(text: String) {
        var text = text
        let count = text.withUTF8 { bytes in
            reserveUnits(bytes.count)
            let target = UnsafeMutableBufferPointer(start: units + unitCount, count: max(bytes.count, 1))
            return EngineText.widen(bytes, into: target)
        }
        unitCount += count
        put(Double(count))
    }

    @inline(__always)
    private func reserveUnits(_ count: Int) {
        if unitCount + count > unitCapacity {
            replaceUnits(capacity: max(unitCount + count, unitCapacity * 2), keeping: unitCount)
        }
    }

    private func replaceUnits(capacity: Int, keeping count: Int) {
        let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
        larger.update(from: units, count: count)
        units.deallocate()
        units = larger
        unitCapacity = capacity
    }

    // MARK: Limits

    /// Counts values that are about to be written.
    ///
    /// - Throws: ``BridgeError`` where the payload holds too many.
    @inline(__always)
    func count(_ count: Int = 1) throws {
        nodes += count
        if nodes > maximumNodes { throw Self.tooMany(maximumNodes) }
    }

    /// Enters a container.
    ///
    /// - Throws: ``BridgeError`` where it nests too deep.
    @inline(__always)
    func enter() throws {
        guard depth < maximumDepth else { throw Self.tooDeep(maximumDepth) }
        depth += 1
    }

    /// Leaves a container.
    @inline(__always)
    func leave() { depth -= 1 }

    private static func tooMany(_ limit: Int) -> BridgeError {
        BridgeError(.limitExceeded, "a payload may hold \(limit) values, this one holds more")
    }

    private static func tooDeep(_ limit: Int) -> BridgeError {
        BridgeError(.limitExceeded, "a payload may nest \(limit) levels deep, this one goes deeper")
    }
}

extension SlabWriter {
    /// Writes a value.
    ///
    /// The containers on the way down stand in a list and not on the stack, of which a script that calls
    /// native code may have left little.
    ///
    /// - Throws: ``BridgeError`` where it nests too deep or holds too much.
    func write(_ value: Value) throws {
        var open: [Container] = []
        guard var current = try writeHead(of: value) else { return }
        while true {
            var inner: Container?
            switch current {
            case .array(var elements):
                while inner == nil, let element = elements.next() { inner = try writeHead(of: element) }
                current = .array(elements)
            case .object(var members):
                while inner == nil, let member = members.next() {
                    put(text: member.key)
                    inner = try writeHead(of: member.value)
                }
                current = .object(members)
            }
            if let inner {
                open.append(current)
                current = inner
            } else {
                leave()
                guard let outer = open.popLast() else { return }
                current = outer
            }
        }
    }

    /// What is still to be written of a container.
    private enum Container {
        case array(IndexingIterator<[Value]>)
        case object(IndexingIterator<[ValueObject.Member]>)
    }

    /// Writes a leaf, or the head of a container whose content is then still to be written.
    private func writeHead(of value: Value) throws -> Container? {
        try count()
        switch value {
        case .undefined: put(ValueSlab.Tag.undefined)
        case .null: put(ValueSlab.Tag.null)
        case .bool(let flag): put(flag ? ValueSlab.Tag.true : ValueSlab.Tag.false)
        case .integer(let number):
            if number.magnitude <= UInt64(Value.maximumSafeInteger) {
                put(ValueSlab.Tag.number, Double(number))
            } else {
                put(ValueSlab.Tag.bigInt)
                put(text: String(number))
            }
        case .double(let number): put(ValueSlab.Tag.number, number)
        case .bigInt(let digits):
            put(ValueSlab.Tag.bigInt)
            put(text: digits)
        case .string(let text):
            put(ValueSlab.Tag.string)
            put(text: text)
        case .illFormedString(let text):
            put(ValueSlab.Tag.string, Double(text.count))
            reserveUnits(text.count)
            for unit in text {
                units[unitCount] = unit
                unitCount += 1
            }
        case .date(let date): put(ValueSlab.Tag.date, (date.timeIntervalSince1970 * 1000).rounded())
        case .bytes(let data):
            put(ValueSlab.Tag.bytes)
            bytes.append(data)
        case .array(let elements):
            try enter()
            put(ValueSlab.Tag.array, Double(elements.count))
            return .array(elements.makeIterator())
        case .object(let object):
            try enter()
            put(ValueSlab.Tag.object, Double(object.count))
            return .object(object.members.makeIterator())
        }
        return nil
    }
}

extension JSContext {
    /// Has a body write one value, and gives the engine's text that goes with the cells; what `build` needs
    /// further is in its place.
    ///
    /// A turn must be open, and the value must be built before anything else is written.
    func writing(_ body: (SlabWriter) throws -> Void) throws -> EncodedValue {
        let writer = slab.writer
        let interruption = writer.begin(limits: virtualMachine.limits)
        defer { writer.end(interruption) }
        try body(writer)
        if slab.incomingIsNew {
            do {
                try call(script.refreshIncoming, [])
            } catch {
                slab.abandonIncoming()
                throw error
            }
        }
        if !writer.bytes.isEmpty { try shareBytes(writer.bytes) }
        return makeText(of: writer.text)
    }
}
