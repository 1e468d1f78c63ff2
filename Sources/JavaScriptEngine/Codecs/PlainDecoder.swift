internal import BridgeValues

/// The decoder of a value that is not read by members: a scalar, or an object of a type that requests it as a whole.
///
/// The value becomes data only if the type requests a container of it, or content that does not fit.
struct PlainDecoder: Decoder {
    private let members: OpenMembers

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Creates a decoder for the value that has begun.
    init(_ members: ObjectMembers) { self.members = OpenMembers(members) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try members().dataDecoder().container(keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try members().dataDecoder().unkeyedContainer()
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard members.isOpen else { throw ObjectMembers.overError }
        return SingleMemberDecodingContainer(members: members)
    }
}

/// A container with a value as its whole content, such as the raw value of an enumeration.
struct SingleMemberDecodingContainer: SingleValueDecodingContainer {
    /// The value that has begun.
    let members: OpenMembers
    private var state: UnsafeMutablePointer<ObjectMembers.State> { members.state }

    /// Decodes a scalar, or reads the value as data and runs a body, which decodes the type or throws the reason why it
    /// cannot.
    @inline(__always)
    private func scalar<Member: ScalarMember>(
        _ decodeData: (any SingleValueDecodingContainer) throws -> Member
    ) throws -> Member {
        // Data that was read for another type is not counted again.
        if members.isOpen, !state.pointee.isData,
            let result = Member.read(state.pointee.object, in: state.pointee.scalars)
        {
            return result
        }
        return try decodeData(members().dataDecoder().singleValueContainer())
    }

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        guard let members = try? members() else { return false }
        return members.scalars.isNil(state.pointee.object) || members.context.leavesOut(state.pointee.object)
    }

    func decode(_ type: Bool.Type) throws -> Bool { try scalar { try $0.decode(type) } }
    func decode(_ type: String.Type) throws -> String { try scalar { try $0.decode(type) } }
    func decode(_ type: Double.Type) throws -> Double { try scalar { try $0.decode(type) } }
    func decode(_ type: Float.Type) throws -> Float { try scalar { try $0.decode(type) } }
    func decode(_ type: Int.Type) throws -> Int { try scalar { try $0.decode(type) } }
    func decode(_ type: Int8.Type) throws -> Int8 { try scalar { try $0.decode(type) } }
    func decode(_ type: Int16.Type) throws -> Int16 { try scalar { try $0.decode(type) } }
    func decode(_ type: Int32.Type) throws -> Int32 { try scalar { try $0.decode(type) } }
    func decode(_ type: Int64.Type) throws -> Int64 { try scalar { try $0.decode(type) } }
    func decode(_ type: UInt.Type) throws -> UInt { try scalar { try $0.decode(type) } }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar { try $0.decode(type) } }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar { try $0.decode(type) } }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar { try $0.decode(type) } }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar { try $0.decode(type) } }
    func decode(_ type: Int128.Type) throws -> Int128 { try scalar { try $0.decode(type) } }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar { try $0.decode(type) } }

    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        try members().decodeContent(type)
    }
}
