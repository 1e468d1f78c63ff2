extension HelpTopic {
    /// How to call it, in a line.
    var usage: String {
        switch self {
        case .overview:
            "usage: jsbridge run FILE | -e CODE | check FILE | replay FILE | types | engine-probe | help [COMMAND] | --version"
        case .run: "usage: jsbridge run [OPTION...] FILE [--] [ARGUMENT...]"
        case .check: "usage: jsbridge check [OPTION...] FILE"
        case .types: "usage: jsbridge types [--handlers | --schema]"
        case .replay: "usage: jsbridge replay [OPTION...] FILE"
        case .engineProbe: "usage: jsbridge engine-probe [--json | --check | --write FILE]"
        }
    }

    /// The command that tells more.
    var helpCommand: String {
        switch self {
        case .overview: "jsbridge --help"
        case .run: "jsbridge help run"
        case .check: "jsbridge help check"
        case .types: "jsbridge help types"
        case .replay: "jsbridge help replay"
        case .engineProbe: "jsbridge help engine-probe"
        }
    }

    /// All there is to know.
    var text: String {
        switch self {
        case .overview: Self.overviewText
        case .run: Self.runText
        case .check: Self.checkText
        case .types: Self.typesText
        case .replay: Self.replayText
        case .engineProbe: Self.engineProbeText
        }
    }

    private static let overviewText = """
        Runs JavaScript that reads and drives live data sources over an embedded store.

        usage: jsbridge run FILE                 run a script
               jsbridge -e CODE                  run a script of a few words
               jsbridge check FILE               test an implementation of the protocol
               jsbridge replay FILE              run a recorded script again, and compare
               jsbridge types                    print what a script finds, for editors
               jsbridge engine-probe             check the engine's library
               jsbridge help [COMMAND]           print this page, or the one about a command
               jsbridge --version [--verbose]    print the version, or also the engine's

        Exit status:
            0  all went well; of 'run' with a script whose 'main' gives a number, that
            1  the script, or what it needs, failed; 'check': a rule is broken; 'replay':
               the script does not do what it did
            2  the arguments make no sense, or are not UTF-8 text
           66  a file that the command is given cannot be read
           74  standard output, or a file that was asked for, could not be written
          141  the reader of standard output has gone, as of a pipe to 'head'
        A process that a signal ends has the status that shells show for it.
        """

    private static let runText = """
        Runs a script with a bridge to Swift and a store for its data.

        usage: jsbridge run [OPTION...] FILE [--] [ARGUMENT...]

          FILE                  the script; '-' reads it from standard input. A page, whose
                                name ends in '.html', is loaded with its scripts
          -e, --eval CODE       the script itself, in the place of FILE
          --dialect NAME        FILE was written for a web view, with the names of this
                                dialect: wvjb6 (that of pages unless named), wvjb5, wvjb4,
                                jsBridge, wendux, lision, kkjsBridge, dsBridge
          ARGUMENT...           what the script gets as arguments; those that begin with
                                a dash go after '--'
          --store PATH          keep the store in this file, which is made if it is not
                                there; ':memory:' keeps it in no file. Without it the
                                store is a fresh file that is removed at the end
          --shared              other processes write to the store as well: listeners hear
                                of their commits row by row, and they of this run's, if
                                they are run with it too. Each changed row is written
                                twice then
          --isolation KIND      where the script runs: 'actor', on the threads that all
                                of Swift shares (the default), or 'thread', on one of
                                its own, which finalization registries need
          --record FILE         write down all that crosses between the script and Swift,
                                for 'jsbridge replay'; secrets are left out. A file that
                                another run is writing is refused, with --trace too
          --time-limit SECONDS  stop a script that takes this much processor time in one
                                turn (30; 0 means never)
          --memory-limit SIZE   stop a script whose heap holds more than this: 512M, 4G
                                (2G; 0 means any size)
          --tier TIER           how far the script is trusted: 'trusted' (the default), or
                                'constrained': limits of time and memory, no eval, and
                                nothing of the host that is not allowed
          --allow-handler NAME  allow a handler or a topic; a '*' at the end stands for any
                                rest
          --allow-read DATA, --allow-observe, --allow-insert, --allow-update,
          --allow-delete, --allow-schema, --allow-import, --allow-export
                                allow an operation on data: ENTITY, ENTITY(ATTRIBUTE,...),
                                and either with '?' and a condition on rows, as JSON in the
                                form of 'where': --allow-read 'airport?{"country":"FR"}'
          --allow-files FOLDER  allow importCSV to read the regular files below a folder
          --deny-handler NAME, --deny-read DATA, ..., --deny-files FOLDER
                                deny it, whatever is allowed. What is not allowed is denied
                                as soon as one --allow is given; each may be given more
                                than once
          --audit FILE          write down what was denied, an object of JSON in each line;
                                '-' writes it to standard error
          --trace FILE          write down what crosses between the script and Swift; '-'
                                writes it to standard error
          --trace-format FORM   how: 'json', an object in each line (the default);
                                'chrome', for a browser's or Perfetto's viewer; 'lines',
                                the messages as 'WVJB SEND: ...' and 'WVJB RCVD: ...'
          --trace-level LEVEL   how much: 'statistics', figures for each handler at the
                                end, in the form json; 'calls' (the default); 'messages',
                                their text too, without secrets (with 'lines' the default)
          -h, --help            print this page

        What the script has:
          bridge.store()
              the store: createEntity, importCSV, transaction, insert, fetch and more.
              Relative paths of importCSV start at the folder of FILE; it reads
              regular files alone
          await bridge.callHandler('jsbridge.environment', { variables: ['HOME'] })
              what it runs in: { version, engine: { version, lane }, script, arguments,
              store: { kind, path }, variables }
          bridge.registerHandler('main', ({ arguments, store }) => { ... })
              is called once, when the text of FILE has run. An integer from 0 to 255
              that it returns, or that its promise gives, is the exit status
          console, setTimeout, setInterval, queueMicrotask
              console.warn and console.error write to standard error. On a terminal
              values have colors, unless NO_COLOR is set
          Intl, toLocaleString
              speak the language of LC_ALL, LC_CTYPE or LANG, the first that is set
          console.chart(WHAT, 'column' or { column, title, limit, width })
              draws bars: a change set's counts, how a column of rows is spread (numbers
              by range, texts by how often they come), numbers by name

        The run ends when no timer, no call and no listener is left. An error that nobody
        catches, in a promise or in 'main' too, ends it at once with exit status 1; the
        message names file, line and column. 66 says that FILE cannot be read, 74 that
        standard output, or the file of --record or --trace, could not be written while
        the script went well.

        While a file is imported, standard error shows a progress bar if it is a terminal,
        and else gets one line for each file.
        """

    private static let checkText = """
        Tests any implementation of the script's side of the protocol, in any dialect: runs
        the protocol's rules against it, each in a page of its own, and prints a report.

        usage: jsbridge check [OPTION...] FILE

          FILE                  the implementation, a script that puts the dialect's global
                                into a page, or the page that has it; '-' reads a script
                                from standard input
          --dialect NAME        how it spells the protocol: wvjb6 (the default), wvjb5,
                                wvjb4, jsBridge, wendux, lision, kkjsBridge, dsBridge
          --only NUMBERS        only the rules of these numbers: P40, P40-P45, P40,W2; may
                                be given more than once
          --json                print the report as a JSON object
          --junit               print it as JUnit XML
          --verbose             tell also in full what failed of mended rules (B) and of
                                extensions (W)
          --time-limit SECONDS  how much processor time one step may take (2)
          -h, --help            print this page

        A rule is marked K when the ancestor's behaviour is kept, B when a mistake of the
        ancestor is mended, W when it extends the protocol. A vector of a B rule that
        fails is 'as the ancestor' where the implementation makes the ancestor's mistake
        and no other.

        The page has window, a document whose frames carry signals, console, timers that
        run when the test says so, and the functions by which the dialects reach their
        native side. An implementation that loops, floods or cannot be loaded is reported
        and ends the test early: after 3 vectors that were stopped, or 60 seconds of
        processor time, the rest is not run.

        Exit status: 0 when all K rules hold, 1 when one is broken or the implementation
        cannot be loaded, 2 when the arguments make no sense or no rule has the numbers,
        66 when FILE cannot be read, 74 when the report cannot be written.
        """

    private static let typesText = """
        Prints what a script of 'jsbridge run' finds, as declarations of TypeScript: the
        bridge, the globals, the data API, and the program's handlers with the types of
        what they take and give.

        usage: jsbridge types [OPTION...]

          --handlers            print the handlers alone, for use beside the package's own
                                declarations (JS/types)
          --schema              print the handlers as JSON Schema: an object with 'request'
                                and 'response' for each name
          -h, --help            print this page

        With the declarations beside a script, an editor or 'tsc --checkJs' reports a call
        of a handler that is not there, and one with data of another shape, before the
        script is run:

          jsbridge types > jsbridge.d.ts
          tsc --checkJs --noEmit --strictNullChecks -t es2022 --lib es2022 --types " " \\
            jsbridge.d.ts my.js

        Without --strictNullChecks, data that is missing or null is fine with 'tsc'; and
        no types but these are loaded, as those of Node and browsers declare the same
        names. For editors the same stands in a 'jsconfig.json' beside the script:

          { "compilerOptions": { "checkJs": true, "strictNullChecks": true,
              "target": "es2022", "lib": ["es2022"], "types": [] } }

        A program of your own prints its handlers with Bridge.typeDeclarations.
        """
}
