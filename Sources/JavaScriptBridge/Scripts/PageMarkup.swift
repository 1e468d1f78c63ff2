/// The markup of a page, parsed as far as scripts need it: its elements, its text, and the scripts between them.
///
/// It follows the tokenizer of the HTML standard (https://html.spec.whatwg.org/#tokenization) for well-formed
/// documents; a malformed construct ends where the next tag begins. Nothing is an error, as in a browser.
struct PageMarkup {
    /// A piece of the document, in its order.
    enum Token: Equatable {
        case open(String, attributes: [(name: String, value: String)])
        case text(String)
        case close

        static func == (left: Token, right: Token) -> Bool {
            switch (left, right) {
            case (.open(let left, let attributes), .open(let right, let others)):
                left == right && attributes.map(\.name) == others.map(\.name)
                    && attributes.map(\.value) == others.map(\.value)
            case (.text(let left), .text(let right)): left == right
            case (.close, .close): true
            default: false
            }
        }
    }

    /// A script of the document.
    struct Script: Equatable {
        /// The text between its tags.
        var text: String
        /// The line where that text begins, and the column, both from 1; columns are UTF-16 units.
        var line: Int
        var column: Int
        /// The address of its file, if it has one.
        var source: String?
        /// A Boolean value that indicates whether it runs after all of the markup is read.
        var isDeferred: Bool
        /// The `type`, if it is not a classic script.
        var otherType: String?
    }

    /// The part of the markup up to the end of a script, which runs then, or up to the end of the document.
    struct Part: Equatable {
        var tokens: [Token] = []
        /// The script that the last tokens open and close.
        var script: Script?
    }

    private(set) var parts: [Part] = []
    private var part = Part()
    private var open: [String] = []
    private let bytes: [UInt8]
    private var at = 0
    private var line = 1
    private var lineStart = 0
    private var measured = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        readAll()
        parts.append(part)
    }

    private static let voidElements: Set = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr",
    ]
    /// Elements whose content is text up to their end tag.
    private static let rawElements: Set = [
        "iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp",
    ]
    private static let headElements: Set = [
        "base", "link", "meta", "noscript", "script", "style", "template", "title",
    ]
    /// The elements whose end tags may be left out before others.
    private static let ends: [String: Set<String>] = [
        "li": ["li"], "option": ["option"], "dt": ["dt", "dd"], "dd": ["dt", "dd"], "tr": ["tr", "td", "th"],
        "td": ["td", "th"], "th": ["td", "th"],
        "p": ["p"], "div": ["p"], "ul": ["p"], "ol": ["p"], "table": ["p"], "form": ["p"], "pre": ["p"],
        "h1": ["p"], "h2": ["p"], "h3": ["p"],
    ]

    // ---------------------------------------------------------------- reading

    private mutating func readAll() {
        var textStart = at
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<"), at + 1 < bytes.count else {
                at += 1
                continue
            }
            let tagStart = at
            switch bytes[at + 1] {
            case UInt8(ascii: "!"), UInt8(ascii: "?"):
                addText(textStart..<tagStart)
                skipDeclaration()
            case UInt8(ascii: "/") where at + 2 < bytes.count && isLetter(bytes[at + 2]):
                addText(textStart..<tagStart)
                at += 2
                let name = readName()
                skip(past: ">")
                close(name)
            case let byte where isLetter(byte):
                addText(textStart..<tagStart)
                at += 1
                readElement()
            default:
                at += 1
                continue
            }
            textStart = at
        }
        addText(textStart..<bytes.count)
    }

    private mutating func skipDeclaration() {
        if starts("<!--") {
            at += 4
            // As in "<!-->".
            if starts(">") || starts("->") { return skip(past: ">") }
            return skip(past: "-->")
        }
        skip(past: ">")
    }

    private mutating func readElement() {
        let name = readName()
        let attributes = readAttributes()
        beginElement(name)
        part.tokens.append(.open(name, attributes: attributes))
        guard !Self.voidElements.contains(name) else { return part.tokens.append(.close) }
        guard Self.rawElements.contains(name) else { return open.append(name) }
        let content = readRaw(name)
        let text = string(content)
        let isText = name == "textarea" || name == "title"
        if !text.isEmpty { part.tokens.append(.text(isText ? Self.decoded(text) : text)) }
        part.tokens.append(.close)
        // Scripts in a template are not run.
        guard name == "script", !open.contains("template") else { return }
        let place = place(of: content.lowerBound)
        part.script = Script(text: text, line: place.line, column: place.column, attributes: attributes)
        parts.append(part)
        part = Part()
    }

    /// Closes the elements that an element ends, and opens the body if the document does not do it explicitly.
    private mutating func beginElement(_ name: String) {
        if let ended = Self.ends[name] {
            while let last = open.last, ended.contains(last) { close(last) }
        }
        switch name {
        case "html", "head": break
        case "body": if open.last == "head" { close("head") }
        default:
            if !Self.headElements.contains(name) { beginBody() }
        }
    }

    private mutating func beginBody() {
        guard open.allSatisfy({ $0 == "html" || $0 == "head" }) else { return }
        if open.last == "head" { close("head") }
        part.tokens.append(.open("body", attributes: []))
        open.append("body")
    }

    private mutating func addText(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let text = string(range)
        if open.allSatisfy({ $0 == "html" || $0 == "head" }) {
            guard text.contains(where: { !$0.isWhitespace }) else { return }
            beginBody()
        }
        part.tokens.append(.text(Self.decoded(text)))
    }

    private mutating func close(_ name: String) {
        // Open elements inside it end with it. The body and the document end with the text.
        guard name != "body", name != "html", let index = open.lastIndex(of: name) else { return }
        for _ in index..<open.count {
            open.removeLast()
            part.tokens.append(.close)
        }
    }

    private mutating func readName() -> String {
        let start = at
        while at < bytes.count, !isSpace(bytes[at]), bytes[at] != UInt8(ascii: ">"),
            bytes[at] != UInt8(ascii: "/")
        {
            at += 1
        }
        return string(start..<at).lowercased()
    }

    private mutating func readAttributes() -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        while at < bytes.count {
            while at < bytes.count, isSpace(bytes[at]) || bytes[at] == UInt8(ascii: "/") { at += 1 }
            guard at < bytes.count else { break }
            guard bytes[at] != UInt8(ascii: ">") else {
                at += 1
                break
            }
            let start = at
            at += 1
            while at < bytes.count, !isSpace(bytes[at]), !"=>/".utf8.contains(bytes[at]) { at += 1 }
            let name = string(start..<at).lowercased()
            let value = readValue()
            if !attributes.contains(where: { $0.name == name }) { attributes.append((name, value)) }
        }
        return attributes
    }

    private mutating func readValue() -> String {
        let afterName = at
        while at < bytes.count, isSpace(bytes[at]) { at += 1 }
        guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else {
            at = afterName
            return ""
        }
        at += 1
        while at < bytes.count, isSpace(bytes[at]) { at += 1 }
        guard at < bytes.count else { return "" }
        let quote = bytes[at]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            at += 1
            let start = at
            while at < bytes.count, bytes[at] != quote { at += 1 }
            defer { at = min(at + 1, bytes.count) }
            return Self.decoded(string(start..<at))
        }
        let start = at
        while at < bytes.count, !isSpace(bytes[at]), bytes[at] != UInt8(ascii: ">") { at += 1 }
        return Self.decoded(string(start..<at))
    }

    /// Reads up to the end tag of an element with raw text; returns the range of that text.
    private mutating func readRaw(_ name: String) -> Range<Int> {
        let start = at
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "<"), isEndTag(name) {
                let end = at
                skip(past: ">")
                return start..<end
            }
            at += 1
        }
        return start..<bytes.count
    }

    private func isEndTag(_ name: String) -> Bool {
        let end = at + 2 + name.utf8.count
        guard end <= bytes.count, bytes[at + 1] == UInt8(ascii: "/") else { return false }
        // Upper and lower case of ASCII letters differ in one bit.
        guard zip(bytes[(at + 2)..<end], name.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else {
            return false
        }
        return end == bytes.count || isSpace(bytes[end]) || bytes[end] == UInt8(ascii: ">")
            || bytes[end] == UInt8(ascii: "/")
    }

    // ---------------------------------------------------------------- bytes

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B
    }

    private func starts(_ text: StaticString) -> Bool {
        bytes[at...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func skip(past text: StaticString) {
        while at < bytes.count, !starts(text) { at += 1 }
        at = min(at + text.utf8CodeUnitCount, bytes.count)
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the line and column of an index, which must be behind the indices of earlier calls.
    private mutating func place(of index: Int) -> (line: Int, column: Int) {
        while measured < index {
            // A carriage return alone also ends a line; before a line feed it is part of that line end.
            let isEnd =
                bytes[measured] == 0x0A
                || bytes[measured] == 0x0D && (measured + 1 == bytes.count || bytes[measured + 1] != 0x0A)
            measured += 1
            guard isEnd else { continue }
            line += 1
            lineStart = measured
        }
        return (line, 1 + string(lineStart..<index).utf16.count)
    }

    // ---------------------------------------------------------------- references

    private static let names: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "\u{A9}",
        "hellip": "\u{2026}", "mdash": "\u{2014}", "ndash": "\u{2013}", "times": "\u{D7}",
    ]

    /// Returns a text with its character references decoded: numeric ones and the most frequent names.
    private static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            let name = rest[rest.index(after: start)...].prefix(12).prefix { $0 != ";" }
            let end = name.endIndex
            if end < rest.endIndex, rest[end] == ";", let decoded = character(name) {
                result += decoded
                rest = rest[rest.index(after: end)...]
            } else {
                result += "&"
                rest = rest[rest.index(after: start)...]
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.first == "#" else { return names[name] }
        let digits = name.dropFirst()
        let number =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        return number.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}

extension PageMarkup.Script {
    init(text: String, line: Int, column: Int, attributes: [(name: String, value: String)]) {
        let value = { (name: String) in attributes.first { $0.name == name }?.value }
        let type = (value("type") ?? "").lowercased()
        let isClassic = [
            "", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript",
        ]
        .contains(type)
        self.init(
            text: text,
            line: line,
            column: column,
            source: value("src"),
            isDeferred: value("src") != nil && (value("defer") != nil || value("async") != nil),
            otherType: isClassic ? nil : type
        )
    }
}
