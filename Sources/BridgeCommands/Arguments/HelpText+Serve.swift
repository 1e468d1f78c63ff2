extension HelpTopic {
    static let serveText = """
        Shows a table, or the view of a script, in a page of a browser: scroll, search,
        sort, filter, group, mark and copy rows. Several pages may show it at the same time.

        usage: jsbridge serve [OPTION...] FILE
               jsbridge serve [OPTION...] STORE:ENTITY
               jsbridge serve [OPTION...] SCRIPT.js

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
          --group COLUMN        group the rows by a column
          --port NUMBER         the port; by default any that is free
          --socket PATH         a Unix socket instead of a port, mode 0600, for a tunnel
          --open                open the page in your browser, by 'xdg-open'
          -h, --help            print this page

        It prints one line with the address, which contains a secret: who has it can read
        the table until the command ends. Other machines cannot connect. Ctrl-C ends it.
        Neither the file nor the rows of the store are changed.

        Exit status: 66 if the file cannot be read, 1 if the address cannot be used.
        """
}
