/// A token of a script, as far as its statements can be found by it.
struct ScriptToken: Hashable {
    enum Kind: Hashable {
        case word
        case number
        case string
        /// A template, or its part before, between or after substitutions.
        case template
        case regularExpression
        case punctuator
    }

    let kind: Kind
    /// The bytes of the token in the text.
    let range: Range<Int>
    /// A Boolean value that indicates whether a line end precedes the token.
    let isFirstOnLine: Bool
    /// The number of brackets around the token.
    let depth: Int
    let text: String
}

/// The tokens of a script, and what is open at its end.
///
/// It is not a parser: the engine checks the text. It finds strings, comments, templates and regular expressions, so that
/// the brackets and words outside of them are known.
struct ScriptTokens {
    private(set) var tokens: [ScriptToken] = []
    /// A Boolean value that indicates whether a bracket, a template or a comment is not closed.
    var isOpen: Bool { !brackets.isEmpty || isInComment || isInTemplate }
    /// The quote of a string that is not closed; `nil` if there is none.
    private(set) var openQuote: UInt8?
    private(set) var isInComment = false
    private(set) var isInTemplate = false

    private let bytes: [UInt8]
    private var index = 0
    private var isFirstOnLine = true
    private var brackets: [Bracket] = []

    private enum Bracket {
        case brace(isBlock: Bool)
        /// A parenthesis; the flag is set if it belongs to `if`, `for`, `while` or `with`.
        case parenthesis(isCondition: Bool)
        case square
        case substitution
    }
    // Set after a bracket that ends a block or a condition, behind which an expression may begin.
    private var endsOperand = false

    init(_ text: String) {
        bytes = Array(text.utf8)
        while index < bytes.count { readToken() }
    }

    /// The number of bytes of the text.
    var byteCount: Int { bytes.count }

    /// Returns the text of a range of bytes.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: - Reading

    private mutating func readToken() {
        let byte = bytes[index]
        switch byte {
        case 0x0A, 0x0D:
            isFirstOnLine = true
            index += 1
        case 0x09, 0x0B, 0x0C, 0x20: index += 1
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
        case UInt8(ascii: "#") where index == 0 && peek(1) == UInt8(ascii: "!"): skipLine()
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
        case UInt8(ascii: "'"), UInt8(ascii: "\""): readString(byte)
        case UInt8(ascii: "`"): readTemplate(from: index)
        case UInt8(ascii: "/") where !endsOperand: readRegularExpression()
        case 0x30...0x39: readNumber()
        case UInt8(ascii: ".") where peek(1).map { (0x30...0x39).contains($0) } == true: readNumber()
        case _ where Self.isOfWord(byte) || byte == UInt8(ascii: "#"): readWord()
        default: readPunctuator(byte)
        }
    }

    private func peek(_ offset: Int) -> UInt8? {
        index + offset < bytes.count ? bytes[index + offset] : nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x5F, 0x5C, 0x80...: true
        default: false
        }
    }

    private mutating func append(_ kind: ScriptToken.Kind, from start: Int, endsOperand: Bool) {
        tokens.append(
            ScriptToken(
                kind: kind,
                range: start..<index,
                isFirstOnLine: isFirstOnLine,
                depth: brackets.count,
                text: text(start..<index)
            )
        )
        isFirstOnLine = false
        self.endsOperand = endsOperand
    }

    private mutating func skipLine() {
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    }

    private mutating func skipComment() {
        index += 2
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                index += 2
                return
            }
            if bytes[index] == 0x0A { isFirstOnLine = true }
            index += 1
        }
        isInComment = true
    }

    private mutating func readString(_ quote: UInt8) {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != quote {
            if bytes[index] == 0x0A { break }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index, bytes.count)
        if index < bytes.count, bytes[index] == quote { index += 1 } else { openQuote = quote }
        append(.string, from: start, endsOperand: true)
    }

    /// Reads a template up to its end or its next substitution.
    private mutating func readTemplate(from start: Int) {
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "`"):
                index += 1
                append(.template, from: start, endsOperand: true)
                return
            case UInt8(ascii: "$") where peek(1) == UInt8(ascii: "{"):
                index += 2
                append(.template, from: start, endsOperand: false)
                brackets.append(.substitution)
                return
            default: index += 1
            }
        }
        index = bytes.count
        isInTemplate = true
        append(.template, from: start, endsOperand: true)
    }

    private mutating func readRegularExpression() {
        let start = index
        var isInClass = false
        index += 1
        while index < bytes.count, bytes[index] != 0x0A {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\") { index += 1 }
            if byte == UInt8(ascii: "[") { isInClass = true }
            if byte == UInt8(ascii: "]") { isInClass = false }
            index += 1
            if byte == UInt8(ascii: "/"), !isInClass { break }
        }
        index = min(index, bytes.count)
        while index < bytes.count, Self.isOfWord(bytes[index]) { index += 1 }
        append(.regularExpression, from: start, endsOperand: true)
    }

    private mutating func readNumber() {
        let start = index
        while index < bytes.count {
            let isSign = bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")
            let isExponent = isSign && index > start && bytes[index - 1] | 0x20 == UInt8(ascii: "e")
            let isHexadecimal = start + 1 < bytes.count && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
            guard
                Self.isOfWord(bytes[index]) || bytes[index] == UInt8(ascii: ".")
                    || (isExponent && !isHexadecimal)
            else { break }
            index += 1
        }
        append(.number, from: start, endsOperand: true)
    }

    /// The words behind which an expression begins.
    private static let operators: Set<String> = [
        "return", "typeof", "instanceof", "in", "of", "new", "delete", "void", "throw", "case", "do", "else",
        "await", "yield", "default", "extends",
    ]

    private mutating func readWord() {
        let start = index
        index += 1
        while index < bytes.count, Self.isOfWord(bytes[index]) { index += 1 }
        let isMember = tokens.last.map { $0.text == "." || $0.text == "?." } ?? false
        append(.word, from: start, endsOperand: isMember || !Self.operators.contains(text(start..<index)))
    }

    // MARK: - Punctuators

    private mutating func readPunctuator(_ byte: UInt8) {
        let start = index
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open(byte)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close()
        default:
            let length = Self.length(of: bytes[index...])
            index += length
            // Behind `x++` an operator follows, behind `++` an operand.
            let isStep =
                length == 2 && (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"))
                && bytes[start + 1] == byte
            append(.punctuator, from: start, endsOperand: isStep && endsOperand)
        }
    }

    private static func length(of rest: ArraySlice<UInt8>) -> Int {
        for known in ["...", "=>", "?.", "++", "--", "&&", "||", "??", "==", "**"]
        where rest.starts(with: known.utf8) {
            return known.utf8.count
        }
        return 1
    }

    private mutating func open(_ byte: UInt8) {
        let last = tokens.last
        let isMember = tokens.count > 1 && [".", "?."].contains(tokens[tokens.count - 2].text)
        let bracket: Bracket =
            switch byte {
            case UInt8(ascii: "("):
                .parenthesis(
                    isCondition: !isMember && ["if", "for", "while", "with"].contains(last?.text ?? "")
                )
            case UInt8(ascii: "["): .square
            default: .brace(isBlock: isBlock(after: last))
            }
        let start = index
        index += 1
        append(.punctuator, from: start, endsOperand: false)
        brackets.append(bracket)
    }

    private func isBlock(after last: ScriptToken?) -> Bool {
        guard let last else { return true }
        if last.kind == .word {
            return !Self.operators.contains(last.text) || last.text == "do" || last.text == "else"
        }
        return [")", "{", "}", ";", "=>", ":"].contains(last.text)
    }

    private mutating func close() {
        let start = index
        guard let bracket = brackets.popLast() else {
            index += 1
            return append(.punctuator, from: start, endsOperand: true)
        }
        switch bracket {
        case .substitution: readTemplate(from: start)
        case .brace(let isBlock):
            index += 1
            append(.punctuator, from: start, endsOperand: !isBlock)
        case .parenthesis(let isCondition):
            index += 1
            append(.punctuator, from: start, endsOperand: !isCondition)
        case .square:
            index += 1
            append(.punctuator, from: start, endsOperand: true)
        }
    }
}
