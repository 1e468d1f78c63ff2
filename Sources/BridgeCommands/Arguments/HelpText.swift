extension HelpTopic {
    /// How to call it, in a line.
    var usage: String {
        switch self {
        case .overview: "usage: jsbridge run FILE | help [run] | --version"
        case .run: "usage: jsbridge run [OPTION...] FILE [--] [ARGUMENT...]"
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

        usage: jsbridge run FILE                 run a script
               jsbridge help [run]               print this page, or the one about 'run'
               jsbridge --version [--verbose]    print the version, or also the engine's

        Exit status: 0 when all went well; 1 when the script, or what it needs, failed;
        2 when the arguments make no sense.
        """

    private static let runText = """
        Runs a script with a bridge to Swift and a store for its data.

        usage: jsbridge run [OPTION...] FILE [--] [ARGUMENT...]

          FILE                  the script; '-' reads it from standard input
          ARGUMENT...           what the script gets as arguments; those that begin with
                                a dash go after '--'
          --store PATH          keep the store in this file, which is made if it is not
                                there; ':memory:' keeps it in no file. Without it the
                                store is a fresh file that is removed at the end
          --isolation KIND      where the script runs: 'actor', on the threads that all
                                of Swift shares (the default), or 'thread', on one of
                                its own, which finalization registries need
          --time-limit SECONDS  stop a script that takes this much processor time in one
                                turn (30; 0 means never)
          -h, --help            print this page

        What the script has:
          bridge.store()
              the store: createEntity, importCSV, transaction, insert, fetch and more.
              Relative paths of importCSV start at the folder of FILE
          await bridge.callHandler('jsbridge.environment', { variables: ['HOME'] })
              what it runs in: { version, engine: { version, lane }, script, arguments,
              store: { kind, path }, variables }
          bridge.registerHandler('main', ({ arguments, store }) => { ... })
              is called once, when the text of FILE has run. An integer from 0 to 255
              that it returns, or that its promise gives, is the exit status
          console, setTimeout, setInterval, queueMicrotask
              console.warn and console.error write to standard error

        The run ends when no timer, no call and no listener is left. An error that nobody
        catches, in a promise too, ends it at once with exit status 1; the message names
        file, line and column.

        While a file is imported, standard error shows a progress bar if it is a terminal,
        and else gets one line for each file.
        """
}
