/// The bytes of a response.
enum HTTPResponse {
    /// The headers of each response: what a page may load, and who may embed or read it.
    static let securityHeaders = [
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
    ]

    /// Returns the head of a response with a file.
    static func head(of file: PageFile) -> [UInt8] {
        head(status: 200, contentType: file.contentType, count: file.bytes.count, [])
    }

    /// Returns a response that refuses a request.
    static func refusal(_ refusal: RequestPolicy.Refusal, hasBody: Bool = true) -> [UInt8] {
        let body = Array((refusal.sentence + "\n").utf8)
        let head = head(
            status: refusal.status,
            contentType: "text/plain; charset=utf-8",
            count: body.count,
            refusal.headers
        )
        return hasBody ? head + body : head
    }

    private static func head(status: Int, contentType: String, count: Int, _ headers: [String]) -> [UInt8] {
        let lines =
            ["HTTP/1.1 \(status) \(phrases[status] ?? "Refused")", "Content-Type: \(contentType)"]
            + ["Content-Length: \(count)", "Connection: close"] + headers + securityHeaders + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    private static let phrases = [
        200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        426: "Upgrade Required", 431: "Request Header Fields Too Large", 503: "Service Unavailable",
        505: "HTTP Version Not Supported",
    ]
}
