internal import CJavaScriptCoreSPI
internal import Foundation

/// A policy for collecting the garbage of an idle virtual machine.
///
/// The engine collects only while a script allocates, so the garbage of the last script remains until the next one
/// runs. The owner of a machine therefore calls ``JSVirtualMachine/collectIfIdle()`` when it is idle, as
/// ``JavaScriptRuntime`` does. The machine then collects if the process has grown enough since the last collection. A
/// collection takes time in proportion to the scripts' live data (60 ms for a million objects); the required growth
/// keeps the cost in proportion.
public struct IdleCollection: Sendable, Hashable {
    /// The number of bytes by which the process must have grown since the last collection; `nil` disables idle
    /// collection.
    public var minimumGrowth: Int?
    /// The required growth, as a fraction of the smallest size of the process since the last collection.
    public var minimumGrowthRatio: Double

    /// Creates a policy.
    ///
    /// By default it requires a growth of 32 MiB and of half the process's size.
    public init(minimumGrowth: Int = 32 << 20, minimumGrowthRatio: Double = 0.5) {
        self.minimumGrowth = minimumGrowth
        self.minimumGrowthRatio = minimumGrowthRatio
    }

    /// A policy that never collects while idle.
    public static let never: Self = {
        var policy = Self()
        policy.minimumGrowth = nil
        return policy
    }()

    /// Returns whether the process has grown enough.
    func isDue(resident: Int, baseline: Int) -> Bool {
        guard let minimumGrowth else { return false }
        return Double(resident - baseline)
            >= max(Double(minimumGrowth), Double(baseline) * minimumGrowthRatio)
    }
}

/// The state that a machine stores between two idle periods.
struct IdleState {
    /// The number of turns without a watchdog tick after which the process's size is measured.
    static let turnsBetweenLooks = 1024

    var turns = 0
    var ticks = 0
    /// The smallest size of the process since the last collection.
    var baseline = ResidentMemory.bytes ?? 0
}

/// The resident memory of this process.
enum ResidentMemory {
    /// The number of bytes, or `nil` if the system does not report it.
    ///
    /// Reading it takes about 5 us.
    static var bytes: Int? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
            guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else {
                return nil
            }
            return pages * pageSize
        }
    }

    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
}

extension JSVirtualMachine {
    /// Collects garbage if the process has grown enough by ``idleCollection``.
    ///
    /// The owner calls it outside a turn, when nothing is waiting to run. If less than 10 ms of processor time and
    /// fewer than 1,024 turns have passed since the last call, it costs two comparisons.
    ///
    /// - Returns: Whether it collected.
    @discardableResult
    public func collectIfIdle() -> Bool {
        precondition(!isInTurn, "collectIfIdle() inside a turn: call it when no script is running")
        let ticks = watchdog.tickCount
        guard ticks != idle.ticks || turnCount &- idle.turns >= IdleState.turnsBetweenLooks else {
            return false
        }
        idle.ticks = ticks
        idle.turns = turnCount
        guard let resident = ResidentMemory.bytes else { return false }
        // The engine returns memory to the system some time after a collection.
        idle.baseline = min(idle.baseline, resident)
        guard idleCollection.isDue(resident: resident, baseline: idle.baseline) else { return false }
        collectGarbage()
        idle.baseline = ResidentMemory.bytes ?? resident
        return true
    }
}
