import BridgeProtocol
import JavaScriptEngine
import Testing

@testable import BridgeCommands

@Suite struct ArgumentTests {
    struct Reading: CustomTestStringConvertible, Sendable {
        let arguments: String
        let expected: Invocation
        var testDescription: String { "jsbridge \(arguments)" }

        init(_ arguments: String, _ expected: Invocation) {
            self.arguments = arguments
            self.expected = expected
        }
    }

    private static func run(
        _ script: String,
        _ arguments: [String] = [],
        store: RunOptions.Store = .temporary,
        isShared: Bool = false,
        timeLimit: Duration? = .seconds(30),
        isolation: JavaScriptRuntime.Isolation = .default,
        trace: RunOptions.Trace? = nil
    ) -> Invocation {
        var options = RunOptions(script: script == "-" ? .standardInput : .file(script))
        options.arguments = arguments
        options.store = store
        options.isShared = isShared
        options.timeLimit = timeLimit
        options.isolation = isolation
        options.trace = trace
        return .run(options)
    }

    static let readings = [
        Reading("--help", .help(.overview)),
        Reading("-h", .help(.overview)),
        Reading("help", .help(.overview)),
        Reading("help help", .help(.overview)),
        Reading("help run", .help(.run)),
        Reading("help --help", .help(.overview)),
        Reading("run --help", .help(.run)),
        Reading("run x.js -h", .help(.run)),
        Reading("--help run", .help(.run)),
        Reading("--version", .version(isVerbose: false)),
        Reading("-V", .version(isVerbose: false)),
        Reading("--version --verbose", .version(isVerbose: true)),
        Reading("--verbose --version", .version(isVerbose: true)),
        Reading("--version --help", .help(.overview)),
        Reading("run x.js", run("x.js")),
        Reading("run -", run("-")),
        Reading("run x.js a b", run("x.js", ["a", "b"])),
        Reading("run x.js -", run("x.js", ["-"])),
        Reading("run --store s.db x.js", run("x.js", store: .file("s.db"))),
        Reading("run --store=s.db x.js", run("x.js", store: .file("s.db"))),
        Reading("run x.js --store s.db a", run("x.js", ["a"], store: .file("s.db"))),
        Reading("run --store=-odd x.js", run("x.js", store: .file("-odd"))),
        Reading("run --store=a=b x.js", run("x.js", store: .file("a=b"))),
        Reading("run --store :memory: x.js", run("x.js", store: .memory)),
        Reading("run x.js -- --store a --store b", run("x.js", ["--store", "a", "--store", "b"])),
        Reading("run --shared --store s.db x.js", run("x.js", store: .file("s.db"), isShared: true)),
        Reading("run --time-limit 2 x.js", run("x.js", timeLimit: .seconds(2))),
        Reading("run --time-limit=0.25 x.js", run("x.js", timeLimit: .milliseconds(250))),
        Reading("run --time-limit 0 x.js", run("x.js", timeLimit: nil)),
        Reading("run --time-limit .00001 x.js", run("x.js", timeLimit: .milliseconds(1))),
        Reading("run --isolation thread x.js", run("x.js", isolation: .thread)),
        Reading("run --isolation=actor x.js", run("x.js", isolation: .actor)),
        Reading(
            "run --trace t.json x.js",
            run("x.js", trace: RunOptions.Trace(target: .file("t.json")))
        ),
        Reading(
            "run --trace-level messages --trace - --trace-format chrome x.js",
            run("x.js", trace: RunOptions.Trace(target: .errorOutput, format: .chrome, level: .messages))
        ),
        Reading("types", .types(.all)),
        Reading("types --schema", .types(.schema)),
        Reading("types --handlers", .types(.handlers)),
        Reading("help types", .help(.types)),
        Reading("engine-probe", .engineProbe(.summary)),
        Reading("engine-probe --json", .engineProbe(.json)),
        Reading("engine-probe --check --check", .engineProbe(.check)),
        Reading("engine-probe --write a.json", .engineProbe(.write("a.json"))),
        Reading("help engine-probe", .help(.engineProbe)),
        Reading("browse people.csv", .browse(BrowseOptions(file: "people.csv"))),
        Reading("browse -", .browse(BrowseOptions(file: "-"))),
        Reading("browse --format script -", .browse(BrowseOptions(file: "-", format: .script))),
        Reading("serve -", .serve(ServeOptions(table: BrowseOptions(file: "-")))),
        Reading(
            "browse --delimiter ; --still --follow --record a.cast store.db:airport",
            .browse(
                BrowseOptions(
                    file: "store.db:airport",
                    delimiter: ";",
                    recording: "a.cast",
                    isStill: true,
                    follows: true
                )
            )
        ),
        Reading("serve people.csv", .serve(ServeOptions(table: BrowseOptions(file: "people.csv")))),
        Reading(
            "serve --port 8080 --open --follow --group city --delimiter | store.db:airport",
            .serve(
                ServeOptions(
                    table: BrowseOptions(file: "store.db:airport", delimiter: "|", follows: true),
                    address: .port(8_080),
                    group: "city",
                    opensBrowser: true
                )
            )
        ),
        Reading(
            "serve --socket /tmp/page a.csv",
            .serve(ServeOptions(table: BrowseOptions(file: "a.csv"), address: .socket("/tmp/page")))
        ),
        Reading("help serve", .help(.serve)),
        Reading("serve -h", .help(.serve)),
        Reading("help browse", .help(.browse)),
        Reading("browse --help", .help(.browse)),
        Reading("engine-probe --help", .help(.engineProbe)),
        Reading("run -- -x.js --store", run("-x.js", ["--store"])),
        Reading("run x.js -- --store y -- z", run("x.js", ["--store", "y", "--", "z"])),
        Reading("run -- -", run("-")),
        Reading("-- run x.js", run("x.js")),
    ]

    @Test("arguments are parsed as Unix programs parse them", arguments: readings)
    func reading(_ reading: Reading) throws {
        #expect(try Invocation(reading.arguments.split(separator: " ").map(String.init)) == reading.expected)
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        let arguments: [String]
        let message: String
        let topic: HelpTopic
        var testDescription: String { "jsbridge \(arguments.joined(separator: " "))" }

        init(_ arguments: String, _ message: String, _ topic: HelpTopic = .run) {
            self.init(arguments.split(separator: " ").map(String.init), message, topic)
        }

        init(_ arguments: [String], _ message: String, _ topic: HelpTopic = .run) {
            self.arguments = arguments
            self.message = message
            self.topic = topic
        }
    }

    static let mistakes = [
        Mistake("", "a command is missing", .overview),
        Mistake("--verbose", "'--verbose' requires '--version'", .overview),
        Mistake("--version run", "'--version' cannot be combined with 'run'", .overview),
        Mistake("rum x.js", "unknown command 'rum' (did you mean 'run'?)", .overview),
        Mistake("xyzzy", "unknown command 'xyzzy'", .overview),
        Mistake("x.js", "unknown command 'x.js' (did you mean 'jsbridge run x.js'?)", .overview),
        Mistake("help xyzzy", "unknown command 'xyzzy'", .overview),
        Mistake(
            "--verison",
            "unknown option '--verison' (did you mean '--version' or '--verbose'?)",
            .overview
        ),
        Mistake("-x", "unknown option '-x'", .overview),
        Mistake("--version=2", "the option '--version' takes no value", .overview),
        Mistake("run", "a script is missing ('-' reads one from standard input, '-e CODE' is one)"),
        Mistake("run --", "a script is missing ('-' reads one from standard input, '-e CODE' is one)"),
        Mistake(["run", ""], "the name of the script is empty"),
        Mistake("run --stor s.db x.js", "unknown option '--stor' (did you mean '--store'?)"),
        Mistake("run --timelimit=2 x.js", "unknown option '--timelimit' (did you mean '--time-limit'?)"),
        Mistake("run x.js -5", "unknown option '-5'; put arguments of the script after '--'"),
        Mistake("run x.js --store", "the option '--store' needs a value: --store PATH"),
        Mistake(
            "run --store --time-limit 2 x.js",
            "the option '--store' needs a value, and '--time-limit' looks like an option: --store=PATH"
        ),
        Mistake("run --store= x.js", "the value of '--store' is empty"),
        Mistake(["run", "--store", "", "x.js"], "the value of '--store' is empty"),
        Mistake("run --store a --store b x.js", "the option '--store' is given twice"),
        Mistake("run --store=a x.js --store a", "the option '--store' is given twice"),
        Mistake("run --trace x --trace y x.js", "the option '--trace' is given twice"),
        Mistake(
            "run --trace x --trace-level calls --trace-level messages x.js",
            "the option '--trace-level' is given twice"
        ),
        Mistake(
            "run --trace x --trace-format json --trace-format json x.js",
            "the option '--trace-format' is given twice"
        ),
        Mistake("run --record a --record b x.js", "the option '--record' is given twice"),
        Mistake("run --time-limit 1 --time-limit 2 x.js", "the option '--time-limit' is given twice"),
        Mistake("run --isolation actor --isolation thread x.js", "the option '--isolation' is given twice"),
        Mistake(
            "check --dialect wvjb6 --dialect wvjb5 a.js",
            "the option '--dialect' is given twice",
            .check
        ),
        Mistake("replay --to 1 --to 2 a", "the option '--to' is given twice", .replay),
        Mistake("replay --shrink a --shrink b c", "the option '--shrink' is given twice", .replay),
        Mistake("replay --faults 1 --faults 2 a", "the option '--faults' is given twice", .replay),
        Mistake("run --shared x.js", "'--shared' needs '--store PATH': other processes open the same file"),
        Mistake(
            "run --shared --store :memory: x.js",
            "'--shared' needs '--store PATH': other processes open the same file"
        ),
        Mistake("run --shared=1 --store s.db x.js", "the option '--shared' takes no value"),
        Mistake("run --help=x", "the option '--help' takes no value"),
        Mistake("run --isolation fibre x.js", "'--isolation' is 'actor' or 'thread', not 'fibre'"),
        Mistake("run --time-limit=-1 x.js", timeLimitMessage("-1")),
        Mistake("run --time-limit nan x.js", timeLimitMessage("nan")),
        Mistake("run --time-limit 0x10 x.js", timeLimitMessage("0x10")),
        Mistake("run --time-limit 1e9 x.js", timeLimitMessage("1e9")),
        Mistake("run --time-limit 1.2.3 x.js", timeLimitMessage("1.2.3")),
        Mistake("run --time-limit 99999999 x.js", timeLimitMessage("99999999")),
        Mistake("run --trace-format json x.js", "'--trace-format' requires '--trace FILE'"),
        Mistake("run --trace-level calls x.js", "'--trace-level' requires '--trace FILE'"),
        Mistake(
            "run --trace t --trace-level statistics --trace-format chrome x.js",
            "the level 'statistics' requires the format 'json', not 'chrome'"
        ),
        Mistake(
            "run --trace t --trace-format xml x.js",
            "'--trace-format' is one of 'lines', 'json', 'chrome', not 'xml'"
        ),
        Mistake(
            "run --trace t --trace-level off x.js",
            "'--trace-level' is one of 'statistics', 'calls', 'messages', not 'off'"
        ),
        Mistake(
            "run --trace t --trace-format lines --trace-level calls x.js",
            "the format 'lines' requires the level 'messages'"
        ),
        Mistake("types x.js", "'types' takes no file, not 'x.js'", .types),
        Mistake("types --schema --handlers", "'--handlers' and '--schema' exclude each other", .types),
        Mistake("serve", "a file is missing", .serve),
        Mistake("serve --format csv -", "'--format' takes 'table' or 'script', not 'csv'", .serve),
        Mistake(
            "browse --format table --view x a.js",
            "'--store' and '--view' are for a script, and 'a.js' is not one",
            .browse
        ),
        Mistake("serve a.csv b.csv", "one file at a time, not also 'b.csv'", .serve),
        Mistake(
            "serve --port 70000 a.csv",
            "'--port' takes a number from 0 to 65535, not '70000'",
            .serve
        ),
        Mistake("serve --port=-1 a.csv", "'--port' takes a number from 0 to 65535, not '-1'", .serve),
        Mistake(
            "serve --port 1 --socket s a.csv",
            "'--port' and '--socket' exclude each other",
            .serve
        ),
        Mistake(
            "serve --open --socket s a.csv",
            "'--open' needs a port: a browser cannot open a Unix socket",
            .serve
        ),
        Mistake("serve --prot 1 a.csv", "unknown option '--prot' (did you mean '--port'?)", .serve),
        Mistake("browse", "a file is missing", .browse),
        Mistake("browse a.csv b.csv", "one file at a time, not also 'b.csv'", .browse),
        Mistake(
            "browse --delimiter \" a.csv",
            "'--delimiter' takes neither a quote nor a line end",
            .browse
        ),
        Mistake(
            "browse --delimiter ab a.csv",
            "'--delimiter' takes one ASCII character, or \\t; not 'ab'",
            .browse
        ),
        Mistake("browse --stil a.csv", "unknown option '--stil' (did you mean '--still'?)", .browse),
        Mistake("engine-probe x.json", "'engine-probe' takes no file, not 'x.json'", .engineProbe),
        Mistake(
            "engine-probe --json --check",
            "'--json', '--check' and '--write' exclude each other",
            .engineProbe
        ),
        Mistake("engine-probe --chek", "unknown option '--chek' (did you mean '--check'?)", .engineProbe),
        Mistake("types --shema", "unknown option '--shema' (did you mean '--schema'?)", .types),
        Mistake("replay", "a journal is missing", .replay),
        Mistake("replay a b", "one journal at a time, not also 'b'", .replay),
        Mistake("replay --to x a", "'--to' takes a number of entries, not 'x'", .replay),
        Mistake("replay --when divergence a", "'--when' requires '--shrink OUT'", .replay),
        Mistake(
            "replay --shrink o --to 3 a",
            "'--shrink' cannot be combined with '--to'",
            .replay
        ),
        Mistake(
            "replay --fault lose@3 a",
            "'--fault' takes drop, delay, duplicate, reorder, corrupt or reload, and a message: "
                + "drop@12; not 'lose@3'",
            .replay
        ),
        Mistake("replay --faults x a", "'--faults' takes a seed, an integer from 0, not 'x'", .replay),
        Mistake("replay --faults 1 --fault drop@1 a", "'--fault' and '--faults' exclude each other", .replay),
        Mistake("replay --fault drop@1 --faults 1 a", "'--fault' and '--faults' exclude each other", .replay),
        Mistake(
            "replay --fault drop@1 --to 2 a",
            "'--fault' cannot be combined with '--to' or '--shrink'",
            .replay
        ),
        Mistake(
            "replay --shrink o --when error: a",
            "'--when error:CODE' needs a code, such as error:handlerNotFound",
            .replay
        ),
        Mistake("replay --shrnk o a", "unknown option '--shrnk' (did you mean '--shrink'?)", .replay),
        Mistake("chek x.js", "unknown command 'chek' (did you mean 'check'?)", .overview),
        Mistake("check", "an implementation is missing ('-' reads one from standard input)", .check),
        Mistake(["check", ""], "the name of the implementation is empty", .check),
        Mistake("check a.js b.js", "one implementation at a time, not also 'b.js'", .check),
        Mistake(
            "check --dialect lison a.js",
            "unknown dialect 'lison' (did you mean 'lision'?)",
            .check
        ),
        Mistake(
            "check --dialect x a.js",
            "unknown dialect 'x': it is one of wvjb6, wvjb5, wvjb4, jsBridge, wendux, lision, kkjsBridge, dsBridge",
            .check
        ),
        Mistake("check --json --junit a.js", "'--json' and '--junit' exclude each other", .check),
        Mistake("check --only forty a.js", onlyMessage("forty"), .check),
        Mistake("check --only P4- a.js", onlyMessage("P4-"), .check),
        Mistake("check --only P9-P4 a.js", onlyMessage("P9-P4"), .check),
        Mistake("check --only P4-W9 a.js", onlyMessage("P4-W9"), .check),
        Mistake("check --only P4,,P5 a.js", onlyMessage("P4,,P5"), .check),
        Mistake("check --time-limit 0 a.js", "an implementation is never tested without a limit", .check),
        Mistake(
            "check --time-limit 1e3 a.js",
            "'--time-limit' takes seconds, such as 2.5, up to 1000000; not '1e3'",
            .check
        ),
        Mistake("check --jsn a.js", "unknown option '--jsn' (did you mean '--json'?)", .check),
        Mistake(["--\u{1B}[2J"], "unknown option '--\\u{1B}[2J'", .overview),
    ]

    private static func onlyMessage(_ value: String) -> String {
        "'--only' takes numbers such as P40, P40-P45 or P40,W2; not '\(value)'"
    }

    private static func timeLimitMessage(_ value: String) -> String {
        "'--time-limit' takes seconds, such as 2.5, up to 1000000, and 0 for no limit; not '\(value)'"
    }

    @Test("invalid arguments get a message, the usage and exit status 2", arguments: mistakes)
    func mistake(_ mistake: Mistake) async throws {
        let result = try await Workplace().run(mistake.arguments)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        let topic = mistake.topic
        let expected = "jsbridge: \(mistake.message)\n\(topic.usage)\nsee '\(topic.helpCommand)'\n"
        #expect(result.errorOutput == expected)
    }

    @Test("an argument that is not UTF-8 is rejected: repaired it would name another file")
    func notText() async throws {
        let workplace = try Workplace()
        let line = "\"$0\" check \"$1/inv$(printf '\\377').js\""
        let arguments = ["-c", line, RunningProcess.built("jsbridge"), workplace.path]
        let ending = try await RunningProcess("/bin/sh", arguments, in: workplace).end()
        #expect(ending.status == 2)
        let message = "jsbridge: an argument is not UTF-8 text: '\(workplace.path)/inv\u{FFFD}.js'\n"
        #expect(ending.errorOutput.hasPrefix(message), "\(ending.errorOutput)")
        #expect(ending.output.isEmpty)
    }

    @Test("help and version go to standard output with exit status 0")
    func help() async throws {
        let workplace = try Workplace()
        for (topic, arguments) in [
            (HelpTopic.overview, ["--help"]), (.run, ["help", "run"]), (.check, ["check", "-h"]),
            (.types, ["types", "--help"]), (.replay, ["help", "replay"]), (.replay, ["replay", "-h"]),
        ] {
            let result = await workplace.run(arguments)
            #expect(result.status == 0)
            #expect(result.errorOutput.isEmpty)
            #expect(result.output == topic.text + "\n")
        }
        let version = await workplace.run(["--version"])
        #expect(version.output == "jsbridge \(ProductVersion.current)\n")
        let verbose = await workplace.run(["--version", "--verbose"])
        #expect(verbose.output.hasPrefix(version.output + "engine: JavaScriptCore 2."))
        #expect(verbose.output.contains("\ncall path: "))
    }

    @Test("help fits a terminal of 84 columns and has every option")
    func helpText() {
        for topic in HelpTopic.allCases {
            #expect(!topic.text.split(separator: "\n").contains { $0.count > 84 })
        }
        for option in [
            "--record FILE", "--store PATH", "--time-limit SECONDS", "--trace FILE", "--trace-format FORM",
            "--help",
        ] {
            #expect(HelpTopic.run.text.contains(option))
        }
        for option in ["--dialect NAME", "--only NUMBERS", "--json", "--junit", "--verbose", "--help"] {
            #expect(HelpTopic.check.text.contains(option))
        }
    }

    @Test("the verbose version has a line for each capability, with its availability and consequence")
    func verboseVersion() {
        let lines = ProductVersion.lines(of: .current)
        for name in [
            "engine", "call path", "configured", "polling traps", "promise floods", "WebAssembly",
            "weak references",
            "collector",
        ] {
            #expect(lines.count { $0.hasPrefix("\(name): ") } == 1, "\(name)")
        }
        #expect(lines.contains("polling traps: yes, loops are stopped at the time limit"))
        #expect(lines.contains("WebAssembly: no, as the time limit could not stop it"))
    }
}
