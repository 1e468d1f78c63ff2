package import BridgeValues

extension SecretMembers {
    /// Returns the value with all secrets replaced, also in strings that contain JSON, as some dialects carry payloads.
    package func redacted(_ value: Value?) -> Value? {
        guard let value, let names = knownNames else { return value }
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
            // In a string that cannot be decoded, the value of a name cannot be found.
            return names.contains { text.contains($0 + "\"") || text.contains($0 + "\\") } ? mark : text
        }
        let shown = redacted(value, names, depth: depth + 1)
        // A string without secrets keeps its original spelling.
        guard shown != value else { return text }
        return (try? JSONTextEncoder().encode(shown)) ?? mark
    }
}
