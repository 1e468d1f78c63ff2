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

    /// Notes what is open before the engine's first use.
    static func note() { _ = known }

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
