/// The resolution of relative references, as far as specifiers of modules have them.
///
/// It works on bytes: every import of every module resolves one, and by characters this was a third of the time of a
/// graph. Characters would also hide a slash before a combining mark.
package enum ModuleURL {
    /// Returns the URL that specifiers of a referrer are relative to.
    static func base(of referrer: String?, or base: String) -> String {
        guard let referrer, !referrer.isEmpty else { return base }
        if hasScheme(referrer) { return referrer }
        return resolve(referrer.utf8.first == slash ? "file://" + referrer : "./" + referrer, against: base)
            ?? base
    }

    /// Returns the scheme with its colon; `nil` without one.
    package static func scheme(of text: String) -> Substring? {
        var copy = text
        return copy.withUTF8 { schemeLength($0[...]) }.map { Substring(text.utf8.prefix($0)) }
    }

    /// Returns whether a string begins with a scheme and its colon.
    static func hasScheme(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { schemeLength($0[...]) != nil }
    }

    /// Returns the URL of a URL or of a path that begins with `/`, `./` or `../`; `nil` for another name.
    package static func resolve(_ specifier: String, against base: String) -> String? {
        var (specifier, base) = (specifier, base)
        return specifier.withUTF8 { specifier in
            base.withUTF8 { base in resolve(specifier[...], against: base[...]) }
        }
    }

    /// Returns the `file:` URL of an absolute path, which ends with a slash for a folder; `nil` for another path.
    package static func ofFile(_ path: String) -> String? {
        guard path.utf8.first == slash else { return nil }
        var path = path
        return path.withUTF8 { path in
            var url = URLWriter(capacity: path.count + 7)
            url.append("file://")
            url.appendPath(path[...], encodesDelimiters: true)
            return url.finish(with: path[path.endIndex...])
        }
    }

    /// Returns the path that a part of a URL's path names; `nil` if it would be another one than the URL shows: an encoded
    /// slash or NUL, an invalid sequence.
    static func decodedPath(_ encoded: Substring) -> String? {
        var encoded = encoded
        return encoded.withUTF8 { bytes -> String? in
            guard bytes.contains(UInt8(ascii: "%")) else {
                return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
            }
            var (path, rest) = ([UInt8](), bytes[...])
            path.reserveCapacity(bytes.count)
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "%") else {
                    path.append(byte)
                    continue
                }
                guard let high = rest.popFirst().flatMap(digitValue),
                    let low = rest.popFirst().flatMap(digitValue), high << 4 | low != slash
                else { return nil }
                path.append(high << 4 | low)
            }
            return path.contains(0) ? nil : String(validating: path, as: UTF8.self)
        }
    }

    /// Returns the path of a `file:` URL without its query, and any other URL as it is.
    package static func filePath(of url: String) -> String {
        guard url.utf8.starts(with: "file:///".utf8) else { return url }
        let end =
            url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.endIndex
        return decodedPath(Substring(url.utf8[..<end].dropFirst("file://".utf8.count))) ?? url
    }

    private static func digitValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46, 0x61...0x66: (digit | 0x20) - 0x57
        default: nil
        }
    }

    typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static func resolve(_ specifier: Bytes, against base: Bytes) -> String? {
        if let length = schemeLength(specifier) {
            let rest = specifier.dropFirst(length)
            var url = URLWriter(capacity: specifier.count)
            url.appendLowercased(specifier.prefix(length))
            guard rest.starts(withText: "//") else { return url.finish(with: rest) }
            let parts = URLParts(rest)
            url.appendLowercased(parts.authority)
            url.appendPath(parts.path)
            return url.finish(with: parts.suffix)
        }
        guard
            specifier.first == slash || specifier.starts(withText: "./")
                || specifier.starts(withText: "../"),
            let length = schemeLength(base)
        else { return nil }
        let rest = base.dropFirst(length)
        guard rest.starts(withText: "//") else { return nil }
        var url = URLWriter(capacity: base.count + specifier.count)
        url.append(base.prefix(length))
        if specifier.starts(withText: "//") {
            let parts = URLParts(specifier)
            url.appendLowercased(parts.authority)
            url.appendPath(parts.path)
            return url.finish(with: parts.suffix)
        }
        let (parts, own) = (URLParts(rest), URLParts(path: specifier))
        url.append(parts.authority)
        if specifier.first != slash { url.appendFolder(of: parts.path) }
        url.appendPath(own.path)
        return url.finish(with: own.suffix)
    }

    /// Returns the number of bytes of a scheme with its colon; `nil` without one.
    private static func schemeLength(_ text: Bytes) -> Int? {
        guard let first = text.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else { return nil }
        for (offset, byte) in text.enumerated() {
            if byte == UInt8(ascii: ":") { return offset + 1 }
            let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
            guard isLetter || byte >= 0x30 && byte <= 0x39 || byte == 0x2B || byte == 0x2D || byte == 0x2E
            else { return nil }
        }
        return nil
    }
}

private let slash = UInt8(ascii: "/")

/// The parts of a URL after its scheme.
private struct URLParts {
    /// The two slashes and the host.
    let authority: ModuleURL.Bytes
    let path: ModuleURL.Bytes
    /// The query and the fragment.
    let suffix: ModuleURL.Bytes

    init(_ rest: ModuleURL.Bytes) {
        let end =
            rest.dropFirst(2).firstIndex { $0 == slash || Self.beginsSuffix($0) } ?? rest.endIndex
        authority = rest[..<end]
        (path, suffix) = Self.split(rest[end...])
    }

    init(path text: ModuleURL.Bytes) {
        authority = text[..<text.startIndex]
        (path, suffix) = Self.split(text)
    }

    private static func split(_ text: ModuleURL.Bytes) -> (ModuleURL.Bytes, ModuleURL.Bytes) {
        let end = text.firstIndex(where: beginsSuffix) ?? text.endIndex
        return (text[..<end], text[end...])
    }

    private static func beginsSuffix(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

/// A URL that is being written.
private struct URLWriter {
    private var bytes: [UInt8] = []
    /// The index where the path begins.
    private var pathStart = 0

    init(capacity: Int) { bytes.reserveCapacity(capacity + 8) }

    mutating func append(_ part: ModuleURL.Bytes) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: part))
        pathStart = bytes.count
    }

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        pathStart = bytes.count
    }

    mutating func appendLowercased(_ part: ModuleURL.Bytes) {
        for byte in part { bytes.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
        pathStart = bytes.count
    }

    /// Appends the rest of the URL, with control characters and other than ASCII ones encoded.
    consuming func finish(with suffix: ModuleURL.Bytes) -> String {
        for byte in suffix {
            if byte >= 0x20 && byte < 0x7F { bytes.append(byte) } else { appendEncoded(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func appendEncoded(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(Self.digit(byte >> 4))
        bytes.append(Self.digit(byte & 15))
    }

    /// Appends the segments of a path up to its last slash.
    mutating func appendFolder(of path: ModuleURL.Bytes) {
        guard let end = path.lastIndex(of: slash) else { return }
        appendSegments(path[..<end], areLast: false)
    }

    /// Appends a path without `.` and `..`, with characters encoded that a URL does not have.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - encodesDelimiters: A Boolean value that indicates whether `%`, `?` and `#` are encoded too, as for the path of
    ///     a file.
    mutating func appendPath(_ path: ModuleURL.Bytes, encodesDelimiters: Bool = false) {
        appendSegments(path, areLast: true, encodesDelimiters)
    }

    private mutating func appendSegments(
        _ path: ModuleURL.Bytes,
        areLast: Bool,
        _ encodesDelimiters: Bool = false
    ) {
        if path.isEmpty && !areLast { return }
        var rest = path.first == slash ? path.dropFirst() : path
        while true {
            let end = rest.firstIndex(of: slash) ?? rest.endIndex
            let isLast = areLast && end == rest.endIndex
            switch Self.dotCount(rest[..<end]) {
            case 1: if isLast { bytes.append(slash) }
            case 2:
                removeSegment()
                if isLast { bytes.append(slash) }
            default:
                bytes.append(slash)
                appendEncoded(rest[..<end], encodesDelimiters)
            }
            guard end < rest.endIndex else { return }
            rest = rest[(end + 1)...]
        }
    }

    private mutating func removeSegment() {
        guard let last = bytes[pathStart...].lastIndex(of: slash) else { return }
        bytes.removeSubrange(last...)
    }

    /// Returns the number of dots, each of which may be encoded, of which a segment consists; 0 for any other segment.
    private static func dotCount(_ segment: ModuleURL.Bytes) -> Int {
        guard segment.count <= 6 else { return 0 }
        var (rest, count) = (segment, 0)
        while let first = rest.first {
            if first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.starts(withText: "%2e") || rest.starts(withText: "%2E") {
                rest = rest.dropFirst(3)
            } else {
                return 0
            }
            count += 1
        }
        return count <= 2 ? count : 0
    }

    private mutating func appendEncoded(_ segment: ModuleURL.Bytes, _ encodesDelimiters: Bool) {
        if !encodesDelimiters, segment.allSatisfy(Self.isPlain) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: segment))
            return
        }
        for byte in segment {
            let isDelimiter = byte == 0x23 || byte == 0x25 || byte == 0x3F
            if Self.isPlain(byte), !(encodesDelimiters && isDelimiter) {
                bytes.append(byte)
            } else {
                appendEncoded(byte)
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        // " < > ^ ` { }
        case 0x22, 0x3C, 0x3E, 0x5E, 0x60, 0x7B, 0x7D: false
        default: byte > 0x20 && byte < 0x7F
        }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Returns whether the bytes begin with those of an ASCII text.
    func starts(withText text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        for offset in 0..<length where self[startIndex + offset] != text.utf8Start[offset] { return false }
        return true
    }
}
