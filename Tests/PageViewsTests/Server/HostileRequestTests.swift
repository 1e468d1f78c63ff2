import Foundation
import Testing

@testable import PageViews

@Suite("Hostile requests")
struct HostileRequestTests {
    /// A request with `PORT`, `TOKEN` and `|` for CR LF, and the status with which it must be answered.
    typealias Row = (name: String, request: String, status: Int)

    static let host = "Host: 127.0.0.1:PORT|"
    static let origin = "Origin: http://127.0.0.1:PORT|"
    static let upgrade = "Connection: Upgrade|Upgrade: websocket|"
    static let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|"
    static let version = "Sec-WebSocket-Version: 13|"
    static let secret = "Sec-WebSocket-Protocol: jsbridge, token.TOKEN|"
    static let socket = "GET /bridge HTTP/1.1|" + host + upgrade + key + version

    static let rows: [Row] = [
        ("a file", "GET / HTTP/1.1|\(host)|", 200),
        ("a file by HEAD", "HEAD / HTTP/1.1|\(host)|", 200),
        ("a file with a query", "GET /?a=%2e%2e/b HTTP/1.1|\(host)|", 200),
        ("localhost", "GET / HTTP/1.1|Host: localhost:PORT||", 200),
        ("the IPv6 loopback", "GET / HTTP/1.1|Host: [::1]:PORT||", 200),
        ("own origin", "GET / HTTP/1.1|\(host)\(origin)|", 200),
        (
            "header names in any case",
            "GET / HTTP/1.1|hOsT:127.0.0.1:PORT  |ORIGIN:\thttp://127.0.0.1:PORT||", 200
        ),
        ("an empty body", "GET / HTTP/1.1|\(host)Content-Length: 0||", 200),
        (
            "an upgrade to HTTP/2 that is ignored",
            "GET / HTTP/1.1|\(host)Connection: Upgrade, HTTP2-Settings|Upgrade: h2c|HTTP2-Settings: AAMAAABk||",
            200
        ),

        ("no host", "GET / HTTP/1.1||", 403),
        ("two hosts, the first foreign", "GET / HTTP/1.1|Host: evil.test|\(host)|", 400),
        ("two hosts, the last foreign", "GET / HTTP/1.1|\(host)Host: evil.test||", 400),
        ("two equal hosts", "GET / HTTP/1.1|\(host)\(host)|", 400),
        ("a foreign host", "GET / HTTP/1.1|Host: evil.test||", 403),
        ("a foreign host with the port", "GET / HTTP/1.1|Host: evil.test:PORT||", 403),
        ("a host that resolves to the loopback", "GET / HTTP/1.1|Host: 127.0.0.1.nip.io:PORT||", 403),
        ("another port", "GET / HTTP/1.1|Host: 127.0.0.1:1||", 403),
        ("no port", "GET / HTTP/1.1|Host: 127.0.0.1||", 403),
        ("an empty port", "GET / HTTP/1.1|Host: 127.0.0.1:||", 403),
        ("a port with zeros", "GET / HTTP/1.1|Host: 127.0.0.1:0PORT||", 403),
        ("a trailing dot", "GET / HTTP/1.1|Host: localhost.:PORT||", 403),
        ("a host in upper case", "GET / HTTP/1.1|Host: LOCALHOST:PORT||", 403),
        ("another spelling of the loopback", "GET / HTTP/1.1|Host: 127.1:PORT||", 403),
        ("the loopback as a number", "GET / HTTP/1.1|Host: 2130706433:PORT||", 403),
        ("all addresses", "GET / HTTP/1.1|Host: 0.0.0.0:PORT||", 403),
        ("a user before the host", "GET / HTTP/1.1|Host: user@127.0.0.1:PORT||", 403),
        ("a list of hosts", "GET / HTTP/1.1|Host: 127.0.0.1:PORT, evil.test||", 403),
        ("a host behind a space", "GET / HTTP/1.1|Host: 127.0.0.1:PORT evil.test||", 403),
        ("an empty host", "GET / HTTP/1.1|Host:||", 403),
        (
            "a forwarded host does not count",
            "GET / HTTP/1.1|Host: evil.test|X-Forwarded-Host: 127.0.0.1:PORT||", 403
        ),

        ("a foreign origin", "GET / HTTP/1.1|\(host)Origin: http://evil.test||", 403),
        ("an origin with the port", "GET / HTTP/1.1|\(host)Origin: http://evil.test:PORT||", 403),
        ("an opaque origin", "GET / HTTP/1.1|\(host)Origin: null||", 403),
        ("an empty origin", "GET / HTTP/1.1|\(host)Origin:||", 403),
        ("the origin of TLS", "GET / HTTP/1.1|\(host)Origin: https://127.0.0.1:PORT||", 403),
        ("the origin of another name", "GET / HTTP/1.1|\(host)Origin: http://localhost:PORT||", 403),
        ("an origin with a path", "GET / HTTP/1.1|\(host)Origin: http://127.0.0.1:PORT/||", 403),
        (
            "an origin that begins with ours",
            "GET / HTTP/1.1|\(host)Origin: http://127.0.0.1:PORT.evil.test||", 403
        ),
        ("two origins", "GET / HTTP/1.1|\(host)\(origin)Origin: http://evil.test||", 400),
        ("two origins in one", "GET / HTTP/1.1|\(host)Origin: http://127.0.0.1:PORT http://evil.test||", 403),

        ("POST", "POST / HTTP/1.1|\(host)Content-Length: 5||hello", 405),
        ("PUT", "PUT / HTTP/1.1|\(host)|", 405),
        ("OPTIONS", "OPTIONS / HTTP/1.1|\(host)|", 405),
        ("CONNECT", "CONNECT / HTTP/1.1|\(host)|", 405),
        ("TRACE", "TRACE / HTTP/1.1|\(host)|", 405),
        ("an unknown method", "BREW / HTTP/1.1|\(host)|", 405),
        ("a method in lower case", "get / HTTP/1.1|\(host)|", 400),
        ("a method with a control", "GE\u{1}T / HTTP/1.1|\(host)|", 400),

        ("HTTP/1.0", "GET / HTTP/1.0|\(host)|", 505),
        ("HTTP/1.0 without a host", "GET / HTTP/1.0||", 505),
        ("HTTP/0.9", "GET /||", 400),
        ("HTTP/2.0", "GET / HTTP/2.0|\(host)|", 505),
        ("the preface of HTTP/2", "PRI * HTTP/2.0||SM||", 400),
        ("a version in lower case", "GET / http/1.1|\(host)|", 505),
        ("the record of TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}||", 400),

        ("the absolute form", "GET http://evil.test/ HTTP/1.1|\(host)|", 400),
        ("the absolute form of ourselves", "GET http://127.0.0.1:PORT/ HTTP/1.1|\(host)|", 400),
        ("the authority form", "GET 127.0.0.1:PORT HTTP/1.1|\(host)|", 400),
        ("the asterisk form", "GET * HTTP/1.1|\(host)|", 400),
        ("a path without a slash", "GET page.js HTTP/1.1|\(host)|", 400),
        ("two slashes", "GET //evil.test/ HTTP/1.1|\(host)|", 400),
        ("dot segments", "GET /../../etc/passwd HTTP/1.1|\(host)|", 400),
        ("a dot segment at the end", "GET /page.js/.. HTTP/1.1|\(host)|", 400),
        ("one dot", "GET /./page.js HTTP/1.1|\(host)|", 400),
        ("encoded dots", "GET /%2e%2e/etc/passwd HTTP/1.1|\(host)|", 400),
        ("encoded dots in upper case", "GET /%2E%2E%2Fetc HTTP/1.1|\(host)|", 400),
        ("twice encoded dots", "GET /%252e%252e/etc HTTP/1.1|\(host)|", 400),
        ("an overlong slash", "GET /..%c0%af HTTP/1.1|\(host)|", 400),
        ("an encoded letter", "GET /%70age.js HTTP/1.1|\(host)|", 400),
        ("backslashes", "GET /..\\..\\etc HTTP/1.1|\(host)|", 400),
        ("a NUL in the path", "GET /page.js\u{0}.txt HTTP/1.1|\(host)|", 400),
        ("an encoded NUL", "GET /page.js%00 HTTP/1.1|\(host)|", 400),
        ("a fragment", "GET /#token=TOKEN HTTP/1.1|\(host)|", 400),
        ("not ASCII", "GET /päge HTTP/1.1|\(host)|", 400),
        ("two spaces", "GET  / HTTP/1.1|\(host)|", 400),
        ("a tab for a space", "GET\t/ HTTP/1.1|\(host)|", 400),
        ("more after the version", "GET / HTTP/1.1 x|\(host)|", 400),
        ("an empty line first", "|GET / HTTP/1.1|\(host)|", 400),
        ("a path in another case", "GET /Page.js HTTP/1.1|\(host)|", 404),
        ("a path with a slash at the end", "GET /page.js/ HTTP/1.1|\(host)|", 400),
        ("no such file", "GET /favicon.ico HTTP/1.1|\(host)|", 404),
        ("three dots are a name", "GET /.../x HTTP/1.1|\(host)|", 400),

        ("a bare line feed", "GET / HTTP/1.1\n\(host)|", 400),
        ("a bare carriage return", "GET / HTTP/1.1|X: a\rb|\(host)|", 400),
        ("a carriage return and a NUL", "GET / HTTP/1.1|\(host)X: a\r\u{0}Y: b||", 400),
        ("a carriage return and a header", "GET / HTTP/1.1|X: a\r\(host)|", 400),
        ("a folded header", "GET / HTTP/1.1|\(host) evil.test||", 400),
        ("a space before the colon", "GET / HTTP/1.1|Host : evil.test|\(host)|", 400),
        ("a header without a colon", "GET / HTTP/1.1|\(host)Nonsense||", 400),
        ("a header without a name", "GET / HTTP/1.1|\(host): x||", 400),
        ("a name with a control", "GET / HTTP/1.1|Ho\u{0}st: x|\(host)|", 400),
        ("a NUL in a value", "GET / HTTP/1.1|\(host)X: a\u{0}b||", 400),
        ("a NUL behind the host", "GET / HTTP/1.1|Host: 127.0.0.1:PORT\u{0}.evil.test||", 400),
        ("101 headers", "GET / HTTP/1.1|\(host)" + String(repeating: "X: y|", count: 100) + "|", 400),
        ("a large header", "GET / HTTP/1.1|\(host)X: \(String(repeating: "a", count: 16_500))||", 431),
        ("a large path", "GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1|\(host)|", 431),
        ("a large head without an end", String(repeating: "G", count: 20_000), 431),

        ("a body", "GET / HTTP/1.1|\(host)Content-Length: 3||abc", 400),
        ("a chunked body", "GET / HTTP/1.1|\(host)Transfer-Encoding: chunked||0||", 400),
        ("both lengths", "GET / HTTP/1.1|\(host)Content-Length: 3|Transfer-Encoding: chunked||0||", 400),
        ("both lengths, none", "GET / HTTP/1.1|\(host)Content-Length: 0|Transfer-Encoding: identity||", 400),
        ("two lengths", "GET / HTTP/1.1|\(host)Content-Length: 0|Content-Length: 0||", 400),
        ("a length with a sign", "GET / HTTP/1.1|\(host)Content-Length: +0||", 400),

        ("a WebSocket", "\(socket)\(origin)\(secret)|", 101),
        (
            "a WebSocket by another name",
            "GET /bridge HTTP/1.1|Host: localhost:PORT|Origin: http://localhost:PORT|\(upgrade)\(key)\(version)\(secret)|",
            101
        ),
        ("the token first", "\(socket)\(origin)Sec-WebSocket-Protocol: token.TOKEN,jsbridge||", 101),
        (
            "upgrade in upper case",
            "GET /bridge HTTP/1.1|\(host)connection: UPGRADE|upgrade: WebSocket|\(key)\(version)\(origin)\(secret)|",
            101
        ),
        ("no upgrade", "GET /bridge HTTP/1.1|\(host)\(origin)|", 426),
        (
            "an upgrade to something else",
            "GET /bridge HTTP/1.1|\(host)\(origin)Connection: Upgrade|Upgrade: h2c||", 426
        ),
        (
            "no connection header",
            "GET /bridge HTTP/1.1|\(host)Upgrade: websocket|\(key)\(version)\(origin)\(secret)|", 426
        ),
        ("two upgrades", "\(socket)Upgrade: websocket|\(origin)\(secret)|", 400),
        (
            "a WebSocket by HEAD",
            "HEAD /bridge HTTP/1.1|\(host)\(upgrade)\(key)\(version)\(origin)\(secret)|", 400
        ),
        (
            "a WebSocket by POST",
            "POST /bridge HTTP/1.1|\(host)\(upgrade)\(key)\(version)\(origin)\(secret)|", 405
        ),
        (
            "a WebSocket of HTTP/1.0",
            "GET /bridge HTTP/1.0|\(host)\(upgrade)\(key)\(version)\(origin)\(secret)|", 505
        ),
        ("a WebSocket at a file", "GET / HTTP/1.1|\(host)\(upgrade)\(key)\(version)\(origin)\(secret)|", 404),
        (
            "a WebSocket at a similar path",
            "GET /bridge/ HTTP/1.1|\(host)\(upgrade)\(key)\(version)\(origin)\(secret)|", 400
        ),
        ("no origin", "\(socket)\(secret)|", 403),
        ("a WebSocket of a foreign origin", "\(socket)Origin: http://evil.test|\(secret)|", 403),
        ("a WebSocket of an opaque origin", "\(socket)Origin: null|\(secret)|", 403),
        (
            "a WebSocket of a foreign host",
            "GET /bridge HTTP/1.1|Host: evil.test:PORT|Origin: http://evil.test:PORT|\(upgrade)\(key)\(version)\(secret)|",
            403
        ),
        ("version 8", "\(socket.replacing("13", with: "8"))\(origin)\(secret)|", 426),
        ("two versions", "\(socket)\(version)\(origin)\(secret)|", 400),
        ("no key", "GET /bridge HTTP/1.1|\(host)\(upgrade)\(version)\(origin)\(secret)|", 400),
        (
            "a short key",
            "GET /bridge HTTP/1.1|\(host)\(upgrade)\(version)Sec-WebSocket-Key: YQ==|\(origin)\(secret)|", 400
        ),
        (
            "a key with other characters",
            "GET /bridge HTTP/1.1|\(host)\(upgrade)\(version)Sec-WebSocket-Key: dGhlIHNhbXBsZSBub2\"jZQ==|\(origin)\(secret)|",
            400
        ),
        ("no token", "\(socket)\(origin)Sec-WebSocket-Protocol: jsbridge||", 403),
        ("no protocols", "\(socket)\(origin)|", 403),
        ("the token alone", "\(socket)\(origin)Sec-WebSocket-Protocol: token.TOKEN||", 403),
        ("a wrong token", "\(socket)\(origin)Sec-WebSocket-Protocol: jsbridge, token.TOKEX||", 403),
        ("a longer token", "\(socket)\(origin)Sec-WebSocket-Protocol: jsbridge, token.TOKENx||", 403),
        ("an empty token", "\(socket)\(origin)Sec-WebSocket-Protocol: jsbridge, token.||", 403),
        (
            "the token twice",
            "\(socket)\(origin)Sec-WebSocket-Protocol: jsbridge, token.TOKEN, token.TOKEN||", 403
        ),
        (
            "one of two tokens", "\(socket)\(origin)Sec-WebSocket-Protocol: jsbridge, token.x, token.TOKEN||",
            403
        ),
        (
            "the token in the query",
            "GET /bridge?token=TOKEN HTTP/1.1|\(host)\(upgrade)\(key)\(version)\(origin)Sec-WebSocket-Protocol: jsbridge||",
            403
        ),
        (
            "two headers of protocols",
            "\(socket)\(origin)Sec-WebSocket-Protocol: jsbridge|Sec-WebSocket-Protocol: token.TOKEN||", 400
        ),
        ("frames before the answer", "\(socket)\(origin)\(secret)|\u{1}", 400),
    ]

    @Test("PG1 each request of the table is answered with its status")
    func table() throws {
        let run = try ServerRun()
        for row in Self.rows {
            let client = try run.connect()
            client.send(Self.bytes(row.request, port: run.port))
            let head = try client.readHead()
            #expect(
                head.first?.hasPrefix("HTTP/1.1 \(row.status) ") == true,
                "\(row.name): \(head.first ?? "")"
            )
            if row.status != 101 {
                #expect(head.contains("Connection: close"), "\(row.name)")
                #expect(Set(head).isSuperset(of: HTTPResponse.securityHeaders), "\(row.name)")
                // The answer is all: what follows the request is not taken for another one.
                let rest = try client.readToEnd()
                #expect(!rest.contains("\r\n"), "\(row.name)")
                #expect(!rest.contains(ServerRun.token), "\(row.name)")
            }
        }
    }

    @Test("PG1 a request is read the same however it is cut")
    func cuts() throws {
        let policy = try RequestPolicy(Self.configuration(), port: 4_711)
        for row in Self.rows where row.request.utf8.count < 2_000 {
            let bytes = Self.bytes(row.request, port: 4_711)
            let whole = Self.status(RequestHead.read(bytes), policy, bytes.count)
            #expect(whole == row.status, "\(row.name)")
            var checked = 0
            for count in 1...bytes.count {
                let reading = RequestHead.read(Array(bytes[..<count]), checked: checked)
                checked = count
                guard reading != .incomplete else { continue }
                // A prefix that is refused is the beginning of a request that is refused.
                if count < bytes.count, case .invalid = reading { #expect(row.status == 400, "\(row.name)") }
                break
            }
        }
    }

    @Test("PG1 bytes after the head of a request are not read as another one")
    func pipelined() throws {
        let run = try ServerRun()
        let client = try run.connect()
        let request = String(
            decoding: Self.bytes("GET / HTTP/1.1|\(Self.host)|", port: run.port),
            as: UTF8.self
        )
        client.send(request + request + request)
        #expect(try client.readToEnd().components(separatedBy: "HTTP/1.1 ").count == 2)
    }

    @Test("PG1 the token is compared as a whole, and says nothing of itself")
    func tokens() throws {
        let token = try #require(PageToken("abcdefghijklmnop"))
        #expect(token.matches("abcdefghijklmnop".utf8))
        for wrong in [
            "", "a", "abcdefghijklmno", "abcdefghijklmnopq", "abcdefghijklmnoP",
            "abcdefghijklmnopabcdefghijklmnop",
        ] {
            #expect(!token.matches(wrong.utf8), "\(wrong)")
        }
        #expect("\(token)" == "PageToken")
        for invalid in [
            "short", "with space in it..", "umlaut-ümlaut-umlaut", String(repeating: "a", count: 129),
        ] {
            #expect(PageToken(invalid) == nil, "\(invalid)")
        }
        let tokens = (0..<100).map { _ in PageToken().string }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.utf8.count == 43 && PageToken($0) != nil })
    }

    static func bytes(_ request: String, port: UInt16) -> [UInt8] {
        Array(
            request.replacing("|", with: "\r\n").replacing("PORT", with: "\(port)")
                .replacing("TOKEN", with: ServerRun.token).utf8
        )
    }

    static func configuration() throws -> PageServerConfiguration {
        var configuration = PageServerConfiguration()
        configuration.token = try #require(PageToken(ServerRun.token))
        for path in ["/", "/page.js"] {
            configuration.files[path] = PageFile(contentType: "text/plain", bytes: [65])
        }
        return configuration
    }

    private static func status(_ reading: RequestHead.Reading, _ policy: RequestPolicy, _ count: Int) -> Int {
        switch reading {
        case .incomplete: return 0
        case .invalid: return 400
        case .complete(let head, let used):
            switch policy.verdict(head, hasMore: used < count) {
            case .file: return 200
            case .webSocket: return 101
            case .refused(let refusal): return refusal.status
            }
        }
    }
}
