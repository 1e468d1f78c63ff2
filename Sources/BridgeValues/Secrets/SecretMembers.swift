internal import Synchronization

/// The names of members that contain secrets, in this process.
///
/// A name is added when a type with a member of ``Secret`` is registered or requested, and when a secret is decoded or
/// encoded. Names are never removed: a log that hides too much is better than one that hides too little.
package final class SecretMembers: Sendable {
    /// The replacement of a secret.
    package static let mark = "[secret]"
    /// The names of the process.
    package static let shared = SecretMembers()
    // Scripts choose the keys of a dictionary of secrets.
    private static let maximum = 10_000

    private let names = Mutex<Set<String>>([])
    /// The locations of secrets in the examined types; `nil` for a type without secrets.
    private let shapes = Mutex<[ObjectIdentifier: SecretShape?]>([:])
    private let isUsed = Atomic(false)

    /// Records the member at a path: its last key that is neither an array index nor the label of an associated value.
    func note(_ path: [any CodingKey]) {
        guard let key = path.last(where: { $0.intValue == nil && !$0.isPlaceInCase }) else { return }
        note(key.stringValue)
    }

    /// Records that members with a name contain secrets.
    package func note(_ name: String) {
        names.withLock { names in
            guard names.count < Self.maximum || names.contains(name) else { return }
            names.insert(name)
        }
        isUsed.store(true, ordering: .releasing)
    }

    /// Finds the secrets of a type before there is a value of it, and runs none of its code.
    ///
    /// - Returns: The locations of the secrets; `nil` where the type contains none.
    @discardableResult
    package func learn(_ type: Any.Type) -> SecretShape? {
        let id = ObjectIdentifier(type)
        if let known = shapes.withLock({ $0[id] }) { return known }
        let shape = SecretShape(type)
        if let shape {
            for name in shape.names { note(name) }
            // The names of its secrets may still be unknown.
            isUsed.store(true, ordering: .releasing)
        }
        shapes.withLock { $0[id] = .some(shape) }
        return shape
    }

    /// Returns whether a value is as a whole a secret, or an array of secrets, so that no member has a name.
    package func isWhole<Subject>(_ value: Subject) -> Bool { learn(Subject.self)?.isNameless == true }

    /// A Boolean value that indicates whether any type that may contain a secret was found.
    package var isInUse: Bool { isUsed.load(ordering: .acquiring) }

    /// The names of the members that contain secrets; `nil` before any type was found that may contain one.
    package var knownNames: Set<String>? { isUsed.load(ordering: .acquiring) ? names.withLock { $0 } : nil }

    /// Returns whether members with this name contain secrets.
    package func isSecret(_ name: String) -> Bool {
        isUsed.load(ordering: .acquiring) && names.withLock { $0.contains(name) }
    }

    /// Returns whether a string could be the JSON of an object or an array.
    package static func isObjectOrList(_ text: String) -> Bool {
        let first = text.utf8.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}

extension CodingKey {
    /// A Boolean value that indicates whether this is the key of an associated value without a label: `_0`, `_1` and so
    /// on.
    fileprivate var isPlaceInCase: Bool {
        let text = stringValue.utf8
        return text.count > 1 && text.first == UInt8(ascii: "_")
            && text.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
