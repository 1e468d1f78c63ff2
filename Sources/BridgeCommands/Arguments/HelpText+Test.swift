extension HelpTopic {
    static let testText = """
        Runs the tests of scripts, each file in a bridge of its own, and prints a line for
        each test.

        usage: jsbridge test [OPTION...] [PATH...]

          PATH                  a file of tests, or a folder, in which and below which files
                                named '*.test.js', '*.test.mjs' and '*_test.js', or so
                                with '.ts', are found; hidden folders and 'node_modules'
                                are not searched. Without a path, the current folder
          --filter TEXT         only the tests whose names contain this text: the names of
                                the suites and of the test, as 'suite > test'
          --watch               run the tests again when a file of tests or a module that
                                they import changes; a run that is not over is ended.
                                Other files do not count, so tests can write some
          --coverage DIR        write which lines and functions have run to lcov.info in
                                this folder, and print a table. Files of tests and of
                                'node_modules' are left out
          --junit FILE          write a report as JUnit XML, too
          --time-limit SECONDS  stop a test that takes this much processor time in one turn
                                (5; 0 means no limit)
          --allow-read PATH[,PATH], --allow-write PATH[,PATH], --allow-env[=NAME,NAME]
                                the files and environment variables that tests may use
          --deny-read PATH[,PATH], --deny-write PATH[,PATH], --deny-env NAME[,NAME]
                                deny them, even if they are allowed
          -h, --help            print this page

        A file is a module that imports its functions:
          import { test, describe, expect } from 'bridge:test';
          test('adds', () => { expect(1 + 1).toBe(2); });
        A test that is asynchronous has 5 seconds; 'test(name, run, milliseconds)' sets
        another time. What tests print to the console is written to standard error.

        Exit status: 0 if no test failed, 1 if one did, or a file could not be loaded, 2 if
        the arguments are invalid, 66 if there is no file of tests, and 74 if the report
        could not be written.
        """
}
