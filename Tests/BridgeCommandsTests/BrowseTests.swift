import Foundation
import Testing

@Suite("browse")
struct BrowseTests {
    @Test("--record overwrites neither the file that is shown nor a file of a store, by any path")
    func sharedFiles() async throws {
        let workplace = try Workplace()
        let table = try workplace.write("id\n1\n", to: "t.csv")
        let other = "\(workplace.path)/tmp/../t.csv"
        for (recording, file) in [
            (table, table), (other, table), (table, table + ":x"), (table + "-wal", table),
        ] {
            let result = await workplace.run(["browse", "--record", recording, file])
            #expect(result.status == 2, "\(recording) \(file)")
            #expect(result.errorOutput.contains("'--record' would write over the table"))
        }
        let line = "\"$0\" browse --record '\(table)' - < '\(table)'"
        let arguments = ["-c", line, RunningProcess.built("jsbridge")]
        let ending = try await RunningProcess("/bin/sh", arguments, in: workplace).end()
        #expect(ending.status == 2 && ending.errorOutput.contains("would write over the table"))
        #expect(try workplace.text(of: "t.csv") == "id\n1\n")
    }

    @Test("--format names the kind of a file that its name does not have, and of standard input")
    func format() async throws {
        let workplace = try Workplace()
        let code = "bridge.collectionView({ source: ['a', 'b'], cell: name => name });"
        let script = try workplace.write(code, to: "view.txt")
        #expect(await workplace.run(["browse", "--format", "script", script]).output == "a\nb\n")
        let input = Array(code.utf8)
        #expect(await workplace.run(["browse", "--format=script", "-"], input: input).output == "a\nb\n")
        let tabs = try workplace.write("a, b\tc, d\n1,5\t2\n", to: "t.tsv")
        #expect(await workplace.run(["browse", tabs]).output == "a, b\tc, d\n1,5\t2\n")
        let table = try workplace.write("id,n\n1,x\n", to: "t.js")
        #expect(await workplace.run(["browse", "--format", "table", table]).output == "id\tn\n1\tx\n")
        let wrong = await workplace.run(["browse", "--format", "script", "-"], input: Array("1 +".utf8))
        #expect(wrong.status == 1)
        #expect(wrong.errorOutput.contains("<stdin>"), "\(wrong.errorOutput)")
    }

    @Test("an empty file does not become a store")
    func emptyFile() async throws {
        let workplace = try Workplace()
        let empty = try workplace.write("", to: "empty.txt")
        let result = await workplace.run(["browse", empty + ":x"])
        #expect(result.status == 66)
        #expect(result.errorOutput.contains("is not a store"))
        #expect(try workplace.text(of: "empty.txt").isEmpty)
    }

    @Test("an entity with colons and quotes in its name is found, and so is every kind of value")
    func entityName() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            """
            const store = bridge.store();
            store.createEntity('a:"b\\'c', { 'x y': 'string', n: 'integer', data: 'data', when: 'date' });
            store.insert('a:"b\\'c', { 'x y': 'tab\\t', n: 9007199254740993n, data: new Uint8Array(3), when: new Date(0) });
            store.insert('a:"b\\'c', {});
            """,
            to: "make.js"
        )
        let store = workplace.file("s:1.db")
        let made = await workplace.run(["run", "--store", store, script])
        #expect(made.status == 0, "\(made.errorOutput)")
        let result = await workplace.run(["browse", store + ":a:\"b'c"])
        let row = "tab␉\t9007199254740993\t3 bytes\t1970-01-01T00:00:00Z"
        #expect(result.output == "x y\tn\tdata\twhen\n\(row)\n\t\t\t\n")
    }

    @Test("malformed records are printed as they are, and standard error says how many there are")
    func malformed() async throws {
        let workplace = try Workplace()
        let file = try workplace.write("a,b\nab\"c\"d,2\nx,1\n", to: "q.csv")
        let result = await workplace.run(["browse", file])
        #expect(result.status == 0)
        #expect(result.output == "a\tb\nab\"c\"d\t2\nx\t1\n")
        #expect(result.errorOutput.contains("jsbridge: q.csv: 1 malformed record, in line 2\n"))
    }

    @Test("a file that is not a table is refused by browse and serve", arguments: ["browse", "serve"])
    func notATable(_ command: String) async throws {
        let workplace = try Workplace()
        let file = try workplace.write("\u{7F}ELF\0\0", to: "program")
        let result = await workplace.run([command, file])
        #expect(result.status == 66 && result.output.isEmpty)
        #expect(result.errorOutput.contains("program is not a table: it has bytes of value 0"))
    }

    @Test("a pipe or a device is refused before it is opened", arguments: ["browse", "serve"])
    func notRegular(_ command: String) async throws {
        let workplace = try Workplace()
        let pipe = workplace.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero"] {
            let result = await workplace.run([command, path])
            #expect(result.status == 66 && result.output.isEmpty)
            #expect(
                result.errorOutput.contains("\(path) is a pipe, a socket or a device, not a regular file")
            )
        }
    }

    @Test("'-' reads a table from standard input, and leaves no file")
    func standardInput() async throws {
        let workplace = try Workplace()
        let rows = (0..<1_000).map { "\($0);name \($0)\n" }.joined()
        let result = await workplace.run(["browse", "-"], input: Array(("id;name\n" + rows).utf8))
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("id\tname\n0\tname 0\n"))
        #expect(result.output.hasSuffix("999\tname 999\n"))
        #expect(workplace.leftovers.isEmpty)
        let empty = await workplace.run(["browse", "-"])
        #expect(empty.status == 66)
        #expect(empty.errorOutput.contains("standard input is empty: it has no column names"))
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("a script's view is printed without a terminal, and what the script prints goes to standard error")
    func script() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            """
            console.log("three people");
            bridge.collectionView({ name: "other", source: [] });
            bridge.collectionView({
                name: "people", source: ["Ada", "Alan", "Gr\\u001bace"], cell: name => ({ text: name, secondary: name.length }),
            });
            """,
            to: "people.js"
        )
        let result = await workplace.run(["browse", "--view", "people", script])
        #expect(result.status == 0)
        #expect(result.output == "Ada\t3\nAlan\t4\nGr␛ace\t6\n")
        #expect(result.errorOutput.contains("three people"))
        let first = await workplace.run(["browse", script])
        #expect(first.status == 0 && first.output.isEmpty)
    }

    @Test(
        "a script without a view, one that fails, and one that is missing are said in a sentence",
        arguments: [
            ("1 + 1;", 1, "has created no view: call bridge.collectionView"),
            ("throw new Error('broken');", 1, "broken"),
            ("bridge.collectionView({});", 1, "the source of a view is an array"),
        ]
    )
    func wrongScript(_ text: String, _ status: Int32, _ message: String) async throws {
        let workplace = try Workplace()
        let script = try workplace.write(text, to: "wrong.js")
        let result = await workplace.run(["browse", script])
        #expect(result.status == status)
        #expect(result.errorOutput.contains(message))
        let missing = await workplace.run(["browse", "\(workplace.path)/missing.js"])
        #expect(missing.status == 66)
    }

    @Test("options of tables are refused for scripts, and options of scripts for tables")
    func wrongOptions() async throws {
        let workplace = try Workplace()
        let wrong = await workplace.run(["browse", "--store", "x.db", "people.csv"])
        #expect(wrong.status == 2 && wrong.errorOutput.contains("are for a script"))
        let other = await workplace.run(["browse", "--follow", "people.js"])
        #expect(other.status == 2 && other.errorOutput.contains("are for tables"))
    }

    @Test("the airports of the gallery are a view")
    func airports() async throws {
        let workplace = try Workplace()
        let result = await workplace.run([
            "browse", SwiftTypeCheck.root.appendingPathComponent("Examples/Gallery/airports.js").path,
        ])
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").count == 28_270)
        #expect(
            result.output.hasPrefix("OMAA  Abu Dhabi International Airport  Abu Dhabi, Abu Dhabi\t27 m\n")
        )
    }
}
