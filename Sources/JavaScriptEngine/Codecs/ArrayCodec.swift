internal import BridgeValues
internal import CJavaScriptCore

/// A codec of arrays.
///
/// The package's script iterates the array and passes each element to the reader of its type.
final class ArrayCodec<Element>: AnyArrayCodec {
    init(_ element: Codec) { super.init(element, stride: MemoryLayout<Element>.stride) }

    override func deinitialize(_ memory: UnsafeMutableRawPointer) {
        memory.assumingMemoryBound(to: [Element].self).deinitialize(count: 1)
    }

    override func move(_ elements: UnsafeMutableRawPointer, count: Int, to target: UnsafeMutableRawPointer) {
        target.bindMemory(to: Element.self, capacity: count)
            .moveInitialize(from: elements.assumingMemoryBound(to: Element.self), count: count)
    }

    override func drop(_ elements: UnsafeMutableRawPointer, count: Int) {
        elements.assumingMemoryBound(to: Element.self).deinitialize(count: count)
    }

    override func finish(_ elements: UnsafeMutableRawPointer, count: Int, in memory: UnsafeMutableRawPointer)
    {
        // With a capacity of 0, the standard library would write into its one empty array, which all threads share.
        guard count > 0 else {
            memory.initializeMemory(as: [Element].self, to: [])
            return
        }
        let list = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            buffer.baseAddress?.moveInitialize(
                from: elements.assumingMemoryBound(to: Element.self),
                count: count
            )
            initialized = count
        }
        memory.initializeMemory(as: [Element].self, to: list)
    }

    override func decodeInSteps(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        memory.initializeMemory(as: [Element].self, to: try context.decodeInSteps([Element].self, value))
    }

    override func withElements(
        of memory: UnsafeRawPointer,
        _ body: (UnsafeRawPointer, Int) throws -> Void
    ) throws {
        try memory.assumingMemoryBound(to: [Element].self).pointee.withUnsafeBufferPointer { elements in
            guard let start = elements.baseAddress, elements.count > 0 else { return try body(memory, 0) }
            try body(UnsafeRawPointer(start), elements.count)
        }
    }
}

/// The common part of all array codecs.
///
/// It is not generic, because generic code looks up type metadata at every step.
class AnyArrayCodec: Codec {
    let element: Codec
    /// The same codec if the elements are objects; unmanaged, so that no row counts references to it.
    private let objects: Unmanaged<ObjectCodec>?
    private let elementBlocks: BlockKind?
    let stride: Int
    private var receiver: JSObjectRef?
    private var slot: JSObjectRef?
    private var sink: UnsafeMutablePointer<Sink>?

    /// Elements that were decoded, in memory that grows.
    struct Elements {
        private(set) var start = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
        fileprivate var capacity = 0
        fileprivate(set) var count = 0

        /// Frees the memory; the elements must have been moved or dropped.
        func deallocate() { start.deallocate() }

        fileprivate mutating func replace(by larger: UnsafeMutableRawPointer, capacity: Int) {
            start.deallocate()
            start = larger
            self.capacity = capacity
        }
    }

    /// The array that is being read.
    private struct Sink {
        var elements = Elements()
        var isBegun = false
    }

    init(_ element: Codec, stride: Int) {
        self.element = element
        objects = (element as? ObjectCodec).map(Unmanaged.passUnretained)
        elementBlocks = element.blockKind
        self.stride = stride
        super.init(in: element.context)
    }

    /// Moves elements to uninitialized memory.
    func move(_ elements: UnsafeMutableRawPointer, count: Int, to target: UnsafeMutableRawPointer) {
        preconditionFailure("abstract method")
    }

    /// Deinitializes elements.
    func drop(_ elements: UnsafeMutableRawPointer, count: Int) { preconditionFailure("abstract method") }

    /// Creates an array of elements, which are moved into it.
    func finish(_ elements: UnsafeMutableRawPointer, count: Int, in memory: UnsafeMutableRawPointer) {
        preconditionFailure("abstract method")
    }

    /// Creates an array from a value that is not a plain array of the script.
    func decodeInSteps(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("abstract method")
    }

    /// Runs a body with the elements of the array in memory.
    func withElements(of memory: UnsafeRawPointer, _ body: (UnsafeRawPointer, Int) throws -> Void) throws {
        preconditionFailure("abstract method")
    }

    private func prepare() throws {
        if let objects = objects?.takeUnretainedValue() {
            try objects.prepare()
            slot = objects.slot
        } else if slot == nil {
            slot = try context.makeSlot(ShapeCodeGenerator.plainReader)
        }
        guard receiver == nil else { return }
        receiver = context.hold(
            HostFunction.makeBox(countsAsNested: false, in: context) { [unowned(unsafe) self] arguments in
                guard let sink = self.sink else { return .undefined }
                try self.receive(arguments, into: sink)
                return arguments.scalars.undefined
            }
        )
    }

    private func receive(_ arguments: CallArguments, into sink: UnsafeMutablePointer<Sink>) throws {
        guard sink.pointee.isBegun else { return try begin(arguments, sink) }
        if elementBlocks != nil, arguments.count > 1 { return try receiveBlock(arguments, into: sink) }
        do {
            try append(arguments, to: &sink.pointee.elements)
        } catch let error as DecodingError {
            throw error.prefixed(by: MemberKey(sink.pointee.elements.count))
        }
    }

    /// Decodes an element behind the others.
    ///
    /// - Throws: The error of the element's type, without a key in its coding path. Nothing was added then.
    @inline(__always)
    final func append(_ arguments: CallArguments, to elements: inout Elements) throws {
        if elements.count == elements.capacity { reserve(elements.capacity * 2, in: &elements) }
        let target = elements.start + elements.count * stride
        if let objects {
            try objects._withUnsafeGuaranteedRef { try $0.receive(arguments, into: target) }
        } else {
            try element.decode(arguments[0], into: target)
        }
        elements.count += 1
    }

    /// Moves the elements to memory for more of them.
    final func reserve(_ capacity: Int, in elements: inout Elements) {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: max(1, capacity * stride), alignment: 16)
        if elements.count > 0 { move(elements.start, count: elements.count, to: larger) }
        elements.replace(by: larger, capacity: capacity)
    }

    /// Deinitializes the elements.
    final func drop(_ elements: Elements) {
        if elements.count > 0 { drop(elements.start, count: elements.count) }
    }

    /// Decodes a block of cells: the arguments are the index of its first cell and its size.
    private func receiveBlock(_ arguments: CallArguments, into sink: UnsafeMutablePointer<Sink>) throws {
        let size = arguments.integer(at: 1)
        let cells = context.slab.outgoingCells(from: arguments.integer(at: 0))
        guard let start = cells.baseAddress, size <= cells.count else {
            throw BridgeError(.internal, "the slab of a script's value ends inside a block")
        }
        try append(start, size: size, to: &sink.pointee.elements)
    }

    private func append(_ start: UnsafePointer<Double>, size: Int, to elements: inout Elements) throws {
        let needed = elements.count + size
        if needed > elements.capacity { reserve(max(needed, elements.capacity * 2), in: &elements) }
        while elements.count < needed {
            let left = needed - elements.count
            let done = size - left
            let target = elements.start + elements.count * stride
            let decoded = element.decodeBlock(start + done, count: left, into: target)
            elements.count += decoded
            guard decoded < left else { return }
            do {
                try element.decodeCell(start[done + decoded], into: target + decoded * stride)
            } catch let error as DecodingError {
                throw error.prefixed(by: MemberKey(elements.count))
            }
            elements.count += 1
        }
    }

    private func begin(_ arguments: CallArguments, _ sink: UnsafeMutablePointer<Sink>) throws {
        sink.pointee.isBegun = true
        let count = Int(scalars.number(of: arguments[0]) ?? 0)
        try meter.pointee.count(count)
        // Limits the allocation: a proxy can claim any length.
        reserve(min(max(count, 1), 65536), in: &sink.pointee.elements)
    }

    override final func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        try prepare()
        let outer = sink
        var current = Sink()
        defer {
            sink = outer
            current.elements.deallocate()
        }
        var isList = false
        do {
            try withUnsafeMutablePointer(to: &current) { pointer in
                sink = pointer
                try context.nestingDecode {
                    isList =
                        if let elementBlocks {
                            try context.readBlocks(
                                value,
                                areDates: elementBlocks == .dates,
                                receiver: receiver
                            )
                        } else {
                            try context.readRows(value, slot: slot, receiver: receiver)
                        }
                }
            }
        } catch {
            drop(current.elements)
            throw error
        }
        guard isList else { return try decodeInSteps(value, into: memory) }
        finish(current.elements.start, count: current.elements.count, in: memory)
    }

    override final var isSecret: Bool { element.isSecret }

    override final func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        try writer.count()
        try writer.enter()
        try withElements(of: memory) { elements, count in
            if elementBlocks == .numbers, try encodeBlock(elements, count: count, into: writer) { return }
            writer.put(ValueSlab.Tag.array, Double(count))
            var index = 0
            do {
                while index < count {
                    try element.encode(elements + index * stride, into: writer)
                    index += 1
                }
            } catch let error as EncodingError {
                throw error.prefixed(by: MemberKey(index))
            }
        }
        writer.leave()
    }

    /// Encodes numbers as one block.
    ///
    /// Returns false if one of them cannot be a cell; then nothing is written.
    private func encodeBlock(_ elements: UnsafeRawPointer, count: Int, into writer: SlabWriter) throws -> Bool
    {
        let mark = writer.mark
        try writer.count(count)
        writer.put(ValueSlab.Tag.numbers, Double(count))
        if element.encodeBlock(elements, count: count, into: writer.reserve(count)) { return true }
        writer.rewind(to: mark)
        return false
    }
}

extension JSContext {
    /// A Boolean value that indicates whether functions and objects of the value that is being decoded cross by
    /// reference.
    var readsReferences: Bool { decodeMeter.pointee.isMessage && slab.references != nil }

    /// Passes an array's numbers, or the times of its dates, to a receiver in blocks, and other elements as they are.
    ///
    /// Returns false if the value is not a plain array.
    func readBlocks(_ value: EncodedValue, areDates: Bool, receiver: JSObjectRef?) throws -> Bool {
        let flags = [areDates, readsReferences].map { JSValueMakeBoolean(ref, $0) }
        let result = try call(script.readBlocks, [receiver, value.ref, flags[0], flags[1]])
        if EncodedValue(result) == script.failed { throw takePendingFailure() }
        return JSValueToBoolean(ref, result)
    }

    /// Passes an array's elements to a receiver.
    ///
    /// Returns false if the value is not a plain array.
    func readRows(_ value: EncodedValue, slot: JSObjectRef?, receiver: JSObjectRef?) throws -> Bool {
        let readRows = decodeMeter.pointee.isMessage ? script.readMemberRows : script.readRows
        let result = try call(readRows, [receiver, value.ref, slot])
        if EncodedValue(result) == script.failed { throw takePendingFailure() }
        return JSValueToBoolean(ref, result)
    }
}

/// A member's name or an element's index, in the coding path of an error.
struct MemberKey: IndexedKey {
    let stringValue: String
    let intValue: Int?
    var place: Int? { intValue }

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}

extension DecodingError {
    /// Returns the same error with a key added in front of its coding path.
    func prefixed(by key: any CodingKey) -> DecodingError {
        func moved(_ context: Context) -> Context {
            Context(
                codingPath: [key] + context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: context.underlyingError
            )
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, moved(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, moved(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, moved(context))
        case .dataCorrupted(let context): .dataCorrupted(moved(context))
        @unknown default: self
        }
    }
}

extension EncodingError {
    /// Returns the same error with a key added in front of its coding path.
    func prefixed(by key: any CodingKey) -> EncodingError {
        guard case .invalidValue(let value, let context) = self else { return self }
        return .invalidValue(
            value,
            Context(
                codingPath: [key] + context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: context.underlyingError
            )
        )
    }
}
