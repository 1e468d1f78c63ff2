/// The statements at the top level of a script.
///
/// Line ends separate statements where the language inserts a semicolon.
struct ScriptStatements {
    /// A statement, by the indices of its tokens.
    struct Statement: Hashable {
        var tokens: Range<Int>
    }

    let source: ScriptTokens
    private(set) var statements: [Statement] = []

    init(_ source: ScriptTokens) {
        self.source = source
        var start = 0
        for index in source.tokens.indices where index > start && begins(at: index, statementFrom: start) {
            statements.append(Statement(tokens: start..<index))
            start = index
        }
        if start < source.tokens.count { statements.append(Statement(tokens: start..<source.tokens.count)) }
    }

    private var tokens: [ScriptToken] { source.tokens }

    /// The words that begin a statement that is not an expression.
    private static let statementWords: Set<String> = [
        "break", "case", "class", "const", "continue", "debugger", "default", "do", "else", "export",
        "finally",
        "for", "function", "if", "import", "let", "return", "switch", "throw", "try", "catch", "var", "while",
        "with",
    ]

    /// Returns whether the statement that begins at a token is an expression.
    func isExpression(at start: Int) -> Bool {
        let token = tokens[start]
        if token.text == "import" { return ["(", "."].contains(text(at: start + 1)) }
        if token.text == "let" { return !isDeclaration(at: start) }
        if token.text == "async", text(at: start + 1) == "function" { return false }
        return token.text != "{" && token.text != ";"
            && !(token.kind == .word && Self.statementWords.contains(token.text))
    }

    /// Returns whether `let` at a token begins a declaration; it may also be a name.
    func isDeclaration(at index: Int) -> Bool {
        guard index + 1 < tokens.count else { return false }
        let next = tokens[index + 1]
        return next.kind == .word && !["in", "instanceof", "of"].contains(next.text) || next.text == "["
            || next.text == "{"
    }

    func text(at index: Int) -> String { index < tokens.count ? tokens[index].text : "" }

    private func begins(at index: Int, statementFrom start: Int) -> Bool {
        let (last, token) = (tokens[index - 1], tokens[index])
        guard token.depth == 0, last.depth == 0 else { return false }
        if last.text == ";", last.kind == .punctuator { return true }
        if last.text == "}", last.kind == .punctuator, !isExpression(at: start) {
            return endsBlock(before: token, statementFrom: start)
        }
        // Behind `let` a name may be on the next line.
        if last.text == "let", index == start + 1, isDeclaration(at: start) { return false }
        return token.isFirstOnLine && endsOperand(last) && !continues(token)
    }

    /// Returns whether a brace at the top level ends the statement.
    private func endsBlock(before next: ScriptToken, statementFrom start: Int) -> Bool {
        switch text(at: start) {
        case "let", "const", "var", "import", "export", "return", "throw":
            return next.isFirstOnLine && !continues(next)
        case "do": return false
        default: return !["else", "catch", "finally"].contains(next.text)
        }
    }

    private func endsOperand(_ token: ScriptToken) -> Bool {
        switch token.kind {
        case .number, .string, .template, .regularExpression: return true
        case .word:
            return ![
                "return", "typeof", "in", "of", "new", "delete", "void", "await", "else", "do",
                "instanceof", "extends", "const", "var", "class", "function", "import", "from", "as",
            ].contains(token.text)
        case .punctuator: return [")", "]", "}", "++", "--"].contains(token.text)
        }
    }

    /// Returns whether a token at the begin of a line continues the expression before it.
    private func continues(_ token: ScriptToken) -> Bool {
        switch token.kind {
        case .word:
            return ["in", "instanceof", "else", "catch", "finally", "from", "as", "with"].contains(token.text)
        case .number, .string, .regularExpression: return false
        case .template: return true
        case .punctuator: return !["{", "}", "!", "~", "++", "--", "..."].contains(token.text)
        }
    }
}
