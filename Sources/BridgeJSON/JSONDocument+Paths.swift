internal import BridgeValues

extension JSONDocument {
    /// Returns the coding path of a value, found by a search from the root; only errors and coding paths pay for it.
    ///
    /// - Complexity: Linear in the number of elements and members before the value in its containers.
    func path(to place: UInt32) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container: UInt32 = 0
        while container < place {
            let token = tokens[Int(container)]
            var value = container + 1
            var position = 0
            while true {
                let key = value
                if token.kind == .object { value += 1 }
                if place < tokens[Int(value)].next {
                    path.append(
                        token.kind == .object ? JSONMemberKey(string(tokens[Int(key)])) : IndexKey(position)
                    )
                    container = value
                    break
                }
                value = tokens[Int(value)].next
                position += 1
                // The token is not a value of this document; no caller passes such a token.
                guard value < token.next else { return path }
            }
        }
        return path
    }

    func mismatch(_ wanted: String, at place: UInt32, _ index: UInt32) -> DecodingError {
        let (kind, excerpt) = shown(index)
        let found = kind == "null" ? kind : "\(kind) \(excerpt)"
        return .typeMismatch(
            Any.self,
            .init(codingPath: path(to: place), debugDescription: "\(found) is not \(wanted)")
        )
    }

    /// Creates the error of a number that does not fit an integer type.
    func misfit<Integer: FixedWidthInteger>(_ type: Integer.Type, at place: UInt32, _ index: UInt32)
        -> DecodingError
    {
        misfit(ExpectedNumber.range(of: type, for: value(at: index)), at: place, index)
    }

    /// Creates the error of a number that does not fit.
    func misfit(_ wanted: String, at place: UInt32, _ index: UInt32) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: path(to: place),
                debugDescription: "\(shown(index).excerpt) is not \(wanted)"
            )
        )
    }

    /// Describes a value for a message, in the words of ``Value``; of a container only the size is read.
    private func shown(_ index: UInt32) -> (kind: String, excerpt: String) {
        let token = tokens[Int(index)]
        switch token.kind {
        case .array: return ("array", Value.size(Int(token.count), "element"))
        case .object:
            let isIndexed = token.traits.contains(.indexed)
            let count = isIndexed ? self.index(of: index).members.count : Int(token.count)
            return ("object", Value.size(count, "member"))
        default:
            let value = value(at: index)
            return (value.kind, value.excerpt)
        }
    }
}
