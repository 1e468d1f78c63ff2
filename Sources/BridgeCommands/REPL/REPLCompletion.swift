internal import BridgeValues
internal import JavaScriptBridge

/// The names that continue a text.
struct REPLCompletion: Sendable, Hashable {
    /// The names, sorted.
    var names: [String] = []
    /// The number of characters before the end of the text that a name replaces.
    var replacedCount = 0
}

/// The end of a text that is completed.
enum CompletionTarget: Hashable {
    /// A member of the value at a path, which begins at the global object.
    case member(path: [String], prefix: String)
    /// The name of a handler, in a string.
    case handler(prefix: String)
    /// A command of the prompt, without its dot.
    case command(prefix: String)

    // The functions whose first argument is the name of a handler.
    private static let handlerFunctions: Set<String> = ["callHandler", "call", "send", "stream", "notify"]

    /// Finds what is completed; `nil` if no name can follow.
    init?(_ text: String) {
        if text.first == ".", text.dropFirst().allSatisfy({ $0.isLetter }) {
            self = .command(prefix: String(text.dropFirst()))
            return
        }
        let script = ScriptTokens(text)
        var tokens = script.tokens[...]
        if script.openQuote != nil {
            guard let string = tokens.popLast(), tokens.popLast()?.text == "(",
                let function = tokens.popLast(),
                Self.handlerFunctions.contains(function.text)
            else { return nil }
            self = .handler(prefix: String(string.text.dropFirst()))
            return
        }
        guard !script.isInComment, !script.isInTemplate else { return nil }
        var prefix = ""
        let isBehindToken = text.last.map { !$0.isWhitespace } ?? false
        if isBehindToken, let last = tokens.last, last.kind == .word {
            prefix = last.text
            tokens.removeLast()
        } else if isBehindToken, let last = tokens.last, last.text != ".", last.text != "?.",
            last.kind != .punctuator
        {
            return nil
        }
        var path: [String] = []
        while let dot = tokens.last, dot.text == "." || dot.text == "?." {
            tokens.removeLast()
            guard let name = tokens.popLast(), name.kind == .word else { return nil }
            path.insert(name.text, at: 0)
        }
        self = .member(path: path, prefix: prefix)
    }
}

extension REPLSession {
    /// The words of the language that can begin an expression or a statement.
    private static let words = [
        "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
        "delete",
        "else", "export", "extends", "false", "finally", "for", "function", "import", "instanceof", "let",
        "new",
        "null", "return", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while",
        "with", "yield",
    ]

    /// Returns the names that continue a text, without running a script's code.
    func completion(of text: String) async -> REPLCompletion {
        switch CompletionTarget(text) {
        case nil: return REPLCompletion()
        case .command(let prefix):
            return Self.matches(REPLDotCommand.names, prefix)
        case .handler(let prefix):
            return Self.matches(bridge.handlerNames, prefix)
        case .member(let path, let prefix):
            let found = try? await bridge.withContext { context in
                let names = try JSValue(.array(path.map { .string($0) }), in: context)
                let arguments = try [names, JSValue(.string(prefix), in: context)]
                return try context.internals.invokeMethod("memberNames", withArguments: arguments).toValue()
                    .stringValue
            }
            let members = (found.flatMap { $0 } ?? "").split(separator: "\n").map(String.init)
            return Self.matches(path.isEmpty ? members + Self.words : members, prefix)
        }
    }

    private static func matches(_ names: [String], _ prefix: String) -> REPLCompletion {
        let matching = Set(names.filter { $0.hasPrefix(prefix) })
        return REPLCompletion(names: matching.sorted(), replacedCount: prefix.count)
    }
}
