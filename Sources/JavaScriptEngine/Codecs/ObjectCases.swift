internal import BridgeValues
internal import CJavaScriptCore

/// The cases of a type whose objects have one member, with the members of the nested objects that it requested.
final class ObjectCases {
    // Scripts choose the names of members, and each case takes memory.
    private static let maximum = 64
    private var cases: [ObjectCase] = []

    subscript(index: Int) -> ObjectCase { cases[index] }

    /// The names of the cases, each with the members of its nested object.
    var members: [(name: String, members: [String])] { cases.map { ($0.name, $0.asked.names) } }

    /// Adds the members that a type requested of a nested object for the first time.
    ///
    /// Returns false if nothing was added.
    func learn(from members: ObjectMembers) -> Bool {
        guard let name = members.onlyName, let nested = members.nested, nested.hasNewRequests else {
            return false
        }
        if let known = cases.first(where: { $0.name.hasSameBytes(as: name) }) {
            return known.learn(nested.newNames)
        }
        guard cases.count < Self.maximum else { return false }
        let new = ObjectCase(name)
        _ = new.learn(nested.newNames)
        cases.append(new)
        return true
    }
}

/// A case of a type whose objects have one member, which is a nested object.
final class ObjectCase {
    let name: String
    private(set) var asked = LearnedMembers()
    private var idle = IdleCoders<ObjectMembers>()

    init(_ name: String) { self.name = name }

    deinit { idle.deallocate() }

    /// Returns decoding state for the nested object, which the caller gives back.
    func take(in context: JSContext) -> ObjectMembers {
        idle.take()?.takeRetainedValue() ?? ObjectMembers(asked, at: [MemberKey(name)], in: context)
    }

    /// Keeps decoding state for the next value.
    func keep(_ members: ObjectMembers) {
        if members.nameCount == asked.names.count { idle.keep(.passRetained(members)) }
    }

    /// Adds names of members.
    ///
    /// Returns false if there are too many already.
    func learn(_ names: [String]) -> Bool {
        let count = asked.names.count
        asked.add(names)
        idle.drop()
        return asked.names.count > count
    }
}

extension JSContext {
    /// Returns an object with one member as data.
    func data(of only: (name: String, value: EncodedValue)) throws -> Value {
        guard let ref = only.value.ref else { preconditionFailure("a member without a value") }
        return .object([only.name: try readValue(ref)])
    }
}

extension ScalarConverter {
    /// Returns the name of a member.
    ///
    /// - Throws: ``BridgeError`` for a name with a lone surrogate, or too long a payload.
    func memberName(_ value: EncodedValue) throws -> String {
        let name = try withCharacters(of: value) { characters in
            try meter?.pointee.spend(characters.count * 2)
            guard let name = characters.string else {
                let name = characters.repairedString
                throw BridgeError(.encodeFailed, "a key with a lone surrogate cannot cross: \(name)")
            }
            return name
        }
        guard let name else { preconditionFailure("the name of a member is not a string") }
        return name
    }
}
