internal import BridgeJSON
internal import BridgeValues

enum JSONFuzz {
    /// A type with common properties: optionals, arrays, dictionaries, itself.
    private struct Tree: Codable, Equatable {
        var name: String?
        var number: Double?
        var count: Int64?
        var small: UInt8?
        var flag: Bool?
        var parts: [Tree]?
        var table: [String: String]?
    }

    static func problem(_ units: [UInt16], form: UInt8) -> String? {
        var limits = BridgeLimits()
        if form & 1 != 0 { limits.maximumDepth = 20 }
        if form & 2 != 0 { limits.maximumNodes = 100 }
        let decoder = JSONTextDecoder(limits: limits)
        let encoder = JSONTextEncoder(limits: limits)
        return units.withUnsafeBufferPointer { units in
            // Decoded as a type; an error is a valid result.
            if let tree = try? decoder.decode(Tree.self, from: units) {
                guard let text = try? encoder.encodeUnits(of: tree),
                    let back = text.withUnsafeBufferPointer({ try? decoder.decode(Tree.self, from: $0) }),
                    back == tree
                else {
                    // Strings that `String` cannot hold are replaced, and an exceeded limit stays an error.
                    return form & 3 == 0 ? "a tree is not equal to its decoded copy" : nil
                }
            }
            guard let value = try? decoder.decode(Value.self, from: units) else { return nil }
            guard let text = try? encoder.encodeUnits(of: value) else {
                return "a decoded value cannot be encoded"
            }
            let back = text.withUnsafeBufferPointer { try? decoder.decode(Value.self, from: $0) }
            guard let back else { return "what was written cannot be read" }
            guard back == value || (try? encoder.encodeUnits(of: back)) == text else {
                return "a value is not equal to its decoded copy: \(value), \(back)"
            }
            return nil
        }
    }
}
