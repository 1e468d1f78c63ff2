import Foundation
import Testing

@testable import PageViews

@Suite("Lifecycle of the server")
struct LifecycleTests {
    @Test("PG6 the address is one line with the port that was bound and the token in the fragment")
    func address() throws {
        let run = try ServerRun()
        #expect(run.port > 0)
        #expect("\(run.location)" == "http://127.0.0.1:\(run.port)/#token=\(ServerRun.token)")
        #expect(try run.server.start() == run.location)
    }

    @Test("PG6 a port in use, and one without privileges, are refused with a sentence")
    func ports() throws {
        let run = try ServerRun()
        let error = #expect(throws: PageServerError.self) {
            try ServerRun { $0.address = .loopback(port: run.port) }
        }
        #expect(error?.description == "port \(run.port) is in use by another program")
        // A port is free immediately, unless another test is given it meanwhile.
        var isFree = false
        for _ in 0..<20 where !isFree {
            let first = try ServerRun()
            let client = try first.open()
            first.server.stop()
            isFree = (try? ServerRun { $0.address = .loopback(port: first.port) }) != nil
            client.close()
        }
        #expect(isFree)
    }

    @Test("PG6 a Unix socket has mode 0600, answers loopback names with any port, and is removed")
    func unixSocket() throws {
        let folder = try Folder()
        let path = folder.path + "/page.socket"
        let run = try ServerRun { $0.address = .socket(path: path) }
        #expect("\(run.location)" == "unix:\(path)#token=\(ServerRun.token)")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        for (host, code) in [
            ("localhost", 200), ("localhost:8080", 200), ("127.0.0.1:1", 200), ("[::1]:65535", 200),
            ("evil.test", 403), ("localhost.evil.test", 403), ("localhost:", 403), ("localhost:80x", 403),
            ("localhost:123456", 403),
        ] {
            let client = try RawClient(path: path)
            client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try client.readHead().first?.hasPrefix("HTTP/1.1 \(code) ") == true, "\(host)")
        }
        let client = try RawClient(path: path)
        client.send(ServerRun.handshake(port: 9_000))
        #expect(try client.readHead().first == "HTTP/1.1 101 Switching Protocols")
        client.sendText("hello")
        try run.handler.wait { $0.messages == ["hello"] }
        run.server.stop()
        #expect(stat(path, &status) != 0)
    }

    @Test("PG6 the socket of a dead program is replaced, other files and live sockets are not")
    func socketPaths() throws {
        let folder = try Folder()
        let path = folder.path + "/s"
        func message(_ path: String) -> String? {
            #expect(throws: PageServerError.self) { try ServerRun { $0.address = .socket(path: path) } }?
                .description
        }
        let run = try ServerRun { $0.address = .socket(path: path) }
        #expect(message(path) == "the socket \(path) is in use by another program")
        // The socket file that a killed program leaves behind.
        #expect(rename(path, folder.path + "/stale") == 0)
        run.server.stop()
        // A program that another test starts has the listening socket until it replaces its image.
        var second: ServerRun?
        let end = Date(timeIntervalSinceNow: 30)
        while second == nil, Date() < end {
            second = try? ServerRun { $0.address = .socket(path: folder.path + "/stale") }
        }
        #expect(second != nil)
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        #expect(message(path) == "\(path) exists and is not a socket")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
        #expect(message(folder.path + "/none/s") == "the folder of \(folder.path)/none/s does not exist")
        let long = folder.path + "/" + String(repeating: "x", count: 200)
        #expect(message(long)?.hasPrefix("the path of a socket has 1 to 107 bytes, and ") == true)
        #expect(message("") == "the path of a socket has 1 to 107 bytes, and \"\" has 0")
        #expect(message(folder.path + "/a\nb")?.hasSuffix("has a control character") == true)
    }

    @Test("stopping closes the pages with code 1001, tells the handler, and calls it no more")
    func stop() throws {
        let run = try ServerRun()
        let clients = try (0..<3).map { _ in try run.open() }
        let connections = try run.handler.wait { $0.opened.count == 3 }.opened
        run.server.stop()
        run.server.stop()
        #expect(run.handler.record.closures == [.serverStopped, .serverStopped, .serverStopped])
        for client in clients { #expect(try client.readClose()?.code == 1_001) }
        #expect(connections.allSatisfy { !$0.isOpen && !$0.send("x") && $0.waitingByteCount == 0 })
        connections[0].close("late")
        #expect(throws: RawClient.Failure.self) { try run.connect() }
    }

    @Test("a handler may stop the server, also when it is called because of that")
    func stopFromHandler() throws {
        let folder = Holder()
        let run = try ServerRun(received: { _, _ in folder.server?.stop() })
        folder.server = run.server
        let client = try run.open()
        client.sendText("stop")
        #expect(try client.readClose()?.code == 1_001)
        try run.handler.wait { $0.closures == [.serverStopped] }
        folder.server = nil
    }

    // Unchecked because the test sets it before the page sends.
    private final class Holder: @unchecked Sendable { var server: PageServer? }

    @Test("fifty starts and stops leave no descriptor behind, two servers run side by side")
    func restarts() async throws {
        await #expect(processExitsWith: .success) {
            let run = try ServerRun(received: { $0.send($1) })
            let other = try ServerRun(received: { $0.send($1) })
            func cycle() throws {
                let location = try run.server.start()
                let client = try RawClient(port: location.port ?? 0)
                client.send(ServerRun.handshake(port: location.port ?? 0))
                guard try client.readHead().first?.contains("101") == true else { exit(1) }
                client.sendText("hello")
                guard try client.readText() == "hello" else { exit(2) }
                let second = try other.open()
                second.sendText("other")
                guard try second.readText() == "other" else { exit(3) }
                run.server.stop()
            }
            // Descriptors that the runtime opens once are there after the first ones.
            for _ in 0..<3 { try cycle() }
            try other.handler.wait { $0.closures.count == 3 }
            let before = Self.descriptors()
            for _ in 0..<50 { try cycle() }
            try other.handler.wait { $0.closures.count == 53 }
            // The library reports an end before it closes the descriptor.
            let end = Date(timeIntervalSinceNow: 10)
            while Self.descriptors().count > before.count, Date() < end { sched_yield() }
            exit(Self.descriptors().count > before.count ? 4 : 0)
        }
    }

    /// Returns what the descriptors of the process are, without their numbers.
    ///
    /// A thread of a server that has not ended would hold several.
    static func descriptors() -> [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return target?.split(separator: "[").first.map(String.init)
        }.sorted()
    }

    @Test(
        "the library changes no action of a signal, survives SIGPIPE's default, and writes nothing to stderr"
    )
    func process() async throws {
        await #expect(processExitsWith: .success) {
            let log = "/tmp/page-server-\(getpid()).log"
            let descriptor = open(log, O_RDWR | O_CREAT | O_TRUNC, 0o600)
            unlink(log)
            dup2(descriptor, STDERR_FILENO)
            signal(SIGPIPE, SIG_DFL)
            var before = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &before)
            let text = String(repeating: "x", count: 50_000)
            let run = try ServerRun(received: { connection, _ in
                for _ in 0..<10 { connection.send(text) }
            })
            var action = sigaction()
            for number in 1..<32 where ![SIGKILL, SIGSTOP].contains(Int32(number)) {
                sigaction(Int32(number), nil, &action)
                // The runtime of exit tests may have handlers for crashes; SIGPIPE is what the library sets.
                if number == SIGPIPE, action.__sigaction_handler.sa_handler != nil { exit(1) }
            }
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            for number in 1..<32
            where sigismember(&mask, Int32(number)) != sigismember(&before, Int32(number)) { exit(2) }
            for row in HostileRequestTests.rows {
                let client = try run.connect()
                client.send(HostileRequestTests.bytes(row.request, port: run.port))
                client.reset()
            }
            for round in 0..<20 {
                let client = try run.open(receiveBuffer: 4_096)
                client.sendText("fill")
                // Resets while the server writes.
                if round % 2 == 0 { _ = try client.readFrame() }
                client.reset()
            }
            let client = try run.open()
            client.send(RawClient.frame(3, [65], reserved: 7))
            _ = try client.readClose()
            try run.handler.wait { $0.closures.count >= 20 }
            run.server.stop()
            exit(lseek(descriptor, 0, SEEK_END) == 0 ? 0 : 3)
        }
    }
}

/// A folder of its own, which is removed at the end.
private final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/page-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw RawClient.Failure(description: "no folder") }
        path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
