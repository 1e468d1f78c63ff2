internal import CJavaScriptCore

extension JSContext {
    /// Adds the column to a script's syntax error.
    ///
    /// The engine reports the line, but as the column that of its caller.
    ///
    /// The search checks prefixes of the line: the shortest one with the same error ends with the offending token. A
    /// turn must be open.
    func placeSyntaxError(_ error: inout JSException, in script: String, startingLine: Int) {
        guard error.name == "SyntaxError", error.frames.isEmpty, let line = error.line else { return }
        error.column = columnOfSyntaxError(
            error.message,
            in: script,
            line: line,
            startingLine: startingLine,
            messageOf: syntaxErrorMessage
        )
        error.codeFrame = stacks.sources.codeFrame(
            sourceURL: error.sourceURL,
            line: line,
            column: error.column
        )
    }

    /// Returns the column of a syntax error by its message, which a function returns for each beginning of the source.
    func columnOfSyntaxError(
        _ message: String,
        in script: String,
        line: Int,
        startingLine: Int,
        messageOf: (String) -> String?
    ) -> Int? {
        let units = Array(script.utf16)
        let lines = units.split(separator: 10, omittingEmptySubsequences: false)
        guard lines.indices.contains(line - startingLine) else { return nil }
        let shown = lines[line - startingLine]
        func isSame(upTo end: Int, followedBy rest: String = "") -> Bool {
            messageOf(String(decoding: units[..<end], as: UTF16.self) + rest) == message
        }
        // An error at any continuation is an unexpected end of the source, which is at the end.
        guard isSame(upTo: shown.endIndex, followedBy: "\n@") else { return shown.count + 1 }
        guard shown.startIndex < shown.endIndex, !isSame(upTo: shown.startIndex) else { return nil }
        var (without, with) = (shown.startIndex, shown.endIndex)
        while with - without > 1 {
            let middle = without + (with - without) / 2
            if isSame(upTo: middle) { with = middle } else { without = middle }
        }
        // The message quotes the token, or a part of it.
        let quoted = message.split(separator: "'", omittingEmptySubsequences: false)
        let token = quoted.count > 2 ? Array(quoted[1].utf16) : []
        let length =
            units[shown.startIndex..<with].reversed().starts(with: token.reversed()) ? max(1, token.count) : 1
        return with - length - shown.startIndex + 1
    }

    /// Returns the message of the first syntax error of a script; `nil` if there is none.
    ///
    /// A turn must be open.
    package func syntaxErrorMessage(in text: String) -> String? {
        var exception: JSValueRef?
        let isRight = EngineString.with(text) {
            JSCheckScriptSyntax(ref, $0, nil, 1, &exception)
        }
        return isRight ? nil : self.exception(from: exception).message
    }
}
