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

/// The decision when an idle machine collects its garbage, by what has happened since it last looked.
struct IdleCollector {
    /// The number of turns without a watchdog tick after which the process's size is measured.
    private static let turnsBetweenLooks = 1024

    var policy = IdleCollection()
    private var turns = 0
    private var ticks = 0
    /// The smallest size of the process since the last collection.
    private var baseline: Int

    init(resident: Int = ResidentMemory.bytes ?? 0) { baseline = resident }

    /// Returns whether enough has run since the last look that measuring the process is worth its time.
    mutating func needsLook(ticks: Int, turns: Int) -> Bool {
        guard ticks != self.ticks || turns &- self.turns >= Self.turnsBetweenLooks else { return false }
        self.ticks = ticks
        self.turns = turns
        return true
    }

    /// Returns whether the process has grown enough since the last collection.
    mutating func isDue(resident: Int) -> Bool {
        // The engine returns memory to the system some time after a collection.
        baseline = min(baseline, resident)
        return policy.isDue(resident: resident, baseline: baseline)
    }

    /// Records a collection.
    mutating func didCollect(resident: Int) { baseline = resident }
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
