internal import BridgeValues
internal import CJavaScriptCore

/// Decodes a type of the members that the script's half has handed over.
final class MemberDecoder: Decoder {
    private(set) var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    unowned(unsafe) let context: JSContext
    private var names: [String] = []
    private var object = EncodedValue.undefined
    private var members: CallArguments?
    /// The member that is asked for next, if the type asks as it did before.
    private var next = 0
    /// Members that were not handed over, kept alive until the end.
    private var fetched: [(name: String, value: EncodedValue)] = []
    private var whole: Value?
    private var asksForAll = false
    /// Names that the type asked for and that were not handed over.
    private(set) var newNames: [String] = []
    /// Whether the type asked for something else than members.
    private(set) var hasAskedForAll = false
    private var codecs: [(type: ObjectIdentifier, codec: Codec)?] = []

    init(in context: JSContext) { self.context = context }

    func begin(_ asked: LearnedMembers, object: EncodedValue, members: CallArguments, asksForAll: Bool) {
        if names.count != asked.names.count {
            names = asked.names
            codecs = Array(repeating: nil, count: names.count)
        }
        self.object = object
        self.members = members
        self.asksForAll = asksForAll
        next = 0
    }

    func end() {
        members = nil
        object = .undefined
        hasAskedForAll = false
        whole = nil
        if !newNames.isEmpty { newNames = [] }
        guard !fetched.isEmpty else { return }
        for member in fetched { JSValueUnprotect(context.ref, member.value.ref) }
        fetched = []
    }

    /// The value of a member, `undefined` where there is none; the index where it was handed over.
    @inline(__always)
    func member(_ name: String) throws -> (value: EncodedValue, index: Int) {
        if next < names.count, names[next] == name, let members {
            next += 1
            return (members[next - 1], next - 1)
        }
        return try memberOutOfOrder(name)
    }

    private func memberOutOfOrder(_ name: String) throws -> (value: EncodedValue, index: Int) {
        if let index = names.firstIndex(of: name), let members {
            next = index + 1
            return (members[index], index)
        }
        if let known = fetched.first(where: { $0.name == name }) { return (known.value, -1) }
        let value = EncodedValue(try context.fetchMember(name, of: object))
        JSValueProtect(context.ref, value.ref)
        fetched.append((name, value))
        newNames.append(name)
        return (value, -1)
    }

    /// Decodes a member of any type.
    func decode<Member>(_ type: Member.Type, _ name: String) throws -> Member {
        let (value, index) = try member(name)
        let codec: Codec
        if index >= 0, let known = codecs[index], known.type == ObjectIdentifier(type) {
            codec = known.codec
        } else {
            codec = context.codecs.codec(for: type)
            if index >= 0 { codecs[index] = (ObjectIdentifier(type), codec) }
        }
        do {
            return try withUnsafeTemporaryAllocation(of: Member.self, capacity: 1) { buffer in
                guard let start = buffer.baseAddress else { preconditionFailure("no memory on the stack") }
                try codec.decode(value, into: UnsafeMutableRawPointer(start))
                return start.move()
            }
        } catch let error as DecodingError {
            throw placed(error, name: name, value: value, isOptional: codec.isOptional)
        }
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

    private func placed(_ error: DecodingError, name: String, value: EncodedValue, isOptional: Bool) -> DecodingError {
        if !isOptional, JSValueIsUndefined(context.ref, value.ref) {
            return .keyNotFound(MemberKey(name), .init(codingPath: [], debugDescription: ""))
        }
        return error.prefixed(by: MemberKey(name))
    }

    /// The whole object as data: what was handed over as it is, and the rest read now.
    func wholeDecoder() throws -> any Decoder {
        hasAskedForAll = true
        if let whole { return ValueDecoder.decoder(of: whole) }
        guard let ref = object.ref else { preconditionFailure("a decoder without an object") }
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
        return ValueDecoder.decoder(of: .object(data))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if asksForAll { return try wholeDecoder().container(keyedBy: type) }
        return KeyedDecodingContainer(MemberContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try wholeDecoder().unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try wholeDecoder().singleValueContainer()
    }
}

extension EncodedValue {
    func isFunction(in context: JSContext) -> Bool {
        isObject(in: context) && JSObjectIsFunction(context.ref, ref)
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

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { (try? whole().allKeys) ?? [] }

    private func whole() throws -> KeyedDecodingContainer<Key> {
        try decoder.wholeDecoder().container(keyedBy: Key.self)
    }

    func contains(_ key: Key) -> Bool {
        guard let value = try? decoder.member(key.stringValue).value else { return true }
        return !JSValueIsUndefined(decoder.context.ref, value.ref)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        decoder.context.isNil(try decoder.member(key.stringValue).value)
    }

    func decode<Member: Decodable>(_ type: Member.Type, forKey key: Key) throws -> Member {
        try decoder.decode(type, key.stringValue)
    }

    func decodeIfPresent<Member: Decodable>(_ type: Member.Type, forKey key: Key) throws -> Member? {
        try decoder.decode(Member?.self, key.stringValue)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let name = key.stringValue
        let value = try decoder.member(name).value
        return try decoder.context.bool(of: value) ?? decoder.decodeInSteps(type, name, value)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try ifPresent(key) { try decoder.context.bool(of: $1) ?? decoder.decodeInSteps(type, $0, $1) }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let name = key.stringValue
        let value = try decoder.member(name).value
        return try decoder.context.string(of: value) ?? decoder.decodeInSteps(type, name, value)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try ifPresent(key) { try decoder.context.string(of: $1) ?? decoder.decodeInSteps(type, $0, $1) }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        let name = key.stringValue
        let value = try decoder.member(name).value
        return try decoder.context.number(of: value) ?? decoder.decodeInSteps(type, name, value)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try ifPresent(key) { try decoder.context.number(of: $1) ?? decoder.decodeInSteps(type, $0, $1) }
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
            try Int.read($1, in: decoder.context) ?? decoder.decodeInSteps(type, $0, $1)
        }
    }

    private func leaf<Member: Leaf & Decodable>(_ key: Key) throws -> Member {
        let name = key.stringValue
        let value = try decoder.member(name).value
        return try Member.read(value, in: decoder.context)
            ?? decoder.decodeInSteps(Member.self, name, value)
    }

    private func ifPresent<Member>(_ key: Key, _ read: (String, EncodedValue) throws -> Member) throws -> Member? {
        let name = key.stringValue
        let value = try decoder.member(name).value
        return decoder.context.isNil(value) ? nil : try read(name, value)
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
