internal import BridgeValues
internal import CJavaScriptCore

/// The members of an object that is being decoded: what a type's decoder and its containers read.
final class ObjectMembers {
    unowned(unsafe) let context: JSContext
    let lane: Lane
    /// What changes with every member, behind a pointer: a class's own variables are checked for exclusive
    /// access each time, and a reference is counted.
    struct State {
        let lane: Lane
        /// Whose state this is; it may be asked while the mark is open.
        unowned(unsafe) var members: ObjectMembers?
        /// The words of the names of the members that were handed over.
        let names = UnsafeMutablePointer<TextBits>.allocate(capacity: LearnedMembers.maximum)
        var slots = UnsafePointer<UInt64>(bitPattern: 8)
        /// How many members were handed over.
        var handed = 0
        /// The member that is asked for next, if the type asks as it did before.
        var next = 0
        var containers = CoderContainers()
        let mark = CoderMark.take()

        /// The next member, if it is the one of that name.
        @inline(__always)
        mutating func nextMember(_ name: String) -> EncodedValue? {
            let index = next
            guard index < handed, names[index] == TextBits(name), let slots else { return nil }
            next = index + 1
            return EncodedValue(bits: slots[index])
        }
    }

    let state: UnsafeMutablePointer<State>
    private let names: [String]
    private var object = EncodedValue.undefined
    /// Members that were not handed over, kept alive until the end.
    private var fetched: [(name: String, value: EncodedValue)] = []
    private var whole: Value?
    /// Whether the type asked for what it had not asked for before.
    private(set) var hasNews = false
    /// Names that the type asked for and that were not handed over.
    private(set) var newNames: [String] = []
    /// Whether the type asked for something else than members.
    private(set) var hasAskedForAll = false
    private var codecs: [(type: ObjectIdentifier, codec: Codec)?]
    /// What went wrong where the type cannot be told: the call fails with it in the end.
    private(set) var failure: (any Error)?

    static let overError = DecodingError.dataCorrupted(
        .init(
            codingPath: [],
            debugDescription: "a decoder was used after what it decoded was done, or on another thread"
        )
    )

    init(_ asked: LearnedMembers, in context: JSContext) {
        self.context = context
        lane = context.lane
        names = asked.names
        nameCount = names.count
        codecs = Array(repeating: nil, count: names.count)
        state = .allocate(capacity: 1)
        state.initialize(to: State(lane: lane))
        state.pointee.members = self
        for (index, name) in names.enumerated() { state.pointee.names[index] = TextBits(name) }
    }

    deinit {
        CoderMark.giveBack(state.pointee.mark)
        state.pointee.names.deallocate()
        state.pointee.containers.deallocate()
        state.deallocate()
    }

    /// How many members a reader hands over that knows as many as this.
    let nameCount: Int

    /// Begins an object: it and its members in the order in which they were asked for.
    @inline(__always)
    func begin(_ arguments: CallArguments) {
        object = arguments[0]
        state.pointee.slots = arguments.slots + 2
        // A reader that was replaced while it ran hands fewer members over than are known now.
        state.pointee.handed = min(nameCount, max(0, arguments.count - 2))
        state.pointee.next = 0
        CoderMark.begin(state.pointee.mark)
    }

    /// Ends the object.
    @inline(__always)
    func end() {
        CoderMark.end(state.pointee.mark)
        if !state.pointee.containers.end() { CoderMark.leaveContainers(state.pointee.mark) }
        state.pointee.slots = nil
        state.pointee.handed = 0
        if isUnusual { forgetNews() }
    }

    private func forgetNews() {
        failure = nil
        hasNews = false
        hasAskedForAll = false
        whole = nil
        newNames = []
        for member in fetched { JSValueUnprotect(context.ref, member.value.ref) }
        fetched = []
    }

    /// Whether there is more to be done after this than to go on.
    @inline(__always)
    var isUnusual: Bool { hasNews || failure != nil }

    /// The value of a member, `undefined` where there is none; the index where it was handed over.
    func member(_ name: String) throws -> (value: EncodedValue, index: Int) {
        if let value = state.pointee.nextMember(name) { return (value, state.pointee.next - 1) }
        if let index = names.firstIndex(where: { $0.hasSameBytes(as: name) }), index < state.pointee.handed,
            let slots = state.pointee.slots
        {
            state.pointee.next = index + 1
            return (EncodedValue(bits: slots[index]), index)
        }
        if let known = fetched.first(where: { $0.name.hasSameBytes(as: name) }) { return (known.value, -1) }
        let value = EncodedValue(try context.fetchMember(name, of: object))
        JSValueProtect(context.ref, value.ref)
        hasNews = true
        fetched.append((name, value))
        newNames.append(name)
        return (value, -1)
    }

    /// The members of the whole object, once it was read: nothing is read again.
    func wholeMembers() throws -> KeyedDecodingContainer<MemberKey>? {
        guard let whole else { return nil }
        return try ValueDecoder.decoder(of: whole).container(keyedBy: MemberKey.self)
    }

    /// Notes an error that the type's own question has no place for.
    func note(_ error: any Error) { if failure == nil { failure = error } }

    /// Decodes a member of any type.
    ///
    /// One that is absent is an error also for a type that has a value for `undefined`, as it is for all decoders, unless it
    /// may be.
    func decode<Member: Decodable>(_ type: Member.Type, _ name: String, mayBeAbsent: Bool = false) throws
        -> Member
    {
        if let members = try wholeMembers() { return try members.decode(type, forKey: MemberKey(name)) }
        let (value, index) = try member(name)
        if !mayBeAbsent, lane.isNil(value), JSValueIsUndefined(context.ref, value.ref), try !hasMember(name) {
            throw absent(name)
        }
        let codec: Codec
        if index >= 0, let known = codecs[index], known.type == ObjectIdentifier(type) {
            codec = known.codec
        } else {
            codec = context.codecs.codec(for: type)
            if codec.isSecret { SecretMembers.shared.note(name) }
            if index >= 0 { codecs[index] = (ObjectIdentifier(type), codec) }
        }
        do {
            return try withUnsafeTemporaryAllocation(
                byteCount: MemoryLayout<Member>.size,
                alignment: MemoryLayout<Member>.alignment
            ) { memory in
                guard let start = memory.baseAddress else { preconditionFailure("no memory on the stack") }
                try codec.decode(value, into: start)
                return start.assumingMemoryBound(to: Member.self).move()
            }
        } catch let error as DecodingError {
            throw placed(error, name: name, value: value, isOptional: codec.isOptional)
        }
    }

    /// Decodes a leaf that is not where it was before, or not the common case of its type.
    func decodeLeaf<Member: Leaf & Decodable>(_ type: Member.Type, _ name: String) throws -> Member {
        if let members = try wholeMembers() { return try members.decode(type, forKey: MemberKey(name)) }
        // Where the type found the member and could not read it, the place is one back.
        let value = try memberAgain(name)
        return try Member.read(value, in: lane) ?? decodeInSteps(type, name, value)
    }

    /// The same where nil and an absent member are nil.
    func decodeLeafIfPresent<Member: Leaf & Decodable>(_ type: Member.Type, _ name: String) throws -> Member?
    {
        if let members = try wholeMembers() {
            return try members.decodeIfPresent(type, forKey: MemberKey(name))
        }
        let value = try member(name).value
        if lane.isNil(value) { return nil }
        return try Member.read(value, in: lane) ?? decodeInSteps(type, name, value)
    }

    private func memberAgain(_ name: String) throws -> EncodedValue {
        let next = state.pointee.next
        if next > 0, next <= names.count, names[next - 1].hasSameBytes(as: name),
            let slots = state.pointee.slots
        {
            return EncodedValue(bits: slots[next - 1])
        }
        return try member(name).value
    }

    /// Decodes a leaf that is not the common case of its type, or says why it is none.
    func decodeInSteps<Member: Decodable>(_ type: Member.Type, _ name: String, _ value: EncodedValue) throws
        -> Member
    {
        do {
            return try context.decodeInSteps(type, value)
        } catch let error as DecodingError {
            throw placed(error, name: name, value: value, isOptional: false)
        }
    }

    private func placed(_ error: DecodingError, name: String, value: EncodedValue, isOptional: Bool)
        -> DecodingError
    {
        if !isOptional, JSValueIsUndefined(context.ref, value.ref) { return absent(name) }
        return error.prefixed(by: MemberKey(name))
    }

    private func absent(_ name: String) -> DecodingError {
        .keyNotFound(MemberKey(name), .init(codingPath: [], debugDescription: ""))
    }

    /// Whether the object has a member, which may be `undefined`.
    private func hasMember(_ name: String) throws -> Bool {
        try ownNames().contains { $0.hasSameBytes(as: name) }
    }

    /// The names of the members that the object has as data.
    private func ownNames() throws -> [String] {
        guard let ref = object.ref else { preconditionFailure("a decoder without an object") }
        let keys = try context.readValue(context.call(context.script.ownKeys, [ref])).arrayValue ?? []
        return keys.compactMap(\.text)
    }

    /// The whole object as data: what was handed over as it is, and the rest read now.
    func wholeDecoder() throws -> any Decoder {
        hasNews = true
        hasAskedForAll = true
        if let whole { return ValueDecoder.decoder(of: whole) }
        guard let ref = object.ref else { preconditionFailure("a decoder without an object") }
        // Of what is no plain object no members were meant; and where none were read, all can be.
        if JSValueIsArray(context.ref, ref) || state.pointee.handed == 0 && fetched.isEmpty {
            let value = try context.readValue(ref)
            whole = value
            state.pointee.handed = 0
            return ValueDecoder.decoder(of: value)
        }
        var data = ValueObject()
        for name in try ownNames() {
            guard let member = try member(name).value.ref else { continue }
            guard !JSValueIsSymbol(context.ref, member), !EncodedValue(member).isFunction(in: context) else {
                continue
            }
            data[name] = try context.readValue(member)
        }
        whole = .object(data)
        state.pointee.handed = 0
        return ValueDecoder.decoder(of: .object(data))
    }
}

/// What a type gets as its decoder.
struct MemberDecoder: Decoder {
    // Three words, which an existential holds without memory of its own.
    private let mark: CoderMark.Pointer
    private let number: UInt
    private let state: UnsafeMutablePointer<ObjectMembers.State>

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Makes a decoder for the value that has begun.
    @inline(__always)
    init(_ members: ObjectMembers) {
        state = members.state
        mark = state.pointee.mark
        number = mark.pointee.value
    }

    private func members() throws -> ObjectMembers {
        guard CoderMark.isOpen(mark, value: number), let members = state.pointee.members else {
            throw ObjectMembers.overError
        }
        return members
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard CoderMark.isOpen(mark, value: number) else { throw ObjectMembers.overError }
        if let usual = state.pointee.containers.usual(for: type) {
            return usual.assumingMemoryBound(to: KeyedDecodingContainer<Key>.self).pointee
        }
        return makeContainer(type)
    }

    // Apart, since its types are looked up on the way in.
    @inline(never)
    private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
        let container = KeyedDecodingContainer(MemberContainer<Key>(state))
        state.pointee.containers.note(container, for: type)
        return container
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try members().wholeDecoder().unkeyedContainer()
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try members().wholeDecoder().singleValueContainer()
    }
}

extension EncodedValue {
    func isFunction(in context: JSContext) -> Bool {
        isObject(in: context.lane) && JSObjectIsFunction(context.ref, ref)
    }
}

extension JSContext {
    /// Reads one member of an object; runs a getter.
    func fetchMember(_ name: String, of object: EncodedValue) throws -> JSValueRef {
        try withReferences(
            2,
            making: { $0 == 0 ? object.ref : makeText(name) },
            { try call(decodeMeter.pointee.isMessage ? script.getDataMember : script.getMember, $0) }
        )
    }
}

extension String {
    /// Whether both are the same to JavaScript, which compares units; `==` takes different spellings of a letter for one.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
