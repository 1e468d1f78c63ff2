extension HelpTopic {
    /// The usage of the command in one line.
    var usage: String {
        switch self {
        case .overview:
            "usage: jsbridge run FILE | -e CODE | test PATH | repl | browse FILE | serve FILE | check FILE | replay FILE | profile FILE | heap FILE | init FOLDER | types | engine-probe | help [COMMAND] | --version"
        case .run: "usage: jsbridge run [OPTION...] FILE [--] [ARGUMENT...]"
        case .test: "usage: jsbridge test [OPTION...] [PATH...]"
        case .check: "usage: jsbridge check [OPTION...] FILE"
        case .types: "usage: jsbridge types [--handlers | --schema]"
        case .replay: "usage: jsbridge replay [OPTION...] FILE"
        case .engineProbe: "usage: jsbridge engine-probe [--json | --check | --write FILE]"
        case .browse: "usage: jsbridge browse [OPTION...] FILE | STORE:ENTITY"
        case .repl: "usage: jsbridge repl [OPTION...]"
        case .serve: "usage: jsbridge serve [OPTION...] FILE | STORE:ENTITY"
        case .profile: "usage: jsbridge profile [OPTION...] FILE"
        case .heap: "usage: jsbridge heap [OPTION...] [BEFORE] FILE"
        case .initialize: "usage: jsbridge init [--swift [--package-path PATH]] FOLDER"
        }
    }

    /// The command that prints the full help.
    var helpCommand: String {
        switch self {
        case .overview: "jsbridge --help"
        case .run: "jsbridge help run"
        case .test: "jsbridge help test"
        case .check: "jsbridge help check"
        case .types: "jsbridge help types"
        case .replay: "jsbridge help replay"
        case .engineProbe: "jsbridge help engine-probe"
        case .browse: "jsbridge help browse"
        case .serve: "jsbridge help serve"
        case .initialize: "jsbridge help init"
        case .repl: "jsbridge help repl"
        case .profile: "jsbridge help profile"
        case .heap: "jsbridge help heap"
        }
    }

    /// The full help.
    var text: String {
        switch self {
        case .overview: Self.overviewText
        case .run: Self.runText
        case .test: Self.testText
        case .check: Self.checkText
        case .types: Self.typesText
        case .replay: Self.replayText
        case .engineProbe: Self.engineProbeText
        case .browse: Self.browseText
        case .serve: Self.serveText
        case .initialize: Self.initializeText
        case .repl: Self.replText
        case .profile: Self.profileText
        case .heap: Self.heapText
        }
    }

    private static let overviewText = """
        Runs JavaScript that reads and drives live data sources over an embedded store.

        usage: jsbridge run FILE                 run a script
               jsbridge -e CODE                  run a script from the command line
               jsbridge repl                     evaluate what is typed
               jsbridge test [PATH...]           run the tests of scripts
               jsbridge browse FILE              show a table in the terminal
               jsbridge serve FILE               show a table in a browser
               jsbridge check FILE               test an implementation of the protocol
               jsbridge replay FILE              run a recorded script again, and compare
               jsbridge profile FILE             show the functions of a CPU profile
               jsbridge heap FILE                show the objects of a heap snapshot
               jsbridge init FOLDER              begin a plugin
               jsbridge types                    print the API of scripts, for editors
               jsbridge engine-probe             check the engine's library
               jsbridge help [COMMAND]           print this page, or the one about a command
               jsbridge --version [--verbose]    print the version, or also the engine's

        Exit status:
            0  success; for 'run' the number that the script's 'main' returns, if any
            1  the script, or something that it needs, failed; 'test': a test failed;
               'check': a rule is broken;
               'replay': the script does something else than in the journal
            2  the arguments are invalid, or are not UTF-8
           66  an input file cannot be read
           74  standard output, or a requested file, could not be written
          141  the reader of standard output has gone, as in a pipe to 'head'
        A process that a signal ends has the status that shells show for it.
        """

    private static let runText = """
        Runs a script with a bridge to Swift and a store for its data.

        usage: jsbridge run [OPTION...] FILE [--] [ARGUMENT...]

          FILE                  the script; '-' reads it from standard input. A page, whose
                                name ends in '.html', is loaded with its scripts
          -e, --eval CODE       the script itself, instead of FILE
          --module              FILE is an ES module. One whose name ends in '.mjs' is, and
                                a script that cannot be parsed without 'import', 'export'
                                or a top-level 'await'. So is TypeScript, '.ts' or '.mts',
                                which needs Debian's package node-typescript
          --module-root FOLDER  the folder below which modules are imported: by default the
                                nearest one above FILE with a 'package.json', or else the
                                folder of FILE
          --import-map FILE     the modules for names, as JSON:
                                { "imports": { "name": "./file.js" } }
          --watch               load the script again when it or a module that it imports
                                changes: a module with its dependants, whose old versions
                                remain if a new one throws; another script in a new
                                context. Files that are saved together are one reload.
                                'main' is called again after it has ended; a new one waits
                                for the end of one that is running
          --dialect NAME        FILE was written for a web view, with the names of this
                                dialect: wvjb6 (the default for pages), wvjb5, wvjb4,
                                jsBridge, wendux, lision, kkjsBridge, dsBridge
          ARGUMENT...           the arguments of the script; those that begin with a dash
                                must follow '--'
          --store PATH          keep the store in this file, which is created if it does
                                not exist; ':memory:' keeps it in memory. By default the
                                store is a new file that is removed at the end
          --shared              other processes write to the store as well. Listeners are
                                notified of their commits row by row, and the other way
                                round if they use --shared too. Each changed row is then
                                written twice
          --isolation KIND      the threads of the script: 'actor', those that all of
                                Swift shares (the default), or 'thread', one of its own,
                                which finalization registries need
          --inspect[=PORT]      let a debugger attach on this port of the local machine
                                (9229; 0 takes any): a client of the Debug Adapter
                                Protocol, such as an editor, with the token that is
                                printed. It can do all that the script can. The script
                                runs without the optimizing compilers, on a thread of
                                its own. Only with version 2.50 of the library, on
                                x86-64
          --inspect-brk[=PORT]  the same; the script waits for the debugger, and stops at
                                its first statement
          --cpu-profile FILE    record which functions the time was spent in, and write it
                                when the script ends, or is ended by a limit or Ctrl-C:
                                for 'jsbridge profile', VS Code, Chrome and speedscope
          --heap-snapshot FILE  write all objects that are left at the end: for
                                'jsbridge heap', VS Code and Chrome
          --coverage DIR        write which lines and functions have run to lcov.info in
                                this folder, and a table to standard error
          --record FILE         record all traffic between the script and Swift, for
                                'jsbridge replay', without secrets. A file that another
                                run is writing is rejected, also with --trace
          --time-limit SECONDS  stop a script that takes this much processor time in one
                                turn (30; 0 means no limit)
          --memory-limit SIZE   stop a script whose heap is larger than this: 512M, 4G
                                (2G; 0 means no limit)
          --tier TIER           the trust in the script: 'trusted' (the default), or
                                'constrained': limits of time and memory, no eval, and
                                no access to the host that is not allowed
          --allow-handler NAME  allow a handler or a topic; a '*' at the end matches any
                                rest
          --allow-read DATA, --allow-observe, --allow-insert, --allow-update,
          --allow-delete, --allow-schema, --allow-import, --allow-export
                                allow an operation on data: ENTITY, ENTITY(ATTRIBUTE,...),
                                and either with '?' and a condition on rows, as JSON in the
                                form of 'where': --allow-read 'airport?{"country":"FR"}'
          --allow-read=PATH[,PATH], --allow-write=PATH[,PATH]
                                allow 'bridge:fs' to read or write these files, or all that
                                is below these folders. A PATH of --allow-read has a slash,
                                as './data'
          --allow-env[=NAME,NAME]
                                show these environment variables in 'bridge:process', or
                                all of them
          --no-prompt           deny files and variables that are not allowed without a
                                question; by default 'run' asks on a terminal
          --deny-read=PATH[,PATH], --deny-write=PATH[,PATH], --deny-env=NAME[,NAME]
                                deny 'bridge:fs' these files and folders, and
                                'bridge:process' these variables, even if allowed.
                                In these lists ',,' is a comma of a name
          --allow-files FOLDER  allow importCSV to read the regular files below a folder
          --deny-handler NAME, --deny-read DATA, ..., --deny-files FOLDER
                                deny it, even if it is allowed. Without rules for handlers
                                and data a trusted script may use them all; the first one
                                that allows denies the others. Files and variables are
                                always denied unless allowed. Each option may be given
                                more than once
          --audit FILE          record denials, a JSON object in each line; '-' writes
                                them to standard error
          --trace FILE          trace the traffic between the script and Swift; '-'
                                writes it to standard error
          --trace-format FORM   the format: 'json', an object in each line (the default);
                                'chrome', for a browser's or Perfetto's viewer; 'lines',
                                the messages as 'WVJB SEND: ...' and 'WVJB RCVD: ...'
          --trace-level LEVEL   the detail: 'statistics', numbers for each handler at the
                                end, in the format json; 'calls' (the default);
                                'messages', also their text without secrets (the default
                                with 'lines')
          -h, --help            print this page

        The script can use:
          bridge.store()
              the store: createEntity, importCSV, transaction, insert, fetch and more.
              Relative paths of importCSV start at the folder of FILE; it reads
              regular files only
          await bridge.callHandler('jsbridge.environment', { variables: ['HOME'] })
              its environment: { version, engine: { version, callPath }, script, arguments,
              store: { kind, path }, variables }
          bridge.registerHandler('main', ({ arguments, store }) => { ... })
              a handler that is called once, after the code of FILE has run. An integer
              from 0 to 255 that it returns, or resolves to, is the exit status
          import, export, import()
              ES modules: paths that begin with './', '../' or '/', JSON with
              'with { type: "json" }', text and bytes, packages of 'node_modules', and
              CommonJS; built in are 'bridge:core', 'bridge:data', 'bridge:fs',
              'bridge:process' and 'bridge:handlers/GROUP'
          console, setTimeout, setInterval, queueMicrotask
              console.warn and console.error write to standard error. On a terminal
              values have colors, unless NO_COLOR is set
          Intl, toLocaleString
              in the language of LC_ALL, LC_CTYPE or LANG, the first that is set
          console.chart(WHAT, 'column' or { column, title, limit, width })
              draws a bar chart: a change set's counts, the distribution of a column of
              rows (numbers by range, strings by frequency), or numbers by name

        The run ends when no timer, no call and no listener is left. An uncaught error,
        also in a promise or in 'main', ends it immediately with exit status 1; the
        message has file, line and column. The status is 66 if FILE cannot be read, and 74
        if standard output, or the file of --record or --trace, could not be written
        although the script succeeded.

        During an import, standard error shows a progress bar if it is a terminal, and
        otherwise one line for each file.
        """

    private static let checkText = """
        Tests any implementation of the script's side of the protocol, in any dialect: runs
        the protocol's rules against it, each in a page of its own, and prints a report.

        usage: jsbridge check [OPTION...] FILE

          FILE                  the implementation, a script that defines the dialect's
                                global in a page, or a page with it; '-' reads a script
                                from standard input
          --dialect NAME        its dialect of the protocol: wvjb6 (the default), wvjb5,
                                wvjb4, jsBridge, wendux, lision, kkjsBridge, dsBridge
          --only NUMBERS        only the rules with these numbers: P40, P40-P45, P40,W2;
                                may be given more than once
          --json                print the report as a JSON object
          --junit               print it as JUnit XML
          --verbose             print the details of failed vectors of B and W rules too
          --time-limit SECONDS  the maximum processor time of one step (2)
          -h, --help            print this page

        A rule is marked K ('kept') if it is the behavior of WebViewJavascriptBridge, B
        ('fixed') if it fixes a bug of it, W ('extended') if it extends the protocol. A
        failed vector of a B rule is 'as the original' if the implementation has the bug
        of WebViewJavascriptBridge and no other.

        The page has window, a document whose frames carry signals, console, timers that
        the test controls, and the functions by which the dialects call their native
        side. An implementation that loops, floods or cannot be loaded is reported and
        ends the test early: after 3 vectors that were stopped, or 60 seconds of
        processor time, the rest is not run.

        Exit status: 0 if all K rules hold, 1 if one is broken or the implementation
        cannot be loaded, 2 if the arguments are invalid or no rule has the numbers, 66
        if FILE cannot be read, 74 if the report cannot be written.
        """

    private static let typesText = """
        Prints the API of a script of 'jsbridge run' as TypeScript declarations: the
        bridge, the globals, the data API, and the program's handlers with the types of
        their requests and responses.

        usage: jsbridge types [OPTION...]

          --handlers            print the handlers only, for use beside the package's own
                                declarations (JS/types)
          --schema              print the handlers as JSON Schema: an object with 'request'
                                and 'response' for each name
          -h, --help            print this page

        With the declarations beside a script, an editor or 'tsc --checkJs' reports calls
        of missing handlers, and calls with data of another shape, before the script is
        run:

          jsbridge types > jsbridge.d.ts
          tsc --checkJs --noEmit --strictNullChecks -t es2022 --lib es2022 --types " " \\
            jsbridge.d.ts my.js

        Without --strictNullChecks, 'tsc' accepts data that is missing or null. No other
        types are loaded, because those of Node and browsers declare the same names. For
        editors, put the same options into a 'jsconfig.json' beside the script:

          { "compilerOptions": { "checkJs": true, "strictNullChecks": true,
              "target": "es2022", "lib": ["es2022"], "types": [] } }

        Your own program can print its handlers with Bridge.typeDeclarations.
        """
}
