import Foundation
import Testing

@testable import BridgeCommands

@Suite struct BadInputTests {
    /// A script with an error, and the expected message; `FILE` represents the script's path.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let script: String
        let message: String

        init(_ description: String, _ script: String, _ message: String) {
            testDescription = description
            self.script = script
            self.message = message
        }
    }

    static let mistakes = [
        Mistake(
            "a syntax error",
            "let a = 1;\nlet b = {;\n",
            """
            FILE:2:10: SyntaxError: Unexpected token ';'. Expected a property name.
              1 | let a = 1;
            > 2 | let b = {;
                |          ^
              3 |\u{20}

            """
        ),
        Mistake(
            "an end too soon",
            "f(1,",
            "FILE:1:5: SyntaxError: Unexpected end of script\n> 1 | f(1,\n    |     ^\n"
        ),
        Mistake(
            "a thrown error",
            "function f() { throw new TypeError('not today'); }\nf();",
            """
            FILE:1:35: TypeError: not today
            > 1 | function f() { throw new TypeError('not today'); }
                |                                   ^
              2 | f();
                at f (FILE:1:35)
                at global code (FILE:2:2)

            """
        ),
        Mistake(
            "an error with a cause",
            "throw new Error('outer', { cause: new RangeError('inner') });",
            """
            FILE:1:16: Error: outer
            > 1 | throw new Error('outer', { cause: new RangeError('inner') });
                |                ^
                at global code (FILE:1:16)
            caused by FILE:1:49: RangeError: inner
            > 1 | throw new Error('outer', { cause: new RangeError('inner') });
                |                                                 ^
                at global code (FILE:1:49)

            """
        ),
        Mistake("a thrown value that is not an error", "throw 'a string';", "FILE: uncaught a string\n"),
        Mistake(
            "a rejected promise without a handler",
            "Promise.reject(new Error('unwanted'));",
            """
            FILE:1:25: Error: unwanted
            > 1 | Promise.reject(new Error('unwanted'));
                |                         ^
                at global code (FILE:1:25)

            """
        ),
        Mistake(
            "an error in a timer",
            "setTimeout(() => { null.x }, 1);",
            """
            FILE:1:24: TypeError: null is not an object (evaluating 'null.x')
            > 1 | setTimeout(() => { null.x }, 1);
                |                        ^
                at <anonymous> (FILE:1:24)
                at async setTimeout
                at global code (FILE:1:11)

            """
        ),
        Mistake(
            "an error in main",
            "bridge.registerHandler('main', function main() { null.x });",
            """
            FILE:1:54: TypeError: null is not an object (evaluating 'null.x')
            > 1 | bridge.registerHandler('main', function main() { null.x });
                |                                                      ^
                at main (FILE:1:54)

            """
        ),
    ]

    @Test(
        "an error of a script is printed once, with its position, and ends the run with 1",
        arguments: mistakes
    )
    func mistake(_ mistake: Mistake) async throws {
        let workplace = try Workplace()
        let result = try await workplace.run(script: mistake.script)
        let path = workplace.file("script.js")
        #expect(result.errorOutput == mistake.message.replacingOccurrences(of: "FILE", with: path))
        #expect(result.output.isEmpty)
        #expect(result.status == 1)
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("a missing handler is an error with a similar name and the position of the call")
    func unknownHandler() async throws {
        let workplace = try Workplace()
        let result = try await workplace.run(script: "\nbridge.callHandler('jsbridge.enviroment');\n")
        let place = "\(workplace.file("script.js")):2:19: BridgeError: No handler is registered for"
        let start =
            "\(place) \"jsbridge.enviroment\". Did you mean \"jsbridge.environment\"? (handlerNotFound)\n"
        #expect(result.errorOutput.hasPrefix(start))
        #expect(
            result.errorOutput.contains(
                "> 2 | bridge.callHandler('jsbridge.enviroment');\n    |                   ^\n"
            )
        )
        #expect(result.status == 1)
    }

    @Test("an error ends the run immediately: no later output is shown, however much there is")
    func endsImmediately() async throws {
        let result = try await Workplace().run(
            script: """
                setTimeout(() => console.log("an hour later"), 3600000);
                setTimeout(() => { throw new Error("first") }, 1);
                setTimeout(() => { console.log("too late"); throw new Error("second") }, 1);
                """
        )
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errorOutput.contains("Error: first\n"))
        #expect(!result.errorOutput.contains("Error: second\n"))
    }

    @Test(
        "a main that fails ends the run immediately, whatever work is left",
        arguments: [
            "setInterval(() => {}, 3600000);", "setTimeout(() => console.log('an hour later'), 3600000);",
            "bridge.store().createEntity('n', { a: 'integer' }); bridge.store().fetch('n').onChange(() => {});",
        ],
        ["actor", "thread"]
    )
    func failingMain(left: String, isolation: String) async throws {
        let workplace = try Workplace()
        let script =
            "bridge.registerHandler('main', async () => { \(left)\nawait null; throw new Error('boom'); });"
        let path = try workplace.write(script, to: "boom.js")
        let result = await workplace.run(["run", "--isolation", isolation, path])
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errorOutput.hasPrefix("\(path):2:28: Error: boom\n"), "\(result.errorOutput)")
        #expect(result.errorOutput.contains("> 2 | await null; throw new Error('boom'); });\n"))
        #expect(result.errorOutput.components(separatedBy: ":2:28: Error: boom").count == 2)
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("an error that the script catches is not printed, and the run continues")
    func caught() async throws {
        let result = try await Workplace().run(
            script: """
                try { null.x } catch (error) { console.log(error.name) }
                Promise.reject(new Error("no")).catch(error => console.log(error.message));
                bridge.callHandler("nobody").catch(error => console.log(error.code));
                """
        )
        #expect(result.output == "TypeError\nno\nhandlerNotFound\n")
        #expect(result.errorOutput.isEmpty)
        #expect(result.status == 0)
    }

    @Test(
        "an endless script is stopped at its limit",
        arguments: [
            "for (;;);", "setTimeout(() => { for (;;); }, 1)",
            "(function f() { Promise.resolve().then(f) })()",
        ]
    )
    func endless(script: String) async throws {
        let workplace = try Workplace()
        let path = try workplace.write("console.log('begun');\n" + script, to: "endless.js")
        let result = await workplace.run(["run", "--time-limit", "0.1", path])
        #expect(result.status == 1)
        #expect(result.output == "begun\n")
        #expect(
            result.errorOutput.contains("Terminated: the script was stopped after its limit of 0.1 seconds")
        )
        #expect(
            result.errorOutput.hasSuffix(
                "(--time-limit sets how much processor time a turn may take, within the limits of the tier)\n"
            )
        )
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("an endless main is stopped at its limit")
    func endlessMain() async throws {
        let workplace = try Workplace()
        let path = try workplace.write(
            "bridge.registerHandler('main', () => { for (;;); });",
            to: "endless.js"
        )
        let result = await workplace.run(["run", "--time-limit", "0.1", path])
        #expect(result.status == 1)
        #expect(result.errorOutput.contains("the script was stopped after its limit of 0.1 seconds"))
        #expect(
            result.errorOutput.hasSuffix(
                "(--time-limit sets how much processor time a turn may take, within the limits of the tier)\n"
            )
        )
    }

    @Test("a script that cannot be read is an error with its name and the reason")
    func unreadable() async throws {
        let workplace = try Workplace()
        try workplace.write("console.log(1)", to: "file.js")
        try Data([0x31, 0xFF, 0x31]).write(to: URL(fileURLWithPath: workplace.file("latin.js")))
        let loop = workplace.file("loop.js")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let messages = [
            (workplace.file("missing.js"), "there is no such file"),
            (workplace.file("file.js/x.js"), "there is no such file"),
            (workplace.path, "this is a directory"),
            (workplace.file("latin.js"), "the file is not UTF-8 text"),
        ]
        for (path, reason) in messages {
            let result = await workplace.run(["run", "--store", workplace.file("s.db"), path])
            #expect(result.errorOutput == "jsbridge: \(path): \(reason)\n")
            #expect(result.status == 66)
        }
        // An existing file that not even root can read.
        for path in [loop, "/proc/self/mem"] {
            let result = await workplace.run(["run", path])
            #expect(result.errorOutput.hasPrefix("jsbridge: \(path): "))
            #expect(result.errorOutput.split(separator: "\n").count == 1)
            #expect(result.status == 66)
        }
        #expect(!workplace.exists("s.db"))
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("a missing file ends each command with the same status, which the help lists")
    func missingFile() async throws {
        let workplace = try Workplace()
        let missing = workplace.file("missing")
        let journal = workplace.file("good.journal")
        #expect(try await workplace.run(script: "1", "--record", journal).status == 0)
        let commands = [
            ["run", missing], ["check", missing], ["replay", missing],
            ["replay", "--shrink", workplace.file("o"), "--when", missing, journal],
        ]
        for command in commands {
            let result = await workplace.run(command)
            #expect(result.status == 66, "\(command): \(result.errorOutput)")
            #expect(result.errorOutput.contains(missing) && result.output.isEmpty, "\(result.errorOutput)")
        }
        let help = await workplace.run(["--help"]).output
        for status in ["0", "1", "2", "66", "74", "141"] {
            #expect(help.split(separator: "\n").contains { $0.split(separator: " ").first == status[...] })
        }
    }

    @Test("a file that is not a database is left unchanged as a store, and the script does not run")
    func notADatabase() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("console.log('ran')", to: "x.js")
        let text = String(repeating: "This is a letter, not a database.\n", count: 100)
        let letter = try workplace.write(text, to: "letter.txt")
        let result = await workplace.run(["run", "--store", letter, script])
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errorOutput == "jsbridge: \(letter) is not a database\n")
        #expect(try String(contentsOfFile: letter, encoding: .utf8) == text)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workplace.path).sorted() == [
                "letter.txt", "tmp", "x.js",
            ]
        )
    }

    @Test("a store that cannot be opened is an error with its name and the reason")
    func unopenableStore() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("console.log('ran')", to: "x.js")
        for store in [workplace.path, workplace.file("none/s.db"), "\(script)/s.db"] {
            let result = await workplace.run(["run", "--store", store, script])
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
            #expect(result.errorOutput.hasPrefix("jsbridge: "))
            #expect(result.errorOutput.contains(store))
            #expect(result.errorOutput.split(separator: "\n").count == 1)
        }
        let result = await workplace.run(["run", script], environment: ["TMPDIR": workplace.file("none")])
        let message =
            "cannot create a temporary store in \(workplace.file("none")): No such file or directory"
        #expect(result.errorOutput == "jsbridge: \(message)\n")
        #expect(result.status == 1)
    }

    @Test("a wrong line of a file is an error with the line, and the store is unchanged")
    func wrongLines() async throws {
        let workplace = try Workplace()
        try workplace.write("name,age\nAda,36\nGrace\n", to: "short.csv")
        try workplace.write("name,age\nAda,36\nGrace,many\n", to: "number.csv")
        let store = workplace.file("kept.db")
        let setUp = try workplace.write(
            """
            bridge.store().createEntity('person', { name: 'string', age: 'integer' });
            bridge.store().insert('person', { name: 'Alan', age: 41 });
            """,
            to: "setup.js"
        )
        #expect(await workplace.run(["run", "--store", store, setUp]).status == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        for name in ["short.csv", "number.csv"] {
            let script = try workplace.write(
                "\n  bridge.store().importCSV('\(name)', { entity: 'person' });",
                to: "import.js"
            )
            for columns in [nil, 80] {
                let result = await workplace.run(["run", "--store", store, script], terminalColumns: columns)
                #expect(result.status == 1)
                let messages = result.errorOutput.split(separator: "\r\u{1B}[K").last ?? ""
                #expect(messages.hasPrefix("\(script):2:27: "))
                #expect(messages.contains("\(workplace.file(name)):3: "))
                #expect(
                    messages.contains("> 2 |   bridge.store().importCSV('\(name)', { entity: 'person' });\n")
                )
                #expect(!result.errorOutput.contains("rows in"))
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    }

    @Test("a missing file to import is an error with its name, and no entity is created")
    func missingImport() async throws {
        let workplace = try Workplace()
        let result = try await workplace.run(
            script: """
                try { bridge.store().importCSV("none.csv", { entity: "person" }) }
                catch (error) { console.log(error.code, error.message.includes("none.csv"), bridge.store().entities) }
                """
        )
        #expect(result.output == "store.cannotOpen true {}\n")
        #expect(result.status == 0)
    }
}
