internal import CJavaScriptCoreSPI
internal import Foundation
internal import Synchronization

/// The file descriptors that the engine's library opens for itself.
///
/// Child processes must not inherit them.
///
/// The library opens `/dev/urandom` twice until it has its first context and keeps it open, without `O_CLOEXEC`
/// (2.50.6).
enum EngineDescriptors {
    /// The descriptors that were open before the engine's first use.
    private static let known = open()
    private static let isSealed = Mutex(false)
    private static let hasStarted = Atomic(false)

    /// Checks that the process can open the descriptors that the engine or a run loop opens unchecked.
    ///
    /// The library ends the process if it cannot open one. It opens most of them only once.
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

    /// Records the descriptors that are open before the engine's first use.
    static func note() {
        _ = known
        hasStarted.store(true, ordering: .relaxed)
    }

    /// Sets close-on-exec on the descriptors that the library has opened since, once a context exists.
    ///
    /// Only the first call does so.
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

    /// Returns the open descriptors of the random device only, because another thread may open anything else meanwhile.
    private static func open() -> Set<Int32> {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(into: []) { descriptors, name in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            if path == "/dev/urandom", let number = Int32(name) { descriptors.insert(number) }
        }
    }
}
