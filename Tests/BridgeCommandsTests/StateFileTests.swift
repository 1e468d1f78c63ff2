import BridgeValues
import CollectionViews
import Foundation
import TestSupport
import Testing

@testable import BridgeCommands
@testable import TerminalViews

/// The file of `--state` as other processes and people leave it.
@Suite("files of saved states")
struct StateFileTests {
    private static func state(_ columns: String = "id") throws -> ViewState {
        let workplace = try Workplace()
        let path = try workplace.write("\(columns)\n1\n", to: "t.csv")
        let content = TableContent(try CSVTable(path: path)) {}
        return try #require(
            try TerminalBrowser(view: content.view, content: content).savedState()
        )
    }

    private static func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch {
            return ErrorText.plain((error as? CommandFailure)?.reason ?? error)
        }
    }

    @Test("the target of a symbolic link is written, and the link remains, also one whose target is missing")
    func links() throws {
        let workplace = try Workplace()
        let manager = FileManager.default
        try manager.createDirectory(atPath: workplace.file("real"), withIntermediateDirectories: true)
        for (link, target) in [("a", "real/old"), ("b", "real/new")] {
            try manager.createSymbolicLink(atPath: workplace.file(link), withDestinationPath: target)
        }
        try workplace.write("", to: "real/old")
        let state = try Self.state()
        for (link, target) in [("a", "real/old"), ("b", "real/new")] {
            try StateFile(workplace.file(link)).save(state)
            #expect(try manager.destinationOfSymbolicLink(atPath: workplace.file(link)) == target)
            #expect(try workplace.text(of: target) == String(decoding: state.json, as: UTF8.self))
        }
        #expect(try manager.contentsOfDirectory(atPath: workplace.file("real")).sorted() == ["new", "old"])
    }

    @Test(
        "what another program has written to the file since is kept, and said",
        arguments: [
            ("notes\n", "is not a saved state: "), ("{}", "is not a saved state: "),
            (#"{"version":2}"#, "is not a saved state: "), ("{\"version\":1", "is not a saved state: "),
            ("\u{0}\u{1}", "is not a saved state: "),
        ]
    )
    func foreignContent(_ text: String, _ reason: String) throws {
        let workplace = try Workplace()
        let path = workplace.file("state")
        let file = try StateFile(path)
        let state = try Self.state()
        try file.save(state)
        try workplace.write(text, to: "state")
        let message = Self.message { try file.save(state) }
        #expect(message.contains(reason), "\(message)")
        #expect(try workplace.text(of: "state") == text)
    }

    @Test("the state of other rows is kept, also if a second program has written it to the same file")
    func otherRows() throws {
        let workplace = try Workplace()
        let path = workplace.file("state")
        let (first, second) = (try StateFile(path), try StateFile(path))
        let (one, other) = (try Self.state(), try Self.state("name"))
        try first.save(one)
        #expect(Self.message { try second.save(other) }.hasSuffix("is kept: it has the state of other rows"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == one.json)
        // Two programs with the same rows write in turn.
        try StateFile(path).save(one)
    }

    @Test("a file that has become a folder, or is in a folder that is gone, is an error and not the end")
    func places() throws {
        let workplace = try Workplace()
        let path = workplace.file("state")
        let file = try StateFile(path)
        let state = try Self.state()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(Self.message { try file.save(state) }.hasSuffix("it is not a regular file"))
        try FileManager.default.removeItem(atPath: path)
        try file.save(state)
        #expect(try StateFile(path).state?.json == state.json)
        let gone = try StateFile(workplace.file("gone/state"))
        #expect(Self.message { try gone.save(state) }.contains("cannot be written: "))
    }

    @Test("the permissions of the file are kept, and nothing else is left in its folder")
    func permissions() throws {
        let workplace = try Workplace()
        let manager = FileManager.default
        try manager.createDirectory(atPath: workplace.file("folder"), withIntermediateDirectories: true)
        let path = try workplace.write("", to: "folder/state")
        let state = try Self.state()
        for mode in [0o600, 0o666] {
            try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            try StateFile(path).save(state)
            #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
        }
        #expect(try manager.contentsOfDirectory(atPath: workplace.file("folder")) == ["state"])
        #expect(try StateFile(path).state?.json == state.json)
    }

    @Test("states are written on another thread, the last one last, and a failure is reported once")
    func soon() throws {
        let workplace = try Workplace()
        let record = WrittenText()
        let output = CommandOutput(
            output: TestOutput(stream: .output, record: record, terminalColumns: nil, limit: nil),
            errorOutput: TestOutput(stream: .error, record: record, terminalColumns: nil),
            clock: SystemClock()
        )
        let path = workplace.file("state")
        let file = try StateFile(path)
        let state = try Self.state()
        for _ in 0..<100 { file.saveSoon(state, reportingTo: output) }
        file.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == state.json)
        try workplace.write("notes", to: "state")
        for _ in 0..<3 {
            file.saveSoon(state, reportingTo: output)
            file.finish()
        }
        #expect(record.writes.count { $0.text.contains("is not a saved state") } == 1)
        #expect(try workplace.text(of: "state") == "notes")
    }
}
