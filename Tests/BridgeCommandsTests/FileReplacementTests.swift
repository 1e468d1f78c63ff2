import BridgeProtocol
import Foundation
import Testing

@testable import BridgeCommands

/// Files that commands write as a whole.
@Suite struct FileReplacementTests {
    private static func status(_ path: String) -> stat {
        var status = stat()
        lstat(path, &status)
        return status
    }

    @Test("a regular file keeps its permissions, and nothing else is left in its folder")
    func permissions() throws {
        let workplace = try Workplace()
        let path = try workplace.write("old", to: "a")
        chmod(path, 0o640)
        try FileReplacement.write(Array("new".utf8), to: path)
        #expect(try workplace.text(of: "a") == "new")
        #expect(Self.status(path).st_mode & 0o777 == 0o640)
        try FileReplacement.write(Array("private".utf8), to: workplace.file("b"), mode: 0o600)
        #expect(Self.status(workplace.file("b")).st_mode & 0o777 == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workplace.path).sorted() == ["a", "b", "tmp"]
        )
    }

    @Test("symbolic and hard links remain links")
    func links() throws {
        let workplace = try Workplace()
        let path = try workplace.write("a long old text", to: "a")
        try FileManager.default.createSymbolicLink(atPath: workplace.file("s"), withDestinationPath: "a")
        try FileManager.default.linkItem(atPath: path, toPath: workplace.file("h"))
        for name in ["s", "h", "a"] {
            try FileReplacement.write(Array(name.utf8), to: workplace.file(name))
            #expect(try workplace.text(of: "a") == name && workplace.text(of: "h") == name)
        }
        #expect(Self.status(workplace.file("s")).st_mode & S_IFMT == S_IFLNK)
        #expect(Self.status(path).st_nlink == 2)
    }

    @Test("devices and pipes are written, and stay what they are")
    func devices() async throws {
        let before = Self.status("/dev/null")
        try FileReplacement.write(Array("x".utf8), to: "/dev/null")
        #expect(Self.status("/dev/null").st_ino == before.st_ino)
        let workplace = try Workplace()
        let path = workplace.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let content = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
            Thread.detachNewThread { try? FileReplacement.write(Array("report".utf8), to: path) }
            // On a separate thread, because both ends block until the other one is open.
            Thread.detachNewThread {
                continuation.resume(
                    returning: (try? FileReading.bytes(of: path)).map { String(decoding: $0, as: UTF8.self) }
                )
            }
        }
        #expect(content == "report")
        #expect(Self.status(path).st_mode & S_IFMT == S_IFIFO)
    }

    @Test(
        "a file that cannot be written has the system's reason",
        arguments: [
            ("/proc/none", "No such file"), ("/dev", "Is a directory"), ("/dev/null/a", "Not a directory"),
        ]
    )
    func failures(path: String, reason: String) throws {
        do throws(FileWriting.Problem) {
            try FileReplacement.write([], to: path)
            Issue.record("it was written")
        } catch {
            #expect(error.reason.hasPrefix(reason), "\(error.reason)")
        }
    }

    @Test("a report of tests goes to a device, and a failure names the file")
    func report() async throws {
        let workplace = try Workplace()
        let test = try workplace.write(
            "import { test } from 'bridge:test'; test('a', () => {});",
            to: "a.test.js"
        )
        #expect(await workplace.run(["test", test, "--junit", "/dev/null"]).status == 0)
        let result = await workplace.run(["test", test, "--junit", workplace.path])
        #expect(result.status == 74)
        #expect(result.errorOutput == "jsbridge: '\(workplace.path)' cannot be written: Is a directory\n")
    }
}
