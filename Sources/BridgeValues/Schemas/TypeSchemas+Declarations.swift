extension TypeSchemas {
    /// A schema as a type of TypeScript; structures are named within a namespace.
    package func typeScript(_ schema: TypeSchema, namespace: String) -> String {
        switch schema {
        case .any: "any"
        case .nothing: "void"
        case .bool: "boolean"
        // What is beyond 53 bits comes as a BigInt; nearly no number of 64 bits is, and all would have to be asked.
        case .integer, .number: "number"
        case .string, .url, .uuid: "string"
        case .texts(let texts): texts.map(Self.literal).joined(separator: " | ")
        case .decimal: "string | number"
        case .date: "Date"
        case .bytes: "Uint8Array | ArrayBuffer"
        case .optional(let wrapped): "\(typeScript(wrapped, namespace: namespace)) | null"
        case .list(let element): "\(listed(element, namespace))[]"
        case .dictionary(let value): "Record<string, \(typeScript(value, namespace: namespace))>"
        case .structure(let name): "\(namespace).\(name)"
        }
    }

    /// The structures as interfaces, in the order in which they were met; each line begins with four spaces.
    package func interfaces(namespace: String) -> [String] {
        names.flatMap { name -> [String] in
            let structure = structures[name] ?? StructureSchema(isOpen: true)
            var lines = ["    interface \(name) {"]
            for member in structure.members {
                let type = typeScript(member.schema, namespace: namespace)
                let isNullable = member.isOptional && member.schema != .any
                lines.append(
                    "        \(Self.key(member.name))\(member.isOptional ? "?" : ""): \(type)\(isNullable ? " | null" : "");"
                )
            }
            if structure.isOpen { lines.append("        [other: string]: any;") }
            return lines + ["    }"]
        }
    }

    /// A text as a literal of TypeScript, in one line and ASCII.
    package static func literal(_ text: String) -> String {
        var literal = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: literal += "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20...0x7E: literal += String(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                literal += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return literal + "\""
    }

    private func listed(_ schema: TypeSchema, _ namespace: String) -> String {
        let type = typeScript(schema, namespace: namespace)
        return type.contains(" ") && !type.hasPrefix("Record<") ? "(\(type))" : type
    }

    private static func key(_ name: String) -> String {
        let isName =
            !name.isEmpty && name.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && name.utf8.allSatisfy { byte in
                (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x5F || byte == 0x24
            }
        return isName ? name : literal(name)
    }
}
