extension HelpTopic {
    static let engineProbeText = """
        Derives the engine profile for the fast path from the engine's library: the layout
        of values, strings, objects and call frames. Memory is read through the system, so
        a library of any version can be probed.

        usage: jsbridge engine-probe [--json | --check | --write FILE]

          --json                print the derived profile as JSON
          --check               exit with status 1 if the library differs from the listing
                                of its branch, or the self-test fails
          --write FILE          write the profile to a file. Programs on this machine use
                                it for this build of the library only, and only if its
                                branch is not listed: /etc/jsbridge/engine.json, or the
                                file that JSBRIDGE_ENGINE_PROFILE names
          -h, --help            print this page

        Without an option it prints the findings. A branch that is not listed works by the
        engine's C API, with the same results, 2 to 13 times slower.
        """
}
