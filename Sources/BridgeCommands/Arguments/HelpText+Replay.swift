extension HelpTopic {
    static let replayText = """
        Runs the scripts of a journal again, without the program that recorded it, and
        compares their behavior with the journal. 'jsbridge run --record FILE' writes such
        a journal, and so does BridgeConfiguration.journal.

        usage: jsbridge replay [OPTION...] FILE

          FILE                  the journal. If it was cut, as by a crash, it is replayed
                                up to that point, which is reported
          --to N                replay the first N entries of the journal, and show the
                                state of both sides after them: calls, requests, handlers,
                                streams, timers, the queue
          --verbose             print each entry
          --json                print the result as a JSON object
          --shrink OUT          write the smallest part of the journal that still fails to
                                OUT, as a journal; never over FILE or the file of --when
          --when WHAT           the failure for --shrink: 'divergence' (the default),
                                'error:CODE', an error with that code in either direction,
                                or a file whose last statement is a function
                                (report) => boolean of
                                { divergence, uncaughtErrors, errorCodes, entries }
          --fault FAULT         inject a fault into a message; may be given more than once.
                                The number is that of '#' in --verbose: drop@12,
                                delay@12:3 (after three others), duplicate@12, reorder@12,
                                corrupt@12, reload@12 (a new context before it). At the
                                end of the journal deadlines run out
          --faults SEED         inject a fault into one message in ten. The same seed gives
                                the same faults, which are printed
          --time-limit SECONDS  the maximum processor time of one turn (30)
          -h, --help            print this page

        The host's part comes from the journal: messages, responses, scripts, timers, the
        time, the seeds of random numbers, the results of stores and queries. Changes that
        a program made to a context directly, not through the bridge, are not in a journal.

        Exit status: 0 if the scripts did the same as in the journal; with --shrink if OUT
        was written; with --fault if the scripts handled all consequences. 1 otherwise. 2
        if the arguments are invalid; 66 if FILE is not a journal or the file of --when
        cannot be read; 74 if OUT, or standard output, cannot be written.
        """
}
