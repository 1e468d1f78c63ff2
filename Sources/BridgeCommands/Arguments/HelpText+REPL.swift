extension HelpTopic {
    static let replText = """
        Evaluates JavaScript as it is typed, with a bridge and a store as 'run' has them.

        usage: jsbridge repl [OPTION...]
               jsbridge                  the same, in a terminal

          --store PATH          keep the store in this file; ':memory:' keeps it in memory.
                                By default it is a new file that is removed at the end
          --shared              other processes write to the store as well
          --module-root FOLDER  the folder below which modules are imported: by default the
                                nearest one with a 'package.json', or else this folder
          --import-map FILE     the modules for names, as JSON
          --isolation KIND      the threads of scripts: 'actor' (the default) or 'thread'
          --time-limit SECONDS  stop an input that takes this much processor time in one
                                turn. By default Ctrl-C stops it
          --memory-limit SIZE   stop a script whose heap is larger than this: 512M, 4G
                                (2G; 0 means no limit)
          --tier TIER, --audit FILE, --allow-..., --deny-...
                                the trust in scripts, and what they may do: see
                                'jsbridge help run'
          -h, --help            print this page

        Variables, functions and classes can be declared again. An input may have 'import'
        and a top-level 'await'. '_' is the last result, '_error' the last error.

          .help  .exit  .load FILE  .type CODE  .time CODE

        Enter evaluates, or begins another line if the input is not complete; Alt-Enter
        always begins one. Tab completes names, without running code. Up and Ctrl-R find
        earlier inputs, which are kept in jsbridge/repl_history in XDG_STATE_HOME
        (~/.local/state). The other keys are those of Emacs. Ctrl-C stops a script, or
        discards the input; Ctrl-D ends. Timers and calls run while the prompt waits.

        Without a terminal there is no prompt: each input of standard input is evaluated,
        and its result is printed, unless it is undefined. At the end timers and calls are
        waited for. Values have colors on a terminal, unless NO_COLOR is set; FORCE_COLOR
        sets them elsewhere.

        Exit status: 0, also after inputs with errors; 66 for a folder of modules or an
        import map that cannot be read.
        """
}
