extension HelpTopic {
    static let replayText = """
        Runs the scripts of a journal again, without the program that it was recorded in,
        and compares what they do with what they did. 'jsbridge run --record FILE' writes
        such a journal, and so does BridgeConfiguration.journal.

        usage: jsbridge replay [OPTION...] FILE

          FILE                  the journal; one that was cut, as by a crash, is replayed
                                up to there, and told
          --to N                replay the first N crossings; show what both sides have in
                                hand between that one and the next: calls, requests,
                                handlers, streams, timers, the queue
          --verbose             print each crossing
          --json                print the result as a JSON object
          --shrink OUT          write the smallest part of the journal that still fails to
                                OUT, a journal of its own; never over FILE or the file
                                of --when
          --when WHAT           what failing is, for --shrink: 'divergence' (the default),
                                'error:CODE', an error with that code crosses, or a file
                                whose last statement is a function (report) => boolean of
                                { divergence, uncaughtErrors, errorCodes, crossings }
          --fault FAULT         have a message go wrong; may be given more than once. Its
                                number is that of '#' in --verbose: drop@12, delay@12:3
                                (after three others), duplicate@12, reorder@12,
                                corrupt@12, reload@12 (a new context before it). At the
                                end of the journal deadlines run out
          --faults SEED         have one message in ten go wrong; the same seed gives the
                                same faults, which are printed
          --time-limit SECONDS  how much processor time one turn may take (30)
          -h, --help            print this page

        The host's part comes from the journal: messages, answers, scripts, timers, the
        time, the seeds of random numbers, what stores and queries said. What a program
        did to a context past the bridge is not in a journal.

        Exit status: 0 when the scripts did what they did, with --shrink when OUT was
        written, with --fault when the scripts caught all that came of it; 1 when not;
        2 when the arguments make no sense; 66 when FILE is no journal or the file of
        --when cannot be read; 74 when OUT, or standard output, cannot be written.
        """
}
