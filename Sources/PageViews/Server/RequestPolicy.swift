/// The rules by which requests are answered or refused.
struct RequestPolicy {
    /// The result for a request.
    enum Verdict: Equatable {
        case file(PageFile)
        /// A WebSocket, with the key of its handshake.
        case webSocket(key: String)
        case refused(Refusal)
    }

    /// A status with a sentence for the person at the browser.
    struct Refusal: Equatable {
        var status: Int
        var sentence: String
        var headers: [String] = []
    }

    private let files: [String: PageFile]
    private let webSocketPath: String
    private let token: PageToken
    /// The names of this server, or `nil` for a loopback name with any port.
    private let authorities: Set<String>?

    /// Creates the rules for a port, or for a Unix socket if it is `nil`.
    init(_ configuration: PageServerConfiguration, port: UInt16?) {
        files = configuration.files
        webSocketPath = configuration.webSocketPath
        token = configuration.token
        authorities = port.map { port in
            let names = Self.names.map { "\($0):\(port)" }
            // A browser leaves out the standard port.
            return Set(port == 80 ? names + Self.names : names)
        }
    }

    private static let names = ["127.0.0.1", "localhost", "[::1]"]

    /// Returns what becomes of a request, and of the bytes that may follow its head.
    func verdict(_ head: RequestHead, hasMore: Bool) -> Verdict {
        guard head.version == "HTTP/1.1" else {
            return refused(505, "This server speaks HTTP/1.1 only.")
        }
        // Programs differ in which of two they see, so none may be there twice.
        for name in Self.singleHeaders where head.values(name).count > 1 {
            return refused(400, "The request has two \(name) headers.")
        }
        guard let host = head.value("host"), isOwn(host) else {
            return refused(403, "The request does not name this server as its host.")
        }
        let origin = head.value("origin")
        guard origin == nil || origin == "http://\(host)" else {
            return refused(403, "The request comes from a page of another origin.")
        }
        guard head.method == "GET" || head.method == "HEAD" else {
            return refused(405, "The method is not GET or HEAD.", ["Allow: GET, HEAD"])
        }
        guard head.value("transfer-encoding") == nil, ["0", nil].contains(head.value("content-length")) else {
            return refused(400, "The request has a body.")
        }
        if head.path == webSocketPath {
            return webSocketVerdict(head, hasOrigin: origin != nil, hasMore: hasMore)
        }
        // Other upgrades, such as to HTTP/2, may be ignored.
        guard head.value("upgrade")?.lowercased() != "websocket" else {
            return refused(404, "There is no WebSocket at this path.")
        }
        guard let file = files[head.path] else { return refused(404, "There is no file at this path.") }
        return .file(file)
    }

    private static let singleHeaders = [
        "host", "origin", "content-length", "transfer-encoding", "connection", "upgrade",
        "sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol",
    ]

    private func isOwn(_ host: String) -> Bool {
        if let authorities { return authorities.contains(host) }
        return Self.names.contains { name in
            guard host.utf8.starts(with: name.utf8) else { return false }
            let rest = host.utf8.dropFirst(name.utf8.count)
            guard let colon = rest.first else { return true }
            let digits = rest.dropFirst()
            return colon == UInt8(ascii: ":") && (1...5).contains(digits.count)
                && digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        }
    }

    // MARK: - WebSockets

    private func webSocketVerdict(_ head: RequestHead, hasOrigin: Bool, hasMore: Bool) -> Verdict {
        guard head.value("upgrade")?.lowercased() == "websocket",
            list(head.value("connection")).contains(where: { $0.lowercased() == "upgrade" })
        else {
            return refused(426, "This path is that of a WebSocket.", ["Upgrade: websocket"])
        }
        guard head.method == "GET" else { return refused(400, "A WebSocket is opened by GET.") }
        guard hasOrigin else { return refused(403, "The request has no origin.") }
        guard head.value("sec-websocket-version") == "13" else {
            return refused(426, "The WebSocket is not of version 13.", ["Sec-WebSocket-Version: 13"])
        }
        guard let key = head.value("sec-websocket-key"), isKey(key) else {
            return refused(400, "The key of the WebSocket is not that of 16 bytes.")
        }
        let protocols = list(head.value("sec-websocket-protocol"))
        let tokens = protocols.filter { $0.hasPrefix(Self.tokenPrefix) }
        guard tokens.count == 1, protocols.filter({ $0 == Self.protocolName }).count == 1,
            protocols.count == 2,
            token.matches(tokens[0].utf8.dropFirst(Self.tokenPrefix.utf8.count))
        else {
            return refused(403, "The token is missing or wrong: open the address that the program printed.")
        }
        guard !hasMore else { return refused(400, "The client has sent before the WebSocket was open.") }
        return .webSocket(key: key)
    }

    /// The subprotocol that the server chooses.
    static let protocolName = "jsbridge"
    private static let tokenPrefix = "token."

    private func list(_ value: String?) -> [String] {
        (value ?? "").split(separator: ",", omittingEmptySubsequences: false).map { element in
            String(
                element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }
                    .reversed()
            )
        }
    }

    private func isKey(_ key: String) -> Bool {
        let characters = Array(key.utf8)
        guard characters.count == 24, characters.suffix(2) == Array("==".utf8)[...] else { return false }
        return characters.dropLast(2).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
            default: false
            }
        }
    }

    private func refused(_ status: Int, _ sentence: String, _ headers: [String] = []) -> Verdict {
        .refused(Refusal(status: status, sentence: sentence, headers: headers))
    }
}
