internal import BridgeValues
internal import CJavaScriptCore

/// The type of a dictionary's keys that are names of an object's members: `String` or `Int`.
protocol MemberName: Hashable {
    /// Returns the key of a name; an integer's name was checked before.
    static func key(named name: String) -> Self
    /// The name of the member.
    var memberName: String { get }
}

extension String: MemberName {
    static func key(named name: String) -> String { name }
    var memberName: String { self }
}

extension Int: MemberName {
    static func key(named name: String) -> Int { Int(name) ?? 0 }
    var memberName: String { String(self) }
}

/// A codec of dictionaries by name, which are objects in scripts.
///
/// The package's script iterates the members and passes each to the reader of its type.
class DictionaryCodec<Name: MemberName, Element>: AnyDictionaryCodec {
    init(_ elements: ArrayCodec<Element>) { super.init(elements, hasNumbers: Name.self == Int.self) }

    override final func deinitialize(_ memory: UnsafeMutableRawPointer) {
        memory.assumingMemoryBound(to: [Name: Element].self).deinitialize(count: 1)
    }

    override func finish(
        _ names: [String],
        _ elements: UnsafeMutableRawPointer,
        in memory: UnsafeMutableRawPointer
    ) {
        let elements = elements.assumingMemoryBound(to: Element.self)
        var result = [Name: Element](minimumCapacity: names.count)
        for (index, name) in names.enumerated() { result[Name.key(named: name)] = (elements + index).move() }
        memory.initializeMemory(as: [Name: Element].self, to: result)
    }

    override final func decodeInSteps(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let result = try context.decodeInSteps([Name: Element].self, value)
        memory.initializeMemory(as: [Name: Element].self, to: result)
    }

    override final func count(of memory: UnsafeRawPointer) -> Int {
        memory.assumingMemoryBound(to: [Name: Element].self).pointee.count
    }

    override func forEach(
        of memory: UnsafeRawPointer,
        _ body: (String, UnsafeRawPointer) throws -> Void
    ) throws {
        for (name, element) in memory.assumingMemoryBound(to: [Name: Element].self).pointee {
            try withUnsafePointer(to: element) { try body(name.memberName, UnsafeRawPointer($0)) }
        }
    }
}

/// The codec of dictionaries from strings to scalars, whose loops the compiler specializes.
final class ScalarDictionaryCodec<Element: ScalarMember>: DictionaryCodec<String, Element> {
    override func finish(
        _ names: [String],
        _ elements: UnsafeMutableRawPointer,
        in memory: UnsafeMutableRawPointer
    ) {
        let result = Element.makeDictionary(names, elements.assumingMemoryBound(to: Element.self))
        memory.initializeMemory(as: [String: Element].self, to: result)
    }

    override func forEach(
        of memory: UnsafeRawPointer,
        _ body: (String, UnsafeRawPointer) throws -> Void
    ) throws {
        try Element.forEach(of: memory.assumingMemoryBound(to: [String: Element].self), body)
    }
}

extension ScalarMember {
    static func makeDictionary(_ names: [String], _ elements: UnsafeMutablePointer<Self>) -> [String: Self] {
        var result = [String: Self](minimumCapacity: names.count)
        for (index, name) in names.enumerated() { result[name] = (elements + index).move() }
        return result
    }

    static func forEach(
        of dictionary: UnsafePointer<[String: Self]>,
        _ body: (String, UnsafeRawPointer) throws -> Void
    ) throws {
        for (name, element) in dictionary.pointee {
            try withUnsafePointer(to: element) { try body(name, UnsafeRawPointer($0)) }
        }
    }
}

/// The common part of all dictionary codecs.
///
/// It is not generic, because generic code looks up type metadata at every step.
class AnyDictionaryCodec: Codec {
    private let element: Codec
    /// The same codec if the elements are objects.
    private let objects: Unmanaged<ObjectCodec>?
    /// The codec of arrays of the elements, which decodes and moves them.
    private let elements: AnyArrayCodec
    private let hasNumbers: Bool
    private var receiver: JSObjectRef?
    private var sink: UnsafeMutablePointer<Sink>?

    /// The members that are being read.
    private struct Sink {
        var names: [String] = []
        var elements = AnyArrayCodec.Elements()
        var isBegun = false
    }

    init(_ elements: AnyArrayCodec, hasNumbers: Bool) {
        element = elements.element
        objects = (element as? ObjectCodec).map(Unmanaged.passUnretained)
        self.elements = elements
        self.hasNumbers = hasNumbers
        super.init(in: elements.context)
    }

    /// Creates a dictionary in uninitialized memory of names and elements, which are moved into it.
    func finish(
        _ names: [String],
        _ elements: UnsafeMutableRawPointer,
        in memory: UnsafeMutableRawPointer
    ) { preconditionFailure("abstract method") }

    /// Creates a dictionary from a value that is not a plain object of the script.
    func decodeInSteps(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        preconditionFailure("abstract method")
    }

    /// Returns the number of members of the dictionary in memory.
    func count(of memory: UnsafeRawPointer) -> Int { preconditionFailure("abstract method") }

    /// Runs a body with each member of the dictionary in memory.
    func forEach(of memory: UnsafeRawPointer, _ body: (String, UnsafeRawPointer) throws -> Void) throws {
        preconditionFailure("abstract method")
    }

    override final var readsKeys: Bool { true }

    private func prepare() throws {
        try objects?._withUnsafeGuaranteedRef { try $0.prepare() }
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
        guard sink.pointee.isBegun else {
            sink.pointee.isBegun = true
            // Limits the allocation, as for arrays.
            let count = min(max(arguments.integer(at: 0), 1), 65536)
            sink.pointee.names.reserveCapacity(count)
            return elements.reserve(count, in: &sink.pointee.elements)
        }
        if objects != nil {
            // A name comes before the call of the reader.
            guard sink.pointee.names.count > sink.pointee.elements.count else {
                return sink.pointee.names.append(try name(arguments[0]))
            }
            return try add(arguments, to: sink)
        }
        sink.pointee.names.append(try name(arguments[0]))
        try add(arguments.dropFirst(1), to: sink)
    }

    private func name(_ value: EncodedValue) throws -> String {
        try meter.pointee.count(1)
        let name = try scalars.memberName(value)
        if hasNumbers, Int(name) == nil {
            throw DecodingError.typeMismatch(
                Int.self,
                .init(
                    codingPath: [DictionaryKey(name)],
                    debugDescription: "Expected Int key but found String key instead."
                )
            )
        }
        if element.isSecret { SecretMembers.shared.note(name) }
        return name
    }

    private func add(_ arguments: CallArguments, to sink: UnsafeMutablePointer<Sink>) throws {
        do {
            try elements.append(arguments, to: &sink.pointee.elements)
        } catch let error as DecodingError {
            throw error.prefixed(by: DictionaryKey(sink.pointee.names[sink.pointee.elements.count]))
        }
    }

    override final func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        try prepare()
        let outer = sink
        var current = Sink()
        defer {
            sink = outer
            current.elements.deallocate()
        }
        var isObject = false
        do {
            try withUnsafeMutablePointer(to: &current) { pointer in
                sink = pointer
                try context.nestingDecode {
                    isObject = try context.readEntries(
                        value,
                        slot: objects?._withUnsafeGuaranteedRef { $0.slot },
                        receiver: receiver
                    )
                }
            }
        } catch {
            elements.drop(current.elements)
            throw error
        }
        guard isObject else { return try decodeInSteps(value, into: memory) }
        finish(current.names, current.elements.start, in: memory)
    }

    override final func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        try writer.count()
        try writer.enter()
        writer.put(ValueSlab.Tag.object, Double(count(of: memory)))
        try forEach(of: memory) { name, member in
            if element.isSecret { SecretMembers.shared.note(name) }
            try writer.put(text: name)
            do {
                try element.encode(member, into: writer)
            } catch let error as EncodingError {
                throw error.prefixed(by: DictionaryKey(name))
            }
        }
        writer.leave()
    }
}

extension JSContext {
    /// Passes an object's members to a receiver: the name with the value, or before a reader passes the value.
    ///
    /// Returns false if the value is not encoded by its own members.
    fileprivate func readEntries(_ value: EncodedValue, slot: JSObjectRef?, receiver: JSObjectRef?) throws
        -> Bool
    {
        let read = decodeMeter.pointee.isMessage ? script.readMemberEntries : script.readEntries
        let null = JSValueMakeNull(ref)
        let refers = JSValueMakeBoolean(ref, readsReferences)
        let result = try call(read, [receiver, value.ref, slot ?? null, refers])
        if EncodedValue(result) == script.failed { throw takePendingFailure() }
        return JSValueToBoolean(ref, result)
    }
}

/// The key of a dictionary, in the coding path of an error.
private struct DictionaryKey: IndexedKey {
    let stringValue: String
    let intValue: Int?
    var place: Int? { nil }

    init(_ name: String) {
        stringValue = name
        intValue = Int(name)
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(String(intValue)) }
}
