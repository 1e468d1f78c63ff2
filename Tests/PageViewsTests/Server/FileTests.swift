import Foundation
import Testing

@testable import PageViews

@Suite("Files")
struct FileTests {
    @Test("PG2 a file has its content and exactly the headers that confine a page")
    func headers() throws {
        let run = try ServerRun()
        let client = try run.connect()
        client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\n\r\n")
        let head = try client.readHead()
        #expect(
            head == [
                "HTTP/1.1 200 OK",
                "Content-Type: text/html; charset=utf-8",
                "Content-Length: 15",
                "Connection: close",
                "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
                    + "connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
                "X-Content-Type-Options: nosniff",
                "Cross-Origin-Opener-Policy: same-origin",
                "Cross-Origin-Resource-Policy: same-origin",
                "Referrer-Policy: no-referrer",
                "Cache-Control: no-store",
            ]
        )
        #expect(try client.readToEnd() == "<!doctype html>")
    }

    @Test("PG2 HEAD and refusals have no other headers, and refusals a sentence")
    func refusals() throws {
        let run = try ServerRun()
        let client = try run.connect()
        client.send("HEAD /page.js HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\n\r\n")
        #expect(try client.readHead().contains("Content-Length: 9"))
        #expect(try client.readToEnd() == "")
        let refused = try run.connect()
        refused.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\nContent-Length: 100000\r\n\r\n")
        // The body arrives while the answer is sent, and does not destroy it.
        refused.send([UInt8](repeating: 65, count: 20_000))
        #expect(try refused.readHead().contains("Allow: GET, HEAD"))
        #expect(try refused.readToEnd() == "The method is not GET or HEAD.\n")
    }

    @Test("a large file arrives whole at a client that reads slowly")
    func large() throws {
        let run = try ServerRun()
        let client = try run.connect(receiveBuffer: 4_096)
        client.send("GET /large HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\n\r\n")
        _ = try client.readHead()
        #expect(try client.readToEnd() == String(repeating: "A", count: 3_000_000))
    }

    @Test("PG5 a request that is not complete in time is cut, however slowly its bytes come")
    func slowRequests() throws {
        let run = try ServerRun { $0.limits.requestTime = .milliseconds(300) }
        let silent = try run.connect()
        let slow = try run.connect()
        slow.send("GET / HTTP/1.1\r\n")
        while !slow.isAtEnd {
            slow.send("X: y\r\n")
            slow.receive(within: 0.01)
        }
        #expect(try silent.readToEnd() == "")
    }

    @Test("PG5 a process without descriptors serves again when it has some")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let run = try ServerRun()
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let client = try run.connect()
            client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\n\r\n")
            guard try client.readHead().first == "HTTP/1.1 200 OK" else { exit(1) }
            let second = try RawClient.unconnected()
            // No other descriptor can be opened, also if some are free.
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
            try second.connect(port: run.port)
            second.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\n\r\n")
            if second.receive(within: 0.3) { exit(2) }
            let before = clock()
            if second.receive(within: 0.5) { exit(3) }
            // Processor time in microseconds: the thread does not spin meanwhile.
            if clock() - before > 200_000 { exit(4) }
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            guard try second.readHead().first == "HTTP/1.1 200 OK" else { exit(5) }
            exit(0)
        }
    }

    @Test("PG5 idle connections without a request do not lock out a page")
    func idleConnections() throws {
        let run = try ServerRun { $0.limits.connections = 8 }
        let idle = try (0..<100).map { _ in try run.connect() }
        for _ in 0..<3 {
            let client = try run.connect()
            client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\n\r\n")
            #expect(try client.readHead().first == "HTTP/1.1 200 OK")
        }
        // The oldest were closed for newer ones.
        #expect(try idle[0].readToEnd() == "")
    }
}
