internal import CJavaScriptCoreSPI
internal import Foundation
internal import Synchronization

/// The descriptors that the engine's library opens for itself, which its programs' children shall not inherit.
///
/// The library opens `/dev/urandom` twice until it has its first context and keeps it, without `O_CLOEXEC`
/// (2.50.6).
enum EngineDescriptors {
    /// What was open before the engine's first use.
    private static let known = open()
    private static let isSealed = Mutex(false)
    private static let hasStarted = Atomic(false)

    /// Checks that the process can open the descriptors which the engine, or a run loop, opens without asking.
    ///
    /// The library ends the process where it cannot. Most of what it opens is opened once.
    ///
    /// - Throws: ``JSException`` with the number that is needed and the number that is free.
    static func check() throws {
        let needed = hasStarted.load(ordering: .relaxed) ? 4 : EngineStart.neededDescriptors
        let free = Int(jsb_count_free_descriptors(Int32(needed)))
        guard free < needed else { return }
        throw JSException(
            name: "Error",
            message:
                "JavaScriptCore needs \(needed) free file descriptors, and the process can open \(free) more "
                + "(RLIMIT_NOFILE)"
        )
    }

    /// Notes what is open before the engine's first use.
    static func note() {
        _ = known
        hasStarted.store(true, ordering: .relaxed)
    }

    /// Marks what the library has opened since, once there is a context; the first time only.
    static func seal() {
        let isFirst = isSealed.withLock { isSealed in
            defer { isSealed = true }
            return !isSealed
        }
        guard isFirst else { return }
        for descriptor in open().subtracting(known) {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }

    /// The descriptors of the device of random numbers: another thread may open anything else meanwhile.
    private static func open() -> Set<Int32> {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(into: []) { descriptors, name in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            if path == "/dev/urandom", let number = Int32(name) { descriptors.insert(number) }
        }
    }
}
