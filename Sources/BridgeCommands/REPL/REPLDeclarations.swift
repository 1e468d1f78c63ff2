/// The declarations at the top level of an input, and the same input with variables that can be declared again.
///
/// The engine binds `let`, `const` and `class` once for a context. An input declares `var` instead, whose properties
/// exist before and can be configured. Inside of the asynchronous function that a top-level `await` needs, declarations
/// become assignments.
struct REPLDeclarations {
    private struct Edit {
        let range: Range<Int>
        let replacement: String
    }

    /// The names that the input declares.
    private(set) var names: [String] = []
    /// The names among them that no later input can assign to.
    private(set) var constants: [String] = []
    /// The input with other declarations.
    private(set) var text = ""
    /// The number of characters before the input in the text.
    private(set) var prefixCount = 0

    private let script: ScriptStatements
    private let isAsynchronous: Bool
    private var edits: [Edit] = []
    // The functions of an asynchronous input, which are hoisted inside of it only.
    private var functions: [String] = []

    /// Rewrites an input.
    ///
    /// - Parameters:
    ///   - script: The statements of the input.
    ///   - isAsynchronous: Whether the input becomes an asynchronous function. Its promise has the value of the last
    ///     statement, if that is an expression, as the property `value` of an object.
    init(_ script: ScriptStatements, isAsynchronous: Bool) {
        self.script = script
        self.isAsynchronous = isAsynchronous
        for statement in script.statements { rewrite(statement.tokens) }
        if isAsynchronous { returnLastValue() }
        apply()
    }

    private var tokens: [ScriptToken] { script.source.tokens }

    private mutating func replace(_ range: Range<Int>, _ replacement: String) {
        edits.append(Edit(range: range, replacement: replacement))
    }

    private mutating func insert(_ string: String, at position: Int) { replace(position..<position, string) }

    private mutating func apply() {
        var position = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            text += script.source.text(position..<edit.range.lowerBound) + edit.replacement
            position = edit.range.upperBound
        }
        text += script.source.text(position..<script.source.byteCount)
        guard isAsynchronous else { return }
        let hoisted = functions.map { "this.\($0) = \($0); " }.joined()
        // In one line with the begin of the input, whose lines keep their numbers.
        let prefix = "(async () => { \(hoisted)"
        prefixCount = prefix.utf16.count
        text = "\(prefix)\(text)\n})()"
    }

    // MARK: - Statements

    private mutating func rewrite(_ range: Range<Int>) {
        let first = tokens[range.lowerBound]
        switch first.text {
        case "let" where script.isDeclaration(at: range.lowerBound), "const":
            rewriteVariables(range, isConstant: first.text == "const")
        case "var" where isAsynchronous: rewriteVariables(range, isConstant: false)
        case "class": rewriteClass(range)
        case "function" where isAsynchronous: hoist(at: range.lowerBound + 1)
        case "async" where isAsynchronous && script.text(at: range.lowerBound + 1) == "function":
            hoist(at: range.lowerBound + 2)
        case "import" where isAsynchronous && !script.isExpression(at: range.lowerBound):
            if let clause = ImportClause(script, range) {
                names += clause.names
                constants += clause.names
                replace(bytes(of: range), clause.replacement)
            }
        default: break
        }
    }

    /// Returns the bytes of tokens, without a semicolon at their end.
    private func bytes(of range: Range<Int>) -> Range<Int> {
        let hasSemicolon = range.count > 1 && tokens[range.upperBound - 1].text == ";"
        return tokens[range.lowerBound].range
            .lowerBound..<tokens[range.upperBound - (hasSemicolon ? 2 : 1)].range.upperBound
    }

    private mutating func hoist(at index: Int) {
        let nameIndex = script.text(at: index) == "*" ? index + 1 : index
        guard nameIndex < tokens.count, tokens[nameIndex].kind == .word else { return }
        names.append(tokens[nameIndex].text)
        functions.append(tokens[nameIndex].text)
    }

    private mutating func rewriteClass(_ range: Range<Int>) {
        guard range.count > 1, tokens[range.lowerBound + 1].kind == .word else { return }
        let name = tokens[range.lowerBound + 1].text
        guard name != "extends" else { return }
        names.append(name)
        let whole = bytes(of: range)
        insert(isAsynchronous ? ";\(name) = " : "var \(name) = ", at: whole.lowerBound)
        insert(";", at: whole.upperBound)
    }

    private mutating func rewriteVariables(_ range: Range<Int>, isConstant: Bool) {
        let keyword = tokens[range.lowerBound]
        var bindings = BindingNames(tokens, from: range.lowerBound + 1, to: range.upperBound)
        let isLet = keyword.text == "let"
        bindings.read()
        names += bindings.names
        if isConstant { constants += bindings.names }
        for position in bindings.ends(withoutValue: tokens) {
            // A variable that is declared again without a value has none.
            if isLet || isAsynchronous && keyword.text != "var" { insert(" = void 0", at: position) }
        }
        if isAsynchronous {
            // The semicolon ends a statement before it that has none.
            replace(keyword.range, ";(")
            insert(")", at: bytes(of: range).upperBound)
        } else {
            replace(keyword.range, "var" + String(repeating: " ", count: keyword.text.utf8.count - 3))
        }
    }

    private mutating func returnLastValue() {
        guard let last = script.statements.last?.tokens, script.isExpression(at: last.lowerBound) else {
            return
        }
        let whole = bytes(of: last)
        insert(";return { __proto__: null, value: (", at: whole.lowerBound)
        insert("\n) }", at: whole.upperBound)
    }
}

/// The names of the bindings of a declaration, also those in patterns.
struct BindingNames {
    private(set) var names: [String] = []
    private let tokens: [ScriptToken]
    private var index: Int
    private let end: Int
    // The indices of the tokens that are the whole binding of a variable.
    private var plain: [Int] = []

    init(_ tokens: [ScriptToken], from start: Int, to end: Int) {
        self.tokens = tokens
        index = start
        self.end = end
    }

    private var text: String { index < end ? tokens[index].text : "" }

    mutating func read() {
        while index < end {
            if tokens[index].kind == .word { plain.append(index) }
            readBinding()
            skipValue(atDepth: 0)
            guard text == "," else { return }
            index += 1
        }
    }

    /// Returns the positions behind the names that have no value.
    func ends(withoutValue tokens: [ScriptToken]) -> [Int] {
        plain.filter { $0 + 1 >= end || tokens[$0 + 1].text != "=" }.map { tokens[$0].range.upperBound }
    }

    private mutating func readBinding() {
        guard index < end else { return }
        switch text {
        case "{": readPattern(closing: "}")
        case "[": readPattern(closing: "]")
        default:
            if tokens[index].kind == .word { names.append(text) }
            index += 1
        }
    }

    private mutating func readPattern(closing: String) {
        let depth = tokens[index].depth + 1
        index += 1
        while index < end, !(text == closing && tokens[index].depth == depth - 1) {
            if text == "," || text == "..." {
                index += 1
                continue
            }
            if closing == "}" { skipKey(atDepth: depth) }
            readBinding()
            skipValue(atDepth: depth)
        }
        index += 1
    }

    /// Skips the key of a property that has a binding behind a colon.
    private mutating func skipKey(atDepth depth: Int) {
        var next = index + 1
        if text == "[" {
            while next < end, tokens[next].depth > depth { next += 1 }
            next += 1
        }
        if next < end, tokens[next].text == ":" { index = next + 1 }
    }

    /// Skips the value or default of a binding.
    private mutating func skipValue(atDepth depth: Int) {
        guard text == "=" else { return }
        while index < end {
            let token = tokens[index]
            let isClosing = token.kind == .punctuator && ["}", "]", ")"].contains(token.text)
            if token.depth == depth, token.text == ",", token.kind == .punctuator { return }
            if token.depth < depth, isClosing { return }
            index += 1
        }
    }
}
