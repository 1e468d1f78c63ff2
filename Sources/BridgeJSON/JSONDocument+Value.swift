internal import BridgeValues

extension JSONDocument {
    private struct Container {
        let isObject: Bool
        let end: UInt32
        var elements: [Value] = []
        var members = ValueObject()
        var key = ""
    }

    /// Decodes a value as data, directly: lone surrogates are kept, and numbers keep their kind (P68).
    ///
    /// It does not recurse, so that the nesting depth depends on the limit and not on the stack.
    func value(at index: UInt32) -> Value {
        var open: [Container] = []
        var index = index
        while true {
            let token = tokens[Int(index)]
            if token.kind == .array || token.kind == .object, token.count > 0 {
                var container = Container(isObject: token.kind == .object, end: token.next)
                index += 1
                if container.isObject {
                    container.key = string(tokens[Int(index)])
                    index += 1
                } else {
                    container.elements.reserveCapacity(Int(token.count))
                }
                open.append(container)
                continue
            }
            var value = leaf(token)
            index = token.next
            // The value may be the last of its container, which may be the last of its own container, and so on.
            while true {
                guard let top = open.indices.last else { return value }
                if open[top].isObject {
                    open[top].members[open[top].key] = value
                } else {
                    open[top].elements.append(value)
                }
                if index < open[top].end {
                    if open[top].isObject {
                        open[top].key = string(tokens[Int(index)])
                        index += 1
                    }
                    break
                }
                let container = open.removeLast()
                value = container.isObject ? .object(container.members) : .array(container.elements)
            }
        }
    }

    private func leaf(_ token: JSONToken) -> Value {
        switch token.kind {
        case .null: .null
        case .yes: .bool(true)
        case .no: .bool(false)
        case .number: number(token).value
        case .text, .key:
            token.traits.contains(.illFormed)
                ? .illFormedString(text(token).unescaped) : .string(string(token))
        case .array: .array([])
        case .object: .object([:])
        }
    }
}
