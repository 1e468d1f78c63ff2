internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// How the process takes signals.
public enum ProcessSignals {
    // A queue of its own has a thread of its own: a script in an endless loop holds up no signal.
    private static let queue = DispatchQueue(label: "jsbridge.signals")
    // nonisolated(unsafe) because it is written once, before the signals are watched, and only keeps them
    // watched.
    nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

    /// Turns failed writes into errors, and runs the clean-ups before a signal ends the process.
    ///
    /// Call it once, first of all. The process still ends by the signal, so that a shell sees what happened.
    public static func watch(_ cleanUps: CleanUps) {
        // A write to a pipe without a reader, and one beyond the size that a file may have, are errors like
        // others.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGHUP, SIGINT, SIGTERM] where !isIgnored(number) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                cleanUps.runAll()
                end(by: number)
            }
            source.activate()
            sources.append(source)
        }
    }

    /// Takes the places of standard descriptors that are closed, so that no file of the user gets what is meant for them.
    ///
    /// Call it before anything is opened. Reading and writing there fails, as it does where nothing is.
    public static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest that is free, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    // What the parent chose to ignore, as nohup and shells do for what runs in the background, stays ignored.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
        #else
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        #endif
    }

    private static func end(by number: Int32) -> Never {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        signal(number, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        _exit(128 + number)
    }

    /// Ends the process at once.
    ///
    /// Everything is written when this is called, and a script may still be running on another thread: no
    /// library takes itself apart under it.
    public static func exit(_ status: Int32) -> Never { _exit(status) }
}
