internal import BridgeValues
internal import CJavaScriptCore

/// Decodes a type of the members that the script's half has handed over.
final class MemberDecoder: Decoder {
    private(set) var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    unowned(unsafe) let context: JSContext
    let lane: Lane
    /// What changes with every member, behind a pointer: a class's own variables are checked for exclusive
    /// access each time, and a reference is counted.
    fileprivate struct State {
        let lane: Lane
        /// The words of the names of the members that were handed over.
        var names = UnsafeMutablePointer<TextBits>.allocate(capacity: LearnedMembers.maximum)
        var slots = UnsafePointer<UInt64>(bitPattern: 8)
        /// How many members were handed over.
        var handed = 0
        /// The member that is asked for next, if the type asks as it did before.
        var next = 0

        /// The next member, if it is the one of that name.
        @inline(__always)
        mutating func nextMember(_ name: String) -> EncodedValue? {
            let index = next
            guard index < handed, names[index] == TextBits(name), let slots else { return nil }
            next = index + 1
            return EncodedValue(bits: slots[index])
        }
    }

    fileprivate let state: UnsafeMutablePointer<State>
    private var names: [String] = []
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
    private var codecs: [(type: ObjectIdentifier, codec: Codec)?] = []
    /// What went wrong where the type cannot be told: the call fails with it in the end.
    private(set) var failure: (any Error)?
    /// Whether the call is over for which this decoder was made; a type may keep it, but not use it.
    private var isOver = false

    private static let overError = DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "a decoder was used after what it decoded was done")
    )

    init(in context: JSContext) {
        self.context = context
        lane = context.lane
        state = .allocate(capacity: 1)
        state.initialize(to: State(lane: lane))
    }

    deinit {
        state.pointee.names.deallocate()
        state.deallocate()
    }

    /// Begins an object: it and its members in the order in which they were asked for.
    func begin(_ asked: LearnedMembers, arguments: CallArguments) {
        if names.count != asked.names.count {
            names = asked.names
            codecs = Array(repeating: nil, count: names.count)
            for (index, name) in names.enumerated() { state.pointee.names[index] = TextBits(name) }
        }
        object = arguments[0]
        isOver = false
        state.pointee.slots = arguments.slots + 2
        // A reader that was replaced while it ran hands fewer members over than are known now.
        state.pointee.handed = min(names.count, max(0, arguments.count - 2))
        state.pointee.next = 0
    }

    /// Ends the object, for good where somebody has kept the decoder.
    func end(isKept: Bool) {
        state.pointee.slots = nil
        state.pointee.handed = 0
        isOver = isKept
        guard hasNews || failure != nil else { return }
        failure = nil
        hasNews = false
        hasAskedForAll = false
        whole = nil
        newNames = []
        for member in fetched { JSValueUnprotect(context.ref, member.value.ref) }
        fetched = []
    }

    /// The value of a member, `undefined` where there is none; the index where it was handed over.
    func member(_ name: String) throws -> (value: EncodedValue, index: Int) {
        guard !isOver else { throw Self.overError }
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
    func decode<Member: Decodable>(_ type: Member.Type, _ name: String) throws -> Member {
        if let members = try wholeMembers() { return try members.decode(type, forKey: MemberKey(name)) }
        let (value, index) = try member(name)
        let codec: Codec
        if index >= 0, let known = codecs[index], known.type == ObjectIdentifier(type) {
            codec = known.codec
        } else {
            codec = context.codecs.codec(for: type)
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
        if !isOptional, JSValueIsUndefined(context.ref, value.ref) {
            return .keyNotFound(MemberKey(name), .init(codingPath: [], debugDescription: ""))
        }
        return error.prefixed(by: MemberKey(name))
    }

    /// The whole object as data: what was handed over as it is, and the rest read now.
    func wholeDecoder() throws -> any Decoder {
        guard !isOver else { throw Self.overError }
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
        let keys = try context.readValue(context.call(context.script.ownKeys, [ref])).arrayValue ?? []
        for key in keys {
            guard let name = key.text else { continue }
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

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard !isOver else { throw Self.overError }
        return KeyedDecodingContainer(MemberContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try wholeDecoder().unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try wholeDecoder().singleValueContainer()
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
            { try call(script.getMember, $0) }
        )
    }
}

private struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: MemberDecoder
    private let state: UnsafeMutablePointer<MemberDecoder.State>

    fileprivate init(decoder: MemberDecoder) {
        self.decoder = decoder
        state = decoder.state
    }

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] {
        do {
            return try whole().allKeys
        } catch {
            decoder.note(error)
            return []
        }
    }

    private func whole() throws -> KeyedDecodingContainer<Key> {
        try decoder.wholeDecoder().container(keyedBy: Key.self)
    }

    func contains(_ key: Key) -> Bool {
        do {
            if let members = try decoder.wholeMembers() {
                return members.contains(MemberKey(key.stringValue))
            }
            let value = try decoder.member(key.stringValue).value
            return !JSValueIsUndefined(decoder.context.ref, value.ref)
        } catch {
            decoder.note(error)
            return true
        }
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        if let members = try decoder.wholeMembers() {
            return try members.decodeNil(forKey: MemberKey(key.stringValue))
        }
        return decoder.lane.isNil(try decoder.member(key.stringValue).value)
    }

    func decode<Member: Decodable>(_ type: Member.Type, forKey key: Key) throws -> Member {
        try decoder.decode(type, key.stringValue)
    }

    func decodeIfPresent<Member: Decodable>(_ type: Member.Type, forKey key: Key) throws -> Member? {
        if let members = try decoder.wholeMembers() {
            return try members.decodeIfPresent(type, forKey: MemberKey(key.stringValue))
        }
        return try decoder.decode(Member?.self, key.stringValue)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let name = key.stringValue
        if let value = state.pointee.nextMember(name), let flag = state.pointee.lane.bool(of: value) {
            return flag
        }
        return try decoder.decodeLeaf(type, name)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try ifPresent(key) { try decoder.lane.bool(of: $1) ?? decoder.decodeInSteps(type, $0, $1) }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let name = key.stringValue
        if let value = state.pointee.nextMember(name), let text = state.pointee.lane.string(of: value) {
            return text
        }
        return try decoder.decodeLeaf(type, name)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try ifPresent(key) { try decoder.lane.string(of: $1) ?? decoder.decodeInSteps(type, $0, $1) }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        let name = key.stringValue
        if let value = state.pointee.nextMember(name), let number = state.pointee.lane.number(of: value) {
            return number
        }
        return try decoder.decodeLeaf(type, name)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try ifPresent(key) { try decoder.lane.number(of: $1) ?? decoder.decodeInSteps(type, $0, $1) }
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try leaf(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try leaf(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try leaf(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try leaf(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try leaf(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try leaf(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try leaf(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try leaf(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try leaf(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try leaf(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try leaf(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try ifPresent(key) {
            try Int.read($1, in: decoder.lane) ?? decoder.decodeInSteps(type, $0, $1)
        }
    }

    @inline(__always)
    private func leaf<Member: Leaf & Decodable>(_ key: Key) throws -> Member {
        let name = key.stringValue
        if let value = state.pointee.nextMember(name), let result = Member.read(value, in: state.pointee.lane)
        {
            return result
        }
        return try decoder.decodeLeaf(Member.self, name)
    }

    @inline(__always)
    private func ifPresent<Member: Decodable>(_ key: Key, _ read: (String, EncodedValue) throws -> Member)
        throws
        -> Member?
    {
        let name = key.stringValue
        if let members = try decoder.wholeMembers() {
            return try members.decodeIfPresent(Member.self, forKey: MemberKey(name))
        }
        let value = try decoder.member(name).value
        return decoder.lane.isNil(value) ? nil : try read(name, value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try whole().nestedContainer(keyedBy: type, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try whole().nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder { try whole().superDecoder() }

    func superDecoder(forKey key: Key) throws -> any Decoder { try whole().superDecoder(forKey: key) }
}

extension String {
    /// Whether both are the same to JavaScript, which compares units; `==` takes different spellings of a letter for one.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
