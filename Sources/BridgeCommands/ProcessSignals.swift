internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Signal handling of the process.
public enum ProcessSignals {
    // A separate queue has a separate thread, so a script in an endless loop does not delay a signal.
    private static let queue = DispatchQueue(label: "jsbridge.signals")
    // nonisolated(unsafe) because it is written once, before the signals are observed, and only retains the sources.
    nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []
    // True from the signal that ends the process on.
    private static let isEnding = Atomic(false)

    /// Turns failed writes into errors, and runs the exit hooks before a signal ends the process.
    ///
    /// Call it once, before anything else. The process still ends by the signal, so that a shell sees the reason.
    public static func watch(_ exitHooks: ExitHooks) {
        // A write to a pipe without a reader, and one beyond the file size limit, become ordinary errors.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGHUP, SIGINT, SIGTERM] where !isIgnored(number) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                isEnding.store(true, ordering: .sequentiallyConsistent)
                exitHooks.runAll()
                end(by: number)
            }
            source.activate()
            sources.append(source)
        }
    }

    /// Opens the standard descriptors that are closed, so that no file of the user gets their numbers.
    ///
    /// Call it before any file is opened. Reads and writes there fail, as they do on a closed descriptor.
    public static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // open() returns the lowest free descriptor, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    // A signal that the parent ignores, as nohup and shells do for background jobs, stays ignored.
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

    /// Ends the process immediately.
    ///
    /// All output is written when this is called, and a script may still be running on another thread. No library may
    /// run its destructors meanwhile. If a signal ends the process, it ends by the signal, after the exit hooks.
    public static func exit(_ status: Int32) -> Never {
        while isEnding.load(ordering: .sequentiallyConsistent) { pause() }
        _exit(status)
    }
}
