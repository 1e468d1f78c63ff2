/// A static import at a prompt, as a dynamic one that assigns the same names.
///
/// The names have the values that the module exports at this time, not live bindings.
struct ImportClause {
    private(set) var names: [String] = []
    private(set) var replacement = ""

    private let script: ScriptStatements
    private var index: Int
    private let end: Int

    /// Reads a statement; `nil` if it is not an import, whose error the engine reports.
    init?(_ script: ScriptStatements, _ range: Range<Int>) {
        self.script = script
        index = range.lowerBound + 1
        end = range.upperBound
        var defaultName: String?
        var namespace: String?
        var pattern: [String] = []
        if index < end, script.source.tokens[index].kind == .word {
            defaultName = script.text(at: index)
            index += script.text(at: index + 1) == "," ? 2 : 1
        }
        if script.text(at: index) == "*" {
            guard script.text(at: index + 1) == "as", index + 2 < end else { return nil }
            namespace = script.text(at: index + 2)
            index += 3
        } else if script.text(at: index) == "{" {
            guard let members = readMembers() else { return nil }
            pattern = members
        }
        if script.text(at: index) == "from" { index += 1 }
        guard index < end, script.source.tokens[index].kind == .string else { return nil }
        let call = "await import(\(script.text(at: index))\(attributes))"
        names += [defaultName, namespace].compactMap { $0 }
        if let namespace {
            replacement =
                ";(\(namespace) = \(call)" + (defaultName.map { ", \($0) = \(namespace).default)" } ?? ")")
        } else if names.isEmpty {
            replacement = ";\(call)"
        } else {
            if let defaultName { pattern.insert("default: \(defaultName)", at: 0) }
            replacement = ";({ \(pattern.joined(separator: ", ")) } = \(call))"
        }
    }

    /// Reads `{ a, b as c, "d" as e }`, as the members of a pattern.
    private mutating func readMembers() -> [String]? {
        var members: [String] = []
        index += 1
        while index < end, script.text(at: index) != "}" {
            let exported = script.text(at: index)
            var local = exported
            if script.text(at: index + 1) == "as" {
                local = script.text(at: index + 2)
                index += 2
            }
            index += 1
            if script.text(at: index) == "," { index += 1 }
            members.append("\(exported): \(local)")
            names.append(local)
        }
        guard index < end else { return nil }
        index += 1
        return members
    }

    /// The second argument of the import, from `with { type: "json" }`.
    private var attributes: String {
        let tokens = script.source.tokens
        guard script.text(at: index + 1) == "with", index + 2 < end else { return "" }
        let hasSemicolon = tokens[end - 1].text == ";"
        let last = tokens[end - (hasSemicolon ? 2 : 1)]
        return ", { with: \(script.source.text(tokens[index + 2].range.lowerBound..<last.range.upperBound)) }"
    }
}
