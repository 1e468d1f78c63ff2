extension HelpTopic {
    static let profileText = """
        Shows the functions of a CPU profile, those with the longest time in themselves
        first. 'jsbridge run --cpu-profile FILE' writes such a profile.

        usage: jsbridge profile [OPTION...] FILE

          FILE                  the profile, a '.cpuprofile' of jsbridge, Chrome or Node;
                                '-' reads it from standard input
          --flame-graph OUT     write a picture as SVG: a function is above the one that
                                called it, and as wide as its part of the time
          --title TEXT          the title of the picture, by default the name of FILE
          --limit N             the number of functions (20)
          -h, --help            print this page

        The engine samples the stack every millisecond while a script runs. A function of
        the engine is 'native'. One of the bridge, and one of Swift that a script calls
        through it, is 'bridge', with all that it calls outside scripts.

        Exit status: 0, 2 if the arguments are invalid, 66 if FILE is not a profile or
        cannot be read, 74 if OUT or standard output cannot be written.
        """

    static let heapText = """
        Shows the objects of a heap snapshot by class, compares two, or shows which objects
        keep others alive. 'jsbridge run --heap-snapshot FILE' writes such a snapshot.

        usage: jsbridge heap [OPTION...] FILE
               jsbridge heap [OPTION...] BEFORE AFTER
               jsbridge heap --holds CLASS|ID FILE

          FILE                  the snapshot, a '.heapsnapshot' of jsbridge, Chrome or Node
          BEFORE AFTER          two snapshots: the classes whose objects differ, those that
                                grew most first. Of one program, as ScriptProfiler takes
                                them, objects are compared; of two runs, numbers
          --holds CLASS|ID      the references from the root to the objects of this class,
                                or to the object with this number
          --limit N             the number of classes or ways (20)
          -h, --help            print this page

        Sizes are those of the objects themselves. The engine does not report the elements
        of a Map or a Set, nor what native code holds.

        Exit status: 0, 1 if there is no such class or object, 2 if the arguments are
        invalid, 66 if a file is not a snapshot or cannot be read, 74 if standard output
        cannot be written.
        """
}
