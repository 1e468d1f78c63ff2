internal import Synchronization

/// The names of members that hold secrets, in this process.
///
/// A name comes in when a type with a member of ``Secret`` is registered or asked for, and when a secret is decoded or
/// encoded, and stays: a log that hides too much is better than one that hides too little.
package final class SecretMembers: Sendable {
    /// What stands in the place of a secret.
    package static let mark = "[secret]"
    /// The names of the process.
    package static let shared = SecretMembers()
    // A script chooses the keys of a dictionary of secrets.
    private static let maximum = 10_000

    private let names = Mutex<Set<String>>([])
    /// Where the types that were looked at hold secrets; `nil` for those that hold none.
    private let shapes = Mutex<[ObjectIdentifier: SecretShape?]>([:])
    private let isUsed = Atomic(false)

    /// Notes the member that a path leads to: the last key that is no place in a list, nor that of a value in a case of an
    /// enumeration.
    func note(_ path: [any CodingKey]) {
        guard let key = path.last(where: { $0.intValue == nil && !$0.isPlaceInCase }) else { return }
        note(key.stringValue)
    }

    /// Notes that members of a name hold secrets.
    package func note(_ name: String) {
        names.withLock { names in
            guard names.count < Self.maximum || names.contains(name) else { return }
            names.insert(name)
        }
        isUsed.store(true, ordering: .releasing)
    }

    /// Finds the secrets of a type before any value of it is there, and runs none of its code.
    ///
    /// - Returns: Where they are; `nil` where the type holds none.
    @discardableResult
    package func learn(_ type: Any.Type) -> SecretShape? {
        let id = ObjectIdentifier(type)
        if let known = shapes.withLock({ $0[id] }) { return known }
        let shape = SecretShape(type)
        if let shape {
            for name in shape.names { note(name) }
            // Its secrets may be known by no name yet.
            isUsed.store(true, ordering: .releasing)
        }
        shapes.withLock { $0[id] = .some(shape) }
        return shape
    }

    /// Whether a value is a secret as a whole, or a list of them, which no name of a member says.
    package func isWhole<Subject>(_ value: Subject) -> Bool { learn(Subject.self)?.isNameless == true }

    /// Whether any type that may hold a secret was met.
    package var isInUse: Bool { isUsed.load(ordering: .acquiring) }

    /// Whether members of this name hold secrets.
    package func isSecret(_ name: String) -> Bool {
        isUsed.load(ordering: .acquiring) && names.withLock { $0.contains(name) }
    }

    /// The value with a mark in the place of every secret, also inside texts that are JSON: some dialects carry payloads
    /// so.
    package func redacted(_ value: Value?) -> Value? {
        guard isUsed.load(ordering: .acquiring), let value else { return value }
        let names = names.withLock { $0 }
        return Self.redacted(value, names, depth: 0)
    }

    private static func redacted(_ value: Value, _ names: Set<String>, depth: Int) -> Value {
        // Deeper than any line of a log shows.
        guard depth < 512 else { return .string(mark) }
        switch value {
        case .array(let elements): return .array(elements.map { redacted($0, names, depth: depth + 1) })
        case .object(let object):
            var result = ValueObject()
            for member in object.members {
                result[member.key] =
                    names.contains(member.key)
                    ? .string(mark) : redacted(member.value, names, depth: depth + 1)
            }
            return .object(result)
        case .string(let text): return .string(redacted(text, names, depth: depth))
        default: return value
        }
    }

    private static func redacted(_ text: String, _ names: Set<String>, depth: Int) -> String {
        guard isObjectOrList(text) else { return text }
        guard let value = try? JSONTextDecoder().decode(Value.self, from: text) else {
            // What is said of a name in it cannot be found.
            return names.contains { text.contains($0 + "\"") || text.contains($0 + "\\") } ? mark : text
        }
        let shown = redacted(value, names, depth: depth + 1)
        // Where nothing is hidden the text stays as it was written.
        guard shown != value else { return text }
        return (try? JSONTextEncoder().encode(shown)) ?? mark
    }

    /// Whether a text could be the JSON of something with members.
    package static func isObjectOrList(_ text: String) -> Bool {
        let first = text.utf8.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}

extension CodingKey {
    /// Whether this is the key of a value that a case of an enumeration has without a label: `_0`, `_1` and so on.
    fileprivate var isPlaceInCase: Bool {
        let text = stringValue.utf8
        return text.count > 1 && text.first == UInt8(ascii: "_")
            && text.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
