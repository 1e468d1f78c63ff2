extension HelpTopic {
    static let browseText = """
        Shows a table in the terminal: scroll, search, sort, filter, group, mark and copy
        rows. Press ? for all keys.

        usage: jsbridge browse [OPTION...] FILE
               jsbridge browse [OPTION...] STORE:ENTITY
               jsbridge browse [OPTION...] SCRIPT.js

          FILE                  a CSV file with the names of the columns in its first
                                line; '-' reads it from standard input, to the end
          --format FORMAT       'table' or 'script', for a file whose name does not say it
          STORE:ENTITY          an entity of a store. The entity may be left out if the
                                store has only one
          SCRIPT.js, .mjs, .ts  a script that calls bridge.collectionView({ source, cell })
          --store FILE          the store of the script; by default one in memory
          --time-limit SECONDS  stop the script when one turn takes this much processor
                                time (5; 0 means no limit)
          --view NAME           the view of the script to show; by default its first one
          --delimiter CHARACTER the separator of fields: ',', ';' or '\\t'. By default the
                                most frequent one of the first line, a tab for .tsv
          --state FILE          begin where the last run with this file ended: position,
                                marks, order, groups, filter and search, by the identities
                                of rows
          --follow              follow the changes of other processes, for which the store
                                records a history
          --still               do not mark rows that have changed for a moment
          --record FILE         record the session, in version 2 of asciinema's format
          -h, --help            print this page

        If standard output is not a terminal, or TERM is 'dumb', it prints all rows with
        tabs between the fields, and control characters as symbols.

        Colors follow COLORTERM and TERM; with NO_COLOR there are none. Neither the file
        nor the rows of the store are changed.

        Exit status: 0, or 66 if the file cannot be read, 74 if the recording or standard
        output cannot be written, 1 if the terminal cannot be used.
        """
}
