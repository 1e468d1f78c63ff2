import BridgeValues

extension BrowserPage {
    /// Returns what a screen reader sees as text: a line for each node, with its role, its name and its states.
    func accessibilityText(
        states: Set<String> = ["selected", "multiselectable", "level", "expanded", "busy"]
    ) async throws -> String {
        guard case .array(let nodes)? = try await call("Accessibility.getFullAXTree")["nodes"] else {
            return ""
        }
        var byID: [String: ValueObject] = [:]
        var root: String?
        for case .object(let node) in nodes {
            guard let id = node["nodeId"]?.stringValue else { continue }
            byID[id] = node
            if node["parentId"] == nil { root = id }
        }
        var lines: [String] = []
        func visit(_ id: String, _ depth: Int) {
            guard let node = byID[id] else { return }
            var inner = depth
            if node["ignored"] != .bool(true), let line = Self.line(of: node, states) {
                lines.append(String(repeating: "  ", count: depth) + line)
                inner += 1
            }
            guard case .array(let children)? = node["childIds"] else { return }
            for child in children { if let id = child.stringValue { visit(id, inner) } }
        }
        if let root { visit(root, 0) }
        return lines.joined(separator: "\n")
    }

    private static func line(of node: ValueObject, _ states: Set<String>) -> String? {
        guard case .object(let role)? = node["role"], let name = role["value"]?.stringValue else {
            return nil
        }
        // Boxes of text repeat what their parents say.
        if ["InlineTextBox", "StaticText", "generic", "none"].contains(name) { return nil }
        var line = name
        if case .object(let named)? = node["name"], let text = named["value"]?.stringValue, !text.isEmpty {
            line += " \"\(text)\""
        }
        guard case .array(let properties)? = node["properties"] else { return line }
        for case .object(let property) in properties {
            guard let state = property["name"]?.stringValue, states.contains(state),
                case .object(let holder)? = property["value"], let value = holder["value"]
            else { continue }
            line += " \(state)=\(value)"
        }
        return line
    }
}
