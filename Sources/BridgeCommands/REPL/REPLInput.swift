/// An input of a prompt in the form in which the engine runs it.
enum REPLInput: Hashable {
    /// A script, with the names that it declares.
    case script(Code)
    /// An asynchronous function, because the input has an `import` or a top-level `await`.
    case asynchronous(Code)
    /// An input that needs more lines.
    case incomplete
    /// An input with an error: the text whose syntax error is reported.
    case invalid(String)

    /// The text of an input, and the names that it declares.
    struct Code: Hashable {
        var text: String
        var names: [String] = []
        var constants: [String] = []
        /// The number of characters before the input in the text.
        var prefixCount = 0
    }

    /// Finds the form of an input.
    ///
    /// - Parameters:
    ///   - text: The input.
    ///   - problem: Returns the message of the engine's first syntax error in a script; `nil` if there is none.
    init(_ text: String, problem: (String) -> String?) {
        let tokens = ScriptTokens(text)
        let script = ScriptStatements(tokens)
        // An input that begins with a brace is an object, if it can be one.
        if tokens.tokens.first?.text == "{", tokens.tokens.last?.text != ";",
            let form = Self.object("(\(text)\n)", problem)
        {
            self = form
            return
        }
        let imports = script.statements.contains {
            tokens.tokens[$0.tokens.lowerBound].text == "import"
                && !script.isExpression(at: $0.tokens.lowerBound)
        }
        let awaits = tokens.tokens.filter { $0.kind == .word && $0.text == "await" }
        // `await (x)` at the top level is also a call of a function with this name.
        if imports || awaits.contains(where: { $0.depth == 0 }) {
            if let code = Self.asynchronous(script, problem) {
                self = .asynchronous(code)
                return
            }
        }
        guard let message = problem(text) else {
            let declarations = REPLDeclarations(script, isAsynchronous: false)
            let code = Code(declarations)
            // A declaration that cannot be rewritten is run as it is.
            self = .script(problem(code.text) == nil ? code : Code(text: text))
            return
        }
        if !awaits.isEmpty, let code = Self.asynchronous(script, problem) {
            self = .asynchronous(code)
            return
        }
        let wrapped = "async () => { \(text)"
        if Self.isIncomplete(message, tokens) || imports && tokens.isOpen {
            self = .incomplete
        } else if !awaits.isEmpty, let inner = problem(wrapped), Self.isIncomplete(inner, tokens),
            problem(wrapped + "\n}") != nil
        {
            self = .incomplete
        } else {
            self = .invalid(awaits.isEmpty ? text : wrapped + "\n}")
        }
    }

    private static func object(_ text: String, _ problem: (String) -> String?) -> REPLInput? {
        if problem(text) == nil { return .script(Code(text: text, prefixCount: 1)) }
        guard text.contains("await") else { return nil }
        return asynchronous(ScriptStatements(ScriptTokens(text)), problem).map { .asynchronous($0) }
    }

    private static func asynchronous(_ script: ScriptStatements, _ problem: (String) -> String?) -> Code? {
        let declarations = REPLDeclarations(script, isAsynchronous: true)
        return problem(declarations.text) == nil ? Code(declarations) : nil
    }

    /// Returns whether a message of the engine means that more text may make the script valid.
    private static func isIncomplete(_ message: String, _ tokens: ScriptTokens) -> Bool {
        message.hasPrefix("Unexpected end of script") || tokens.isInTemplate || tokens.isInComment
    }
}

extension REPLInput.Code {
    fileprivate init(_ declarations: REPLDeclarations) {
        text = declarations.text
        names = declarations.names
        constants = declarations.constants
        prefixCount = declarations.prefixCount
    }
}
