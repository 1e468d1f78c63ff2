import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Synchronization
import Testing

/// Paths by which a script tries to leave the granted folder, or to block or flood the host.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable), .noLeaks)
struct PathAttackTests {
    /// A path, as an expression of a script, and the code of the error that it must have.
    struct Attack: Sendable, CustomTestStringConvertible {
        let path: String
        let code: String

        init(_ path: String, _ code: String) {
            self.path = path
            self.code = code
        }

        var testDescription: String { path }
    }

    static let reads = [
        Attack("'../outside.txt'", "denied"), Attack("'sub/../../outside.txt'", "denied"),
        Attack("'./.././in/../outside.txt'", "denied"), Attack("root + '/outside.txt'", "denied"),
        Attack("root + '/in/../outside.txt'", "denied"), Attack("root + '/inner'", "denied"),
        Attack("'/etc/passwd'", "denied"), Attack("'/'", "denied"), Attack("'////etc//passwd'", "denied"),
        Attack("'../../../../../../../../../../etc/passwd'", "denied"),
        // Links, at the end and in between, out of the folder and inside it.
        Attack("'link.txt'", "denied"), Attack("'linked/outside.txt'", "denied"),
        Attack("'inner-link.txt'", "denied"), Attack("'loop'", "denied"),
        Attack("'absolute/passwd'", "denied"),
        // URLs, whose dots are resolved by the parser of URLs, and encoded slashes.
        Attack("new URL('file://' + root + '/in/%2e%2e/outside.txt')", "denied"),
        Attack("new URL('file://' + root + '/in/..%2Foutside.txt')", "invalidArgument"),
        Attack("new URL('file://' + root + '/in/inner.txt%00.png')", "invalidArgument"),
        Attack("new URL('file://' + root + '/in/%ff')", "invalidArgument"),
        Attack("new URL('http://host/in/inner.txt')", "invalidArgument"),
        Attack("{ href: 'file:///../etc/passwd' }", "denied"),
        // In a path, which is not a URL, the characters are those of a name.
        Attack("'%2e%2e/outside.txt'", "fs.notFound"), Attack("'..%2foutside.txt'", "fs.notFound"),
        Attack("'..\\\\outside.txt'", "fs.notFound"), Attack("'\\u2025/outside.txt'", "fs.notFound"),
        Attack("'\\u002e\\u002e/outside.txt'", "denied"),
        Attack("'\\uff0e\\uff0e/outside.txt'", "fs.notFound"),
        // The two spellings of a name are two names.
        Attack("'e\\u0301.txt'", "fs.notFound"), Attack("'inner.txt\\u200b'", "fs.notFound"),
        Attack("'\\ud800'", "invalidArgument"), Attack("'inner.txt\\0'", "invalidArgument"),
        Attack("'\\0'", "invalidArgument"), Attack("''", "invalidArgument"), Attack("42", "invalidArgument"),
        Attack("null", "invalidArgument"), Attack("undefined", "invalidArgument"),
        Attack("['inner.txt']", "invalidArgument"),
        Attack("'x'.repeat(4097)", "invalidArgument"), Attack("'x'.repeat(300)", "invalidArgument"),
        Attack("'a/'.repeat(2000) + 'x'", "fs.notFound"),
        // Entries that are not regular files: opening them must not block.
        Attack("'pipe'", "fs.notRegular"), Attack("'socket'", "fs.notRegular"),
        Attack("'.'", "fs.isDirectory"),
        Attack("'sub'", "fs.isDirectory"), Attack("'inner.txt/x'", "fs.notDirectory"),
        Attack("'large'", "limitExceeded"), Attack("'secret'", "fs.notPermitted"),
    ]

    private func prepare() throws -> ScriptFolder {
        let folder = try ScriptFolder()
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(folder.inside)/sub", withIntermediateDirectories: true)
        try manager.createDirectory(atPath: "\(folder.path)/inner", withIntermediateDirectories: true)
        try folder.link("in/link.txt", to: "../outside.txt")
        try folder.link("in/inner-link.txt", to: "inner.txt")
        try folder.link("in/linked", to: "..")
        try folder.link("in/absolute", to: "/etc")
        try folder.link("in/loop", to: "loop")
        try folder.write("composed", to: "in/\u{e9}.txt")
        #expect(mkfifo("\(folder.inside)/pipe", 0o600) == 0)
        try bindSocket("\(folder.inside)/socket")
        try folder.write(String(repeating: "x", count: 5_000), to: "in/large")
        try folder.write("x", to: "in/secret")
        #expect(chmod("\(folder.inside)/secret", 0) == 0)
        return folder
    }

    private func bindSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in path.utf8.enumerated().prefix(target.count - 1) { target[index] = byte }
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        #expect(result == 0, "\(String(cString: strerror(errno)))")
    }

    @Test("R36 refuses to read what is outside, or not a regular file", arguments: Self.reads)
    func read(attack: Attack) async throws {
        // The superuser may read everything.
        if attack.path == "'secret'", geteuid() == 0 { return }
        let folder = try prepare()
        var configuration = folder.configuration
        configuration.permissions.maximumFileBytes = 4_096
        let bridge = try Bridge(configuration: configuration)
        let result = try await bridge.runWithFiles(
            """
            const root = "\(folder.path)";
            const path = \(attack.path);
            const codes = [await attempt(() => fs.readFile(path)), await attempt(() => fs.readTextFile(path)),
                await attempt(() => all(fs.readLines(path))), await attempt(() => fs.copyFile(path, "copy"))];
            const inner = await fs.readTextFile("inner.txt");
            return [...new Set(codes)].join() + " " + inner;
            """
        )
        // The limit is on files that are read as a whole.
        let line = String(repeating: "x", count: 5_000)
        let code = attack.path == "'large'" ? "limitExceeded,\(line)," : attack.code
        #expect(result == .string(code + " inner"))
    }

    static let writes = [
        Attack("'../new.txt'", "denied"), Attack("'../outside.txt'", "denied"),
        Attack("'link.txt'", "denied"),
        Attack("'linked/outside.txt'", "denied"), Attack("'linked/new.txt'", "denied"),
        Attack("root + '/new.txt'", "denied"), Attack("'pipe'", "fs.notRegular"),
        Attack("'socket'", "fs.notRegular"),
        Attack("'sub'", "fs.isDirectory"), Attack("'.'", "fs.isDirectory"),
        Attack("'missing/new.txt'", "fs.notFound"),
        Attack("'inner.txt/new.txt'", "fs.notDirectory"), Attack("'/dev/full'", "denied"),
        Attack("'/proc/self/mem'", "denied"),
    ]

    @Test("R36 refuses to write what is outside, or not a regular file", arguments: Self.writes)
    func write(attack: Attack) async throws {
        let folder = try prepare()
        let bridge = try Bridge(configuration: folder.configuration)
        let before = folder.names
        let result = try await bridge.runWithFiles(
            """
            const root = "\(folder.path)";
            const path = \(attack.path);
            const codes = [await attempt(() => fs.writeTextFile(path, "stolen")),
                await attempt(() => fs.writeTextFile(path, "stolen", { append: true })),
                await attempt(() => fs.copyFile("inner.txt", path))];
            return [...new Set(codes)].join();
            """
        )
        #expect(result == .string(attack.code))
        #expect(folder.names == before)
        #expect(folder.text(of: "outside.txt") == "secret" && !folder.exists("new.txt"))
        #expect(folder.text(of: "in/inner.txt") == "inner")
    }

    @Test("R36 renames and removes links themselves, and nothing outside")
    func changes() async throws {
        let folder = try prepare()
        let bridge = try Bridge(configuration: folder.configuration)
        let result = try await bridge.runWithFiles(
            """
            return [
                await attempt(() => fs.rename("inner.txt", "../moved.txt")), await attempt(() => fs.rename("../outside.txt", "moved.txt")),
                await attempt(() => fs.remove("../outside.txt")), await attempt(() => fs.remove("linked/outside.txt")),
                await attempt(() => fs.remove(".", { recursive: true })), await attempt(() => fs.makeDir("../made")),
                await attempt(() => fs.makeDir("linked/made", { recursive: true })), await attempt(() => all(fs.readDir("linked"))),
                await attempt(() => all(fs.readDir(".."))), (await fs.stat("linked")).isSymlink,
                await attempt(() => fs.remove("linked", { recursive: true })), await attempt(() => fs.stat("linked")),
            ].join();
            """
        )
        #expect(
            result
                == "denied,denied,denied,denied,fs.busy,denied,denied,denied,denied,true,,fs.notFound"
        )
        #expect(folder.text(of: "outside.txt") == "secret" && !folder.exists("made"))
    }

    @Test("R36 a link that is swapped in between leads nowhere")
    func swap() async throws {
        let folder = try ScriptFolder()
        try folder.write("inside", to: "in/target")
        let bridge = try Bridge(configuration: folder.configuration)
        // Renames a link over the file and back, while the script reads and writes it.
        let (file, link, spare) = (
            "\(folder.inside)/target", "\(folder.inside)/link", "\(folder.inside)/spare"
        )
        try folder.link("in/link", to: "../outside.txt")
        let swapping = Repetition {
            rename(file, spare)
            rename(link, file)
            rename(file, link)
            rename(spare, file)
        }
        let result = try await bridge.runWithFiles(
            """
            const seen = new Set();
            for (let index = 0; index < 500; index++) {
                seen.add(await attempt(() => fs.readTextFile("target")));
                const code = await attempt(() => fs.writeTextFile("target", "inside", { append: true }));
                if (code !== undefined) seen.add(code);
            }
            return [...seen].some((text) => text.includes("secret"));
            """
        )
        await swapping.stop()
        #expect(result == false)
        #expect(folder.text(of: "outside.txt") == "secret")
    }

    @Test(
        "R36 files that show the kernel are refused, even where everything is granted",
        arguments: [
            "/proc/self/environ", "/proc/1/environ", "/proc/self/fd/0", "/proc/self/mem", "/proc/version",
            "/sys/kernel/mm/transparent_hugepage/enabled", "/dev/zero", "/dev/null", "/dev/tty", "/dev/stdin",
        ]
    )
    func kernelFiles(path: String) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.permissions.allowReading("/")
        let bridge = try Bridge(configuration: configuration)
        let result = try await bridge.runWithFiles("return await attempt(() => fs.readFile('\(path)'));")
        let refused: [Value] = ["fs.notRegular", "denied", "fs.notFound", "fs.notPermitted", "fs.failed"]
        #expect(refused.contains(result), "\(result)")
    }

    @Test("R36 a file that grows while it is read ends at the limit")
    func growing() async throws {
        let folder = try ScriptFolder()
        var configuration = folder.configuration
        configuration.permissions.maximumFileBytes = 1 << 20
        let bridge = try Bridge(configuration: configuration)
        let descriptor = open("\(folder.inside)/growing", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 120, count: 8_192)
        let writing = Repetition {
            guard lseek(descriptor, 0, SEEK_END) < 64 << 20 else { return }
            _ = Foundation.write(descriptor, bytes, bytes.count)
        }
        let result = try await bridge.runWithFiles(
            """
            for (;;) {
                const code = await attempt(() => fs.readFile("growing"));
                if (typeof code === "string") return code;
            }
            """
        )
        await writing.stop()
        #expect(result == "limitExceeded")
    }
}

/// An action that a thread of its own repeats: on a thread of the tasks, it could keep a script of another test from
/// ending.
private final class Repetition: Sendable {
    private let isStopped = Atomic(false)
    private let ended: AsyncStream<Void>

    init(_ action: @escaping @Sendable () -> Void) {
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        self.ended = ended
        Thread.detachNewThread { [self] in
            while !isStopped.load(ordering: .acquiring) { action() }
            continuation.finish()
        }
    }

    /// Stops it, and waits for the end of the last action.
    func stop() async {
        isStopped.store(true, ordering: .releasing)
        for await _ in ended {}
    }
}
