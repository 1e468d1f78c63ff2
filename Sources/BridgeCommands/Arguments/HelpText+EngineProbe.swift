extension HelpTopic {
    static let engineProbeText = """
        Derives from the engine's library what the fast path needs to know: where values,
        strings, objects and call frames keep their contents. Memory is read through the
        system, so that a library of any version can be probed.

        usage: jsbridge engine-probe [--json | --check | --write FILE]

          --json                print the profile that was derived, as JSON
          --check               exit with status 1 where the library is not as its branch
                                is listed, or the self-test fails
          --write FILE          write the profile to a file. Programs on this machine use
                                it for this build of the library alone, where its branch
                                is not listed: /etc/jsbridge/engine.json, or the file
                                that JSBRIDGE_ENGINE_PROFILE names
          -h, --help            print this page

        Without an option it prints what was found. A branch that is not listed works by
        the engine's C API, with the same results, 2 to 13 times slower.
        """
}
