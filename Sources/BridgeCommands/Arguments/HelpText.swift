extension HelpTopic {
    /// How to call it, in a line.
    var usage: String {
        switch self {
        case .overview: "usage: jsbridge run FILE | help [run] | --version"
        case .run: "usage: jsbridge run [--store PATH] [--time-limit SECONDS] FILE [--] [ARGUMENT...]"
        }
    }

    /// The command that tells more.
    var helpCommand: String {
        switch self {
        case .overview: "jsbridge --help"
        case .run: "jsbridge help run"
        }
    }

    /// All there is to know.
    var text: String {
        switch self {
        case .overview: Self.overviewText
        case .run: Self.runText
        }
    }

    private static let overviewText = """
        Runs JavaScript that reads and drives live data sources over an embedded store.

        usage: jsbridge run FILE             run a script; 'jsbridge help run' tells more
               jsbridge help [run]           print this page, or the one about 'run'
               jsbridge --version [--verbose]
                                             print the version; with --verbose also the engine's

        Exit status: 0 when all went well, 1 when the script or something it needs failed,
        2 when the arguments make no sense.
        """

    private static let runText = """
        Runs a script with a bridge to Swift and a store for its data.

        usage: jsbridge run [--store PATH] [--time-limit SECONDS] FILE [--] [ARGUMENT...]

          FILE                  the script; '-' reads it from standard input
          ARGUMENT...           what the script gets as arguments; '--' before those that begin with a dash
          --store PATH          keep the store in this file, which is made if it is not there. Without it the
                                store is a fresh file that is removed at the end. ':memory:' makes none
          --time-limit SECONDS  stop the script when one turn takes this much processor time (30; 0: never)
          -h, --help            print this page

        What the script has:
          bridge.store('default')   the store: createEntity, importCSV, transaction, fetch. Relative paths of
                                    importCSV start at the folder of FILE
          console, setTimeout, setInterval, queueMicrotask
                                    console.warn and console.error write to standard error
          await bridge.callHandler('jsbridge.environment', { variables: ['HOME'] })
                                    what it runs in: { version, engine: { version, lane }, script, arguments,
                                    store: { kind, path }, variables }
          bridge.registerHandler('main', ({ arguments, store }) => { ... })
                                    called once, when FILE has run. An integer from 0 to 255 that it returns, or
                                    that its promise gives, is the exit status

        The run ends when no timer, no call and no listener is left. An error that nobody catches, in a promise
        too, ends it at once: the message says file, line and column, and the exit status is 1.

        While a file is imported, standard error shows a progress bar on a terminal, and else one line a file.
        """
}
