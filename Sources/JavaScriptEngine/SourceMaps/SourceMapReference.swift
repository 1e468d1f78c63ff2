internal import Foundation

/// The comment at the end of a script that names its source map.
struct SourceMapReference {
    private static let key = "sourceMappingURL="

    /// The URL of the map, or a `data:` URL that contains it.
    let url: Substring

    /// Finds the comment of a script; `nil` if it has none.
    ///
    /// The comment is `//# sourceMappingURL=...`, also with the older `//@` or between `/*` and `*/`. Only white
    /// space and line comments may follow it.
    init?(in text: String) {
        var rest = text[...]
        while true {
            let end = rest.lastIndex { !Self.isSpace($0) }.map(rest.index(after:)) ?? rest.startIndex
            rest = rest[..<end]
            let start = rest.lastIndex { Self.isLineEnd($0) }.map(rest.index(after:)) ?? rest.startIndex
            let line = rest[start...]
            guard !line.isEmpty else { return nil }
            if let url = Self.url(inComment: line) {
                self.url = url
                return
            }
            guard line.drop(while: Self.isSpace).hasPrefix("//"), start > text.startIndex else { return nil }
            rest = rest[..<start]
        }
    }

    private static func isLineEnd(_ character: Character) -> Bool { character.isNewline }

    private static func isSpace(_ character: Character) -> Bool { character.isWhitespace }

    private static func url(inComment line: Substring) -> Substring? {
        // On the last line of a minified script the comment may follow code.
        for opening in ["//# ", "//@ ", "/*# ", "/*@ "] {
            guard let start = line.utf8Range(ofLast: opening + key) else { continue }
            var url = line[start.upperBound...]
            if opening.hasPrefix("/*") {
                guard let close = url.utf8Range(ofLast: "*/"), close.upperBound == url.endIndex else {
                    continue
                }
                url = url[..<close.lowerBound]
            }
            url = url.drop(while: isSpace)
            while let last = url.last, isSpace(last) { url.removeLast() }
            guard !url.isEmpty, !url.contains(where: { isSpace($0) || $0 == "'" || $0 == "\"" }) else {
                continue
            }
            return url
        }
        return nil
    }

    /// Returns the map in a `data:` URL; `nil` if the URL has another scheme.
    func inlineData() throws(SourceMapProblem) -> Data? {
        guard url.prefix(5).lowercased() == "data:" else { return nil }
        guard let comma = url.firstIndex(of: ",") else {
            throw SourceMapProblem("the data: URL of the map has no data")
        }
        let head = url[..<comma].lowercased()
        let body = String(url[url.index(after: comma)...])
        let data =
            head.hasSuffix(";base64")
            ? Data(base64Encoded: body.removingPercentEncoding ?? body)
            : body.removingPercentEncoding.map { Data($0.utf8) }
        guard let data else { throw SourceMapProblem("the data: URL of the map cannot be decoded") }
        return data
    }
}

extension Substring {
    /// Returns the range of the last occurrence of an ASCII string.
    fileprivate func utf8Range(ofLast text: String) -> Range<Index>? {
        let wanted = Array(text.utf8)
        let bytes = utf8
        guard var start = bytes.index(bytes.endIndex, offsetBy: -wanted.count, limitedBy: bytes.startIndex)
        else { return nil }
        while true {
            if bytes[start...].starts(with: wanted) {
                return start..<bytes.index(start, offsetBy: wanted.count)
            }
            guard start > bytes.startIndex else { return nil }
            start = bytes.index(before: start)
        }
    }
}
