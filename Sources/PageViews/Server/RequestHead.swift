/// The request line and headers of an HTTP/1.1 request, read without tolerance.
///
/// Bytes that two programs may read in two ways are refused: bare line feeds, folded headers, spaces before a colon,
/// controls.
struct RequestHead: Equatable {
    /// The result of reading bytes.
    enum Reading: Equatable {
        case incomplete
        case invalid(String)
        /// A head, and the number of its bytes.
        case complete(RequestHead, count: Int)
    }

    /// The method.
    var method: String
    /// The target without its query, which begins with a slash.
    var path: String
    /// The version, such as `HTTP/1.1`.
    var version: String
    private var headers: [(name: String, value: String)]

    /// Returns the values of the headers of a name, which is in lower case.
    func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    /// Returns the value of a header that a request has once, or `nil`.
    func value(_ name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }

    static func == (left: RequestHead, right: RequestHead) -> Bool {
        left.method == right.method && left.path == right.path && left.version == right.version
            && left.headers.elementsEqual(right.headers) { $0.name == $1.name && $0.value == $1.value }
    }

    // MARK: - Reading

    /// Reads the head at the beginning of bytes.
    ///
    /// - Parameters:
    ///   - bytes: What a client has sent.
    ///   - checked: The number of bytes that an earlier call has found incomplete.
    /// - Returns: The head, or why there is none.
    static func read(_ bytes: [UInt8], checked: Int = 0) -> Reading {
        guard let first = bytes.first else { return .incomplete }
        // A client that speaks another protocol, such as TLS, is answered before it has sent more.
        guard isUppercase(first) else { return .invalid("The request has no method.") }
        guard let end = endOfHead(bytes, from: max(0, checked - 3)) else { return .incomplete }
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        while start < end {
            guard let length = bytes[start..<end].firstIndex(of: carriageReturn), length + 1 < end,
                bytes[length + 1] == lineFeed
            else {
                return .invalid("A line of the request does not end with CR LF.")
            }
            lines.append(bytes[start..<length])
            start = length + 2
        }
        guard lines.count <= 101 else { return .invalid("The request has more than 100 headers.") }
        for line in lines where line.contains(where: { ($0 < 0x20 && $0 != tab) || $0 == 0x7F }) {
            return .invalid("The request has a control character.")
        }
        return head(lines, count: end + 2)
    }

    private static func head(_ lines: [ArraySlice<UInt8>], count: Int) -> Reading {
        let parts = lines[0].split(separator: space, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isUppercase) else {
            return .invalid("The request line is not a method, a target and a version.")
        }
        guard let path = path(of: parts[1]) else {
            return .invalid("The target is not a path without dot segments, percent signs and backslashes.")
        }
        var head = RequestHead(
            method: String(decoding: parts[0], as: UTF8.self),
            path: path,
            version: String(decoding: parts[2], as: UTF8.self),
            headers: []
        )
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(isTokenCharacter)
            else {
                return .invalid("A header has no name.")
            }
            let value = line[(colon + 1)...].trimming { $0 == space || $0 == tab }
            head.headers.append(
                (
                    String(decoding: line[..<colon], as: UTF8.self).lowercased(),
                    String(decoding: value, as: UTF8.self)
                )
            )
        }
        return .complete(head, count: count)
    }

    /// Returns the path of a target in origin form, or `nil` if it is not one that a file of ours can have.
    private static func path(of target: ArraySlice<UInt8>) -> String? {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        guard path.first == slash, target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }),
            !path.contains(UInt8(ascii: "%")), !path.contains(UInt8(ascii: "\\"))
        else {
            return nil
        }
        let segments = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        for segment in segments where segment.allSatisfy({ $0 == UInt8(ascii: ".") }) {
            // An empty segment is that of `/`, or of `//`, which a browser would read as the name of a host.
            guard segment.isEmpty, segments.count == 1 else { return nil }
        }
        return String(decoding: path, as: UTF8.self)
    }

    /// Returns the position of the empty line that ends a head.
    private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        var index = start
        while index + 3 < bytes.count {
            if bytes[index] == carriageReturn, bytes[index + 1] == lineFeed,
                bytes[index + 2] == carriageReturn, bytes[index + 3] == lineFeed
            {
                return index + 2
            }
            index += 1
        }
        return nil
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let slash = UInt8(ascii: "/")
    private static let tab: UInt8 = 9

    private static func isUppercase(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the elements without those at both ends that satisfy a predicate.
    fileprivate func trimming(_ isTrimmed: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !isTrimmed($0) }),
            let last = lastIndex(where: { !isTrimmed($0) })
        else {
            return []
        }
        return self[first...last]
    }
}
