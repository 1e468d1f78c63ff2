import Foundation
import Testing

/// The question of `jsbridge run` on a real terminal.
@Suite struct TerminalQuestionTests {
    /// A pseudoterminal, whose other end a process has as its standard streams.
    private final class Terminal: Sendable {
        let main: Int32
        let other: FileHandle

        init() throws {
            main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (number, isLocked) = (CInt(0), CInt(0))
            // The functions of the C library for this are not in Swift's module of it: TIOCSPTLCK, TIOCGPTN.
            try #require(main >= 0 && ioctl(main, 0x4004_5431, &isLocked) == 0)
            try #require(ioctl(main, 0x8004_5430, &number) == 0)
            let name = "/dev/pts/\(number)"
            let descriptor = open(name, O_RDWR | O_NOCTTY)
            try #require(descriptor >= 0)
            other = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }

        deinit { close(main) }

        func type(_ text: String) {
            _ = Array(text.utf8).withUnsafeBytes { write(main, $0.baseAddress, $0.count) }
        }

        /// Reads until the output contains a text some number of times; returns what was read.
        func read(until text: String, times: Int = 1) -> String {
            var output = ""
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while output.components(separatedBy: text).count <= times {
                let count = Foundation.read(main, &bytes, bytes.count)
                guard count > 0 else { break }
                output += String(decoding: bytes.prefix(count), as: UTF8.self)
            }
            return output
        }
    }

    @Test("R36 neither buffered input nor what a script prints answers the question")
    func answer() async throws {
        let workplace = try Workplace()
        try workplace.write("content", to: "a.txt")
        let script = try workplace.write(
            """
            import { readTextFile } from "bridge:fs";
            import { argv, stdout } from "bridge:process";
            // Printed while the question is open: it must not appear before the answer.
            const printing = readTextFile(argv[0]).then((text) => console.log("read " + text), (error) => console.log(error.code));
            await stdout.write("a\\ny\\n\\x1b[8m");
            await printing;
            """,
            to: "script.mjs"
        )
        let terminal = try Terminal()
        // Typed before the question.
        terminal.type("a\ny\n")
        let process = try Self.start(script, workplace.file("a.txt"), on: terminal, in: workplace)
        let question = await Self.onThread { terminal.read(until: "Answer: ") }
        #expect(question.contains("asks to read \"\(workplace.file("a.txt"))\""), "\(question)")
        #expect(question.contains("\u{1B}[0m"))
        terminal.type("n\n")
        let rest = await Self.onThread { terminal.read(until: "denied\r\n") }
        #expect(!rest.contains("read content") && rest.contains("denied\r\n"), "\(rest)")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("R36 the answer is not standard input of the script, which continues after it")
    func standardInput() async throws {
        let workplace = try Workplace()
        try workplace.write("content", to: "a.txt")
        let script = try workplace.write(
            """
            import { readTextFile } from "bridge:fs";
            import { argv, stdin } from "bridge:process";
            const lines = (async () => { for await (const line of stdin.readLines()) { console.log("line " + line); break; } })();
            console.log("read " + await readTextFile(argv[0]));
            await lines;
            """,
            to: "script.mjs"
        )
        let terminal = try Terminal()
        let process = try Self.start(script, workplace.file("a.txt"), on: terminal, in: workplace)
        _ = await Self.onThread { terminal.read(until: "Answer: ") }
        terminal.type("y\n")
        let read = await Self.onThread { terminal.read(until: "read content\r\n") }
        #expect(read.contains("read content\r\n"), "\(read)")
        terminal.type("z\n")
        let line = await Self.onThread { terminal.read(until: "line z\r\n") }
        #expect(line.contains("line z\r\n") && !line.contains("line y"), "\(line)")
        // The stream reads ahead.
        process.terminate()
    }

    private static func start(
        _ script: String,
        _ argument: String,
        on terminal: Terminal,
        in workplace: Workplace
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: RunningProcess.built("jsbridge"))
        process.arguments = ["run", script, argument]
        process.environment = [
            "TMPDIR": workplace.temporaryDirectory, "PATH": "/usr/bin:/bin", "TERM": "xterm",
        ]
        process.standardInput = terminal.other
        process.standardOutput = terminal.other
        process.standardError = terminal.other
        try process.run()
        return process
    }

    // On a separate thread, because reading blocks.
    private static func onThread(_ body: @escaping @Sendable () -> String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
