internal import BridgeValues
internal import CJavaScriptCore

/// A keyed container with the members of an object.
struct KeyedMemberDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let mark: CoderGeneration.Pointer
    private let number: UInt
    private let state: UnsafeMutablePointer<ObjectMembers.State>

    /// Creates a container for the value that has begun, and for later ones.
    init(_ state: UnsafeMutablePointer<ObjectMembers.State>) {
        self.state = state
        mark = state.pointee.mark
        number = mark.pointee.containers
    }

    private func members() throws -> ObjectMembers {
        guard CoderGeneration.isOpen(mark, containers: number), let members = state.pointee.members else {
            throw ObjectMembers.overError
        }
        return members
    }

    @inline(__always)
    private func nextMember(_ name: String) -> EncodedValue? {
        guard CoderGeneration.isOpen(mark, containers: number) else { return nil }
        return state.pointee.nextMember(name)
    }

    /// Records an error in a method that cannot throw.
    private func note(_ error: any Error) { if let members = try? members() { members.note(error) } }

    var codingPath: [any CodingKey] { (try? members().path) ?? [] }
    var allKeys: [Key] {
        do {
            let members = try members()
            if let name = try members.findOnlyName(), try members.wholeMembers() == nil {
                return Key(stringValue: name).map { [$0] } ?? []
            }
            return try whole().allKeys
        } catch {
            note(error)
            return []
        }
    }

    private func whole() throws -> KeyedDecodingContainer<Key> {
        try members().wholeDecoder().container(keyedBy: Key.self)
    }

    func contains(_ key: Key) -> Bool {
        do {
            let members = try members()
            if let whole = try members.wholeMembers() { return whole.contains(MemberKey(key.stringValue)) }
            return try !JSValueIsUndefined(members.context.ref, members.member(key.stringValue).value.ref)
        } catch {
            note(error)
            return true
        }
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        let members = try members()
        if let whole = try members.wholeMembers() {
            return try whole.decodeNil(forKey: MemberKey(key.stringValue))
        }
        return members.scalars.isNil(try members.member(key.stringValue).value)
    }

    func decode<Member: Decodable>(_ type: Member.Type, forKey key: Key) throws -> Member {
        try members().decode(type, key.stringValue)
    }

    func decodeIfPresent<Member: Decodable>(_ type: Member.Type, forKey key: Key) throws -> Member? {
        let members = try members()
        if let whole = try members.wholeMembers() {
            return try whole.decodeIfPresent(type, forKey: MemberKey(key.stringValue))
        }
        return try members.decode(Member?.self, key.stringValue, mayBeAbsent: true)
    }

    @inline(__always)
    private func leaf<Member: ScalarMember & Decodable>(_ key: Key) throws -> Member {
        let name = key.stringValue
        if let value = nextMember(name),
            let result = Member.read(value, in: state.pointee.scalars)
        {
            return result
        }
        return try members().decodeLeaf(Member.self, name)
    }

    @inline(__always)
    private func maybe<Member: ScalarMember & Decodable>(_ key: Key) throws -> Member? {
        let name = key.stringValue
        if let value = nextMember(name) {
            let scalars = state.pointee.scalars
            if scalars.isNil(value) { return nil }
            return try Member.read(value, in: scalars) ?? members().decodeInSteps(Member.self, name, value)
        }
        return try members().decodeLeafIfPresent(Member.self, name)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try leaf(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try leaf(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try leaf(key) }
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
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try leaf(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try leaf(key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try maybe(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try maybe(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try maybe(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try maybe(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try maybe(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try maybe(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try maybe(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try maybe(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try maybe(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try maybe(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try maybe(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try maybe(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try maybe(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try maybe(key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try maybe(key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try maybe(key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        guard let nested = try members().nestedMembers(key.stringValue) else {
            return try whole().nestedContainer(keyedBy: type, forKey: key)
        }
        return MemberDecoder(nested).keyedContainer(type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try whole().nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder { try whole().superDecoder() }

    func superDecoder(forKey key: Key) throws -> any Decoder { try whole().superDecoder(forKey: key) }
}
