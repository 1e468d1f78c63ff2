internal import BridgeValues
internal import CJavaScriptCore

/// Lists: the script's half goes through them and hands each element over by the reader of its type.
final class ArrayCodec<Element>: TypedCodec<[Element]> {
    private let element: Codec
    private var receiver: JSObjectRef?
    private var slot: JSObjectRef?
    private var sink: Sink?

    /// The list that is being read.
    private final class Sink {
        var elements: [Element] = []
        var isBegun = false
        let scratch = UnsafeMutablePointer<Element>.allocate(capacity: 1)
        deinit { scratch.deallocate() }
    }

    init(_ element: Codec) {
        self.element = element
        super.init(in: element.context)
    }

    private func prepare() throws {
        let objects = element as? ObjectCodec
        if let objects {
            try objects.prepare()
            slot = objects.slot
        } else if slot == nil {
            slot = try context.makeSlot(ShapeSource.plainReader)
        }
        guard receiver == nil else { return }
        receiver = context.hold(
            HostFunction.makeBox(in: context) { [unowned(unsafe) self] arguments in
                guard let sink = self.sink else { return .undefined }
                try self.receive(arguments, into: sink, objects)
                return self.lane.undefined
            }
        )
    }

    private func receive(_ arguments: CallArguments, into sink: Sink, _ objects: ObjectCodec?) throws {
        guard sink.isBegun else {
            sink.isBegun = true
            let count = Int(context.lane.number(of: arguments[0]) ?? 0)
            let limit = context.virtualMachine.limits.maximumNodes
            guard count <= limit else {
                throw BridgeError(
                    .limitExceeded,
                    "a payload may hold \(limit) values, this one holds more"
                )
            }
            // What a proxy says of its length is not worth all memory.
            sink.elements.reserveCapacity(min(count, 65536))
            return
        }
        do {
            if let objects {
                try objects.receive(arguments, into: UnsafeMutableRawPointer(sink.scratch))
            } else {
                try element.decode(arguments[0], into: UnsafeMutableRawPointer(sink.scratch))
            }
        } catch let error as DecodingError {
            throw error.prefixed(by: MemberKey(sink.elements.count))
        }
        sink.elements.append(sink.scratch.move())
    }

    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        try prepare()
        let outer = sink
        let current = Sink()
        sink = current
        defer { sink = outer }
        var isList = false
        try context.nestingDecode {
            isList = try context.readRows(value, slot: slot, receiver: receiver)
        }
        let elements = try isList ? current.elements : context.decodeInSteps([Element].self, value)
        memory.initializeMemory(as: [Element].self, to: elements)
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        try writer.count()
        try writer.enter()
        let elements = memory.assumingMemoryBound(to: [Element].self).pointee
        writer.put(ValueSlab.Tag.array, Double(elements.count))
        try elements.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for index in 0..<elements.count {
                try element.encode(start + index * MemoryLayout<Element>.stride, into: writer)
            }
        }
        writer.leave()
    }
}

extension JSContext {
    /// Has a list's elements handed over to a receiver; false where the value is no plain list.
    func readRows(_ value: EncodedValue, slot: JSObjectRef?, receiver: JSObjectRef?) throws -> Bool {
        let result = try call(script.readRows, [receiver, value.ref, slot])
        if EncodedValue(result) == failed { throw takePendingFailure() }
        return JSValueToBoolean(ref, result)
    }
}

/// A member's name or an element's index, in the path of an error.
struct MemberKey: CodingKey {
    let stringValue: String
    let intValue: Int?

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
    /// The same error of a value one level further out.
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
