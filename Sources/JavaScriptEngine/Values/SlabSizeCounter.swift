internal import CJavaScriptCore

extension HostCall {
    /// Returns the size of the data that ``take`` put into the slab, before it is read.
    ///
    /// The size is 8 bytes for each value, 2 for each UTF-16 unit of strings and keys, and the bytes of buffers. The
    /// function allocates only a number for each level of nesting and each long string, and runs no script.
    package func takenSize(at index: Int) -> Int {
        let taken = arguments.dropFirst(index)
        guard let text = taken.ref(at: 1), let string = JSValueToStringCopy(context.ref, text, nil) else {
            return 0
        }
        defer { JSStringRelease(string) }
        var meter = SlabSizeCounter(cells: context.slab.outgoingCells(from: taken.integer(at: 0)))
        meter.measure()
        return (JSStringGetLength(string) + meter.repeatedCount) * 2 + meter.valueCount * 8
            + context.byteCount(of: taken.ref(at: 2), count: meter.bufferCount)
    }
}

extension JSContext {
    /// Returns the number of bytes of the first arrays in one of the package's own arrays.
    fileprivate func byteCount(of list: JSValueRef?, count: Int) -> Int {
        guard let list else { return 0 }
        return (0..<count).reduce(0) { sum, index in
            guard let array = JSObjectGetPropertyAtIndex(ref, list, UInt32(index), nil) else { return sum }
            return sum + JSObjectGetTypedArrayByteLength(ref, array, nil)
        }
    }
}

/// A counter of the parts of a value in the slab, whose layout is described at the head of `JS/src/engine/values.js`.
private struct SlabSizeCounter {
    let cells: UnsafeBufferPointer<Double>
    private(set) var valueCount = 0
    private(set) var bufferCount = 0
    /// The number of additional units of long strings that the slab holds once and the value repeats.
    private(set) var repeatedCount = 0
    private var longLengths: [Int] = []
    private var cell = 0

    init(cells: UnsafeBufferPointer<Double>) { self.cells = cells }

    mutating func measure() {
        // The number of remaining values at each level, negative in objects, where each value has a key.
        var open = [1]
        while let left = open.popLast() {
            guard left != 0 else { continue }
            if left < 0 { cell += 1 }
            open.append(left - left.signum())
            guard cell < cells.count else { return }
            valueCount += 1
            let tag = cells[cell]
            cell += 1
            switch tag {
            case ValueSlab.Tag.number, ValueSlab.Tag.string, ValueSlab.Tag.date, ValueSlab.Tag.bigInt,
                ValueSlab.Tag.reference:
                cell += 1
            case ValueSlab.Tag.longString: longLengths.append(nextLength())
            case ValueSlab.Tag.longStringAgain:
                let place = nextCount()
                if place < longLengths.count { repeatedCount &+= longLengths[place] }
            case ValueSlab.Tag.bytes: bufferCount += 1
            case ValueSlab.Tag.array: open.append(nextCount())
            case ValueSlab.Tag.object: open.append(-nextCount())
            default: break
            }
        }
    }

    private mutating func nextLength() -> Int {
        guard cell < cells.count else { return 0 }
        defer { cell += 1 }
        return Int(exactly: cells[cell]) ?? 0
    }

    // The reader reports a damaged slab.
    private mutating func nextCount() -> Int {
        guard cell < cells.count else { return 0 }
        defer { cell += 1 }
        return Int(exactly: cells[cell]).flatMap { (0...cells.count).contains($0) ? $0 : nil } ?? 0
    }
}
