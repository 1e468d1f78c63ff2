internal import BridgeValues
internal import CJavaScriptCore

/// The members of an object that is being decoded, which a type's decoder and its containers read.
final class ObjectMembers {
    unowned(unsafe) let context: JSContext
    let scalars: ScalarConverter
    /// The state that changes with every member.
    ///
    /// It is behind a pointer, because stored properties of a class are checked for exclusive access each time, and a
    /// reference is counted.
    struct State {
        let scalars: ScalarConverter
        /// The owner of the state.
        ///
        /// It may be read while the mark is open.
        unowned(unsafe) var members: ObjectMembers?
        /// The object, or the value without members.
        var object = EncodedValue.undefined
        /// A Boolean value that indicates whether the value without members was read as data.
        var isData = false
        /// A Boolean value that indicates whether the type requested the keys of an object with one member; only then
        /// may there be a nested object.
        var hasAskedForKeys = false
        /// The words of the names of the members that were passed in advance.
        let names = UnsafeMutablePointer<TextBits>.allocate(capacity: LearnedMembers.maximum)
        var slots = UnsafePointer<UInt64>(bitPattern: 8)
        /// The number of members that were passed in advance.
        var handed = 0
        /// The index of the member that is requested next, if the type requests them in the same order as before.
        var next = 0
        var containers = CoderContainers()
        let mark = CoderGeneration.take()

        /// Returns the next member if it has that name.
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
    private var object: EncodedValue { state.pointee.object }
    /// The members that were not passed in advance, protected until the end.
    private var fetched: [(name: String, value: EncodedValue)] = []
    private var whole: Value?
    /// A Boolean value that indicates whether the type requested something for the first time.
    private(set) var hasNewRequests = false
    /// The names that the type requested and that were not passed in advance.
    private(set) var newNames: [String] = []
    /// A Boolean value that indicates whether the type requested something other than members.
    private(set) var hasAskedForAll = false
    /// A Boolean value that indicates whether the type requested the keys of an object with one member.
    private(set) var hasAskedForKeys: Bool {
        get { state.pointee.hasAskedForKeys }
        set { state.pointee.hasAskedForKeys = newValue }
    }
    /// The only member of the object, if the type requested its keys.
    private var only: (name: String, value: EncodedValue)?
    /// The members of the nested object that is the value of the only member, if the type requested them.
    private(set) var nested: ObjectMembers?
    /// The case that ``nested`` belongs to; `nil` if it is not known yet.
    private var nestedCase: ObjectCase?
    /// The keys of the object in the value that is being decoded.
    let path: [MemberKey]
    private var codecs: [(type: ObjectIdentifier, codec: Codec)?]
    /// The first error of a method that could not throw it.
    ///
    /// The call fails with it at the end.
    private(set) var failure: (any Error)?

    /// The first error of such a method of the object or of its nested one.
    var firstFailure: (any Error)? { failure ?? nested?.failure }

    static let overError = DecodingError.dataCorrupted(
        .init(
            codingPath: [],
            debugDescription: "a decoder was used after its value was decoded, or on another thread"
        )
    )

    init(_ asked: LearnedMembers, at path: [MemberKey] = [], in context: JSContext) {
        self.context = context
        self.path = path
        scalars = context.scalars
        names = asked.names
        nameCount = names.count
        codecs = Array(repeating: nil, count: names.count)
        state = .allocate(capacity: 1)
        state.initialize(to: State(scalars: scalars))
        state.pointee.members = self
        for (index, name) in names.enumerated() { state.pointee.names[index] = TextBits(name) }
    }

    deinit {
        CoderGeneration.recycle(state.pointee.mark)
        state.pointee.names.deallocate()
        state.pointee.containers.deallocate()
        state.deallocate()
    }

    /// The number of members that a reader passes if it was made when this was.
    let nameCount: Int

    /// Begins an object.
    ///
    /// The arguments are the object and its members in the order of their first request.
    @inline(__always)
    func begin(_ arguments: CallArguments) {
        begin(arguments[0], arguments.slots + 2, count: arguments.count - 2)
    }

    /// Begins an object with the members that follow it.
    @inline(__always)
    private func begin(_ value: EncodedValue, _ slots: UnsafePointer<UInt64>, count: Int) {
        state.pointee.object = value
        state.pointee.slots = slots
        // A reader that was replaced while it ran passes fewer members than are known now.
        state.pointee.handed = min(nameCount, max(0, count))
        state.pointee.next = 0
        CoderGeneration.begin(state.pointee.mark)
    }

    /// Begins a value that is not read by members.
    ///
    /// The caller keeps it alive until the end.
    func begin(_ value: EncodedValue) {
        state.pointee.object = value
        state.pointee.next = 0
        CoderGeneration.begin(state.pointee.mark)
    }

    /// Begins an object with one member.
    ///
    /// The arguments are the object, -2 and below for a known case, and the value with its members in the order of their
    /// first request; or -1, the value, and its name.
    func begin(_ arguments: CallArguments, caseOf cases: ObjectCases) throws {
        let number = arguments.integer(at: 1)
        // A reader that was replaced while it ran passes the number of members.
        guard number < 0 else { return begin(arguments) }
        begin(arguments[0])
        hasAskedForKeys = true
        if number < -1 {
            let known = cases[-2 - number]
            only = (known.name, arguments[2])
            nestedCase = known
            nested = known.take(in: context)
            nested?.begin(arguments[2], arguments.slots + 3, count: arguments.count - 3)
        } else {
            only = (try scalars.memberName(arguments[3]), arguments[2])
        }
    }

    /// Ends the object.
    @inline(__always)
    func end() {
        CoderGeneration.end(state.pointee.mark)
        if !state.pointee.containers.end() { CoderGeneration.invalidateContainers(state.pointee.mark) }
        state.pointee.slots = nil
        state.pointee.handed = 0
        if state.pointee.hasAskedForKeys || hasNewRequests || failure != nil || whole != nil {
            forgetRequests()
        }
    }

    private func forgetRequests() {
        failure = nil
        hasNewRequests = false
        hasAskedForAll = false
        hasAskedForKeys = false
        whole = nil
        state.pointee.isData = false
        only = nil
        if let nested {
            nested.end()
            nestedCase?.keep(nested)
            self.nested = nil
            nestedCase = nil
        }
        newNames = []
        for member in fetched { JSValueUnprotect(context.ref, member.value.ref) }
        fetched = []
    }

    /// A Boolean value that indicates whether there was a new request or an error, which needs more work at the end.
    @inline(__always)
    var isUnusual: Bool {
        hasNewRequests || failure != nil || state.pointee.hasAskedForKeys && nested?.isUnusual == true
    }

    /// The name of the only member of the object, if the type requested its keys.
    var onlyName: String? { only?.name }

    /// Returns a member's value, `undefined` if there is none, and its index if it was passed in advance, else -1.
    func member(_ name: String) throws -> (value: EncodedValue, index: Int) {
        if let value = state.pointee.nextMember(name) { return (value, state.pointee.next - 1) }
        if let only { return (only.name.hasSameBytes(as: name) ? only.value : .undefined(in: scalars), -1) }
        if let index = names.firstIndex(where: { $0.hasSameBytes(as: name) }), index < state.pointee.handed,
            let slots = state.pointee.slots
        {
            state.pointee.next = index + 1
            return (EncodedValue(bits: slots[index]), index)
        }
        if let known = fetched.first(where: { $0.name.hasSameBytes(as: name) }) { return (known.value, -1) }
        let value = EncodedValue(try context.fetchMember(name, of: object))
        JSValueProtect(context.ref, value.ref)
        hasNewRequests = true
        fetched.append((name, value))
        newNames.append(name)
        return (value, -1)
    }

    /// Returns the members of the whole object if it was read as data, so that nothing is read twice.
    func wholeMembers() throws -> KeyedDecodingContainer<MemberKey>? {
        guard let whole else { return nil }
        return try ValueDecoder.decoder(of: whole, at: path).container(keyedBy: MemberKey.self)
    }

    /// Records an error in a method that cannot throw.
    func note(_ error: any Error) { if failure == nil { failure = error } }

    /// Decodes a member of any type.
    ///
    /// An absent member is an error even if the type has a value for `undefined`, as for all decoders, unless
    /// `mayBeAbsent` is true.
    func decode<Member: Decodable>(_ type: Member.Type, _ name: String, mayBeAbsent: Bool = false) throws
        -> Member
    {
        if let members = try wholeMembers() { return try members.decode(type, forKey: MemberKey(name)) }
        let (value, index) = try member(name)
        if !mayBeAbsent, scalars.isNil(value), JSValueIsUndefined(context.ref, value.ref),
            try !hasMember(name)
        {
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

    /// Decodes a scalar member that is not at its previous position, or not the common case of its type.
    func decodeLeaf<Member: ScalarMember & Decodable>(_ type: Member.Type, _ name: String) throws -> Member {
        if let members = try wholeMembers() { return try members.decode(type, forKey: MemberKey(name)) }
        // If the type found the member and could not read it, its index is one less.
        let value = try memberAgain(name)
        return try Member.read(value, in: scalars) ?? decodeInSteps(type, name, value)
    }

    /// Decodes an optional scalar member: `null`, `undefined` and an absent member give nil.
    func decodeLeafIfPresent<Member: ScalarMember & Decodable>(_ type: Member.Type, _ name: String) throws
        -> Member?
    {
        if let members = try wholeMembers() {
            return try members.decodeIfPresent(type, forKey: MemberKey(name))
        }
        let value = try member(name).value
        if scalars.isNil(value) { return nil }
        return try Member.read(value, in: scalars) ?? decodeInSteps(type, name, value)
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

    /// Decodes a scalar member that is not the common case of its type, or throws the reason why it cannot.
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
        if !isOptional, JSValueIsUndefined(context.ref, value.ref), !hasMemberOrFails(name) {
            return absent(name)
        }
        return (path + [MemberKey(name)]).reversed().reduce(error) { $0.prefixed(by: $1) }
    }

    private func absent(_ name: String) -> DecodingError {
        .keyNotFound(MemberKey(name), .init(codingPath: path, debugDescription: ""))
    }

    private func hasMemberOrFails(_ name: String) -> Bool { (try? hasMember(name)) ?? true }

    /// Returns whether the object has a member, whose value may be `undefined`.
    func hasMember(_ name: String) throws -> Bool {
        if let only { return only.name.hasSameBytes(as: name) }
        return try ownNames().contains { $0.hasSameBytes(as: name) }
    }

    /// Returns the names of the members that the object has as data.
    private func ownNames() throws -> [String] {
        guard let ref = object.ref else { preconditionFailure("a decoder without an object") }
        let keys = try context.readValue(context.call(context.script.ownKeys, [ref])).arrayValue ?? []
        return keys.compactMap(\.text)
    }

    /// Returns the name of the object's only member; `nil` if the whole object has to be read for its keys.
    func findOnlyName() throws -> String? {
        if let only { return only.name }
        guard path.isEmpty, whole == nil, !hasAskedForAll, state.pointee.handed == 0, fetched.isEmpty,
            let ref = object.ref
        else { return nil }
        let key = try context.call(context.script.onlyKey, [ref])
        guard JSValueIsString(context.ref, key) else { return nil }
        let name = try scalars.memberName(EncodedValue(key))
        let value = try context.fetchMember(name, of: object)
        JSValueProtect(context.ref, value)
        fetched.append((name, EncodedValue(value)))
        hasNewRequests = true
        hasAskedForKeys = true
        only = (name, EncodedValue(value))
        if context.leavesOut(EncodedValue(value)) { whole = .object([:]) }
        return name
    }

    /// Returns the members of the object that is a member of this one; `nil` if it has to be read as data.
    func nestedMembers(_ name: String) throws -> ObjectMembers? {
        guard whole == nil, let only, only.name.hasSameBytes(as: name) else { return nil }
        if let nested { return nested }
        let isPlain = try context.call(context.script.isPlain, [only.value.ref])
        guard JSValueToBoolean(context.ref, isPlain) else { return nil }
        let made = ObjectMembers(LearnedMembers(), at: [MemberKey(name)], in: context)
        made.begin(only.value)
        // Also if it has no members: the next one is passed with those that the type requests.
        made.hasNewRequests = true
        hasNewRequests = true
        nested = made
        return made
    }

    /// Decodes a value without members as a type that it has as its whole content.
    func decodeContent<Content: Decodable>(_ type: Content.Type) throws -> Content {
        // A value is read once, however many types are tried.
        guard !state.pointee.isData, !object.isObject(in: scalars) else {
            return try dataDecoder().singleValueContainer().decode(type)
        }
        return try context.readByCodec(type, object, context.codecs.codec(for: type))
    }

    /// Returns a decoder of a value without members as data.
    func dataDecoder() throws -> any Decoder {
        if let whole { return ValueDecoder.decoder(of: whole, at: path) }
        guard let ref = object.ref else { preconditionFailure("a decoder without a value") }
        let value = try context.readValue(ref)
        whole = value
        state.pointee.isData = true
        return ValueDecoder.decoder(of: value, at: path)
    }

    /// Returns a decoder of the whole object as data.
    ///
    /// Members that were passed in advance are reused, and the rest is read now.
    func wholeDecoder() throws -> any Decoder {
        if let only, whole == nil { whole = try context.data(of: only) }
        if only != nil, let whole { return ValueDecoder.decoder(of: whole, at: path) }
        hasNewRequests = true
        hasAskedForAll = true
        if let whole { return ValueDecoder.decoder(of: whole, at: path) }
        guard let ref = object.ref else { preconditionFailure("a decoder without an object") }
        // Only a plain object has members. If none were read yet, the whole value can be read.
        if JSValueIsArray(context.ref, ref) || state.pointee.handed == 0 && fetched.isEmpty {
            let value = try context.readValue(ref)
            whole = value
            state.pointee.handed = 0
            return ValueDecoder.decoder(of: value, at: path)
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
        return ValueDecoder.decoder(of: .object(data), at: path)
    }
}

/// The members of the value that a decoder was made for, as long as that value is being decoded.
///
/// It has three words, so that a decoder or a container of nothing else fits into an existential without an allocation.
struct OpenMembers {
    private let mark: CoderGeneration.Pointer
    private let number: UInt
    let state: UnsafeMutablePointer<ObjectMembers.State>

    /// Refers to the value that has begun.
    @inline(__always)
    init(_ members: ObjectMembers) {
        state = members.state
        mark = state.pointee.mark
        number = mark.pointee.value
    }

    /// A Boolean value that indicates whether the value is being decoded.
    @inline(__always)
    var isOpen: Bool { CoderGeneration.isOpen(mark, value: number) }

    /// Returns the members.
    ///
    /// - Throws: The error of a decoder that is used later, or on another thread.
    @inline(__always)
    func callAsFunction() throws -> ObjectMembers {
        guard isOpen, let members = state.pointee.members else { throw ObjectMembers.overError }
        return members
    }
}

/// The decoder that a type receives.
struct MemberDecoder: Decoder {
    private let members: OpenMembers
    private var state: UnsafeMutablePointer<ObjectMembers.State> { members.state }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Makes a decoder for the value that has begun.
    @inline(__always)
    init(_ members: ObjectMembers) { self.members = OpenMembers(members) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard members.isOpen else { throw ObjectMembers.overError }
        return keyedContainer(type)
    }

    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
        if let usual = state.pointee.containers.usual(for: type) {
            return usual.assumingMemoryBound(to: KeyedDecodingContainer<Key>.self).pointee
        }
        return makeContainer(type)
    }

    // A separate function, because its type metadata is looked up at the function's start.
    @inline(never)
    private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
        let container = KeyedDecodingContainer(KeyedMemberDecodingContainer<Key>(state))
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
    static func undefined(in scalars: ScalarConverter) -> EncodedValue { scalars.undefined }

    func isFunction(in context: JSContext) -> Bool {
        isObject(in: context.scalars) && JSObjectIsFunction(context.ref, ref)
    }
}

extension JSContext {
    /// Reads one member of an object.
    ///
    /// Runs a getter.
    func fetchMember(_ name: String, of object: EncodedValue) throws -> JSValueRef {
        try withReferences(
            2,
            making: { $0 == 0 ? object.ref : makeString(name) },
            { try call(decodeMeter.pointee.isMessage ? script.getDataMember : script.getMember, $0) }
        )
    }
}

extension String {
    /// Returns whether both strings are equal in JavaScript, which compares UTF-16 units.
    ///
    /// `==` treats different encodings of a character as equal.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
