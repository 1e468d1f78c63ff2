internal import CJavaScriptCoreSPI
internal import Foundation

/// When a virtual machine that has nothing to do collects its garbage.
///
/// The engine collects only while a script allocates: what the last script left stays until the next one runs.
/// So whoever owns a machine tells it when it is idle (``JSVirtualMachine/collectIfIdle()``;
/// ``JavaScriptRuntime`` does), and it collects then if the process has grown enough since it did last.
/// A collection takes about as long as the scripts' living data is large (60 ms for a million objects); the
/// growth that it waits for keeps that in proportion.
public struct IdleCollection: Sendable, Hashable {
    /// How many bytes the process must have grown by since the last collection; `nil` means that none
    /// happens.
    public var minimumGrowth: Int?
    /// How much the process must have grown by since then, as a part of what it took.
    public var minimumGrowthRatio: Double

    /// Collects after a growth of 32 MiB and of half, or of what is given.
    public init(minimumGrowth: Int = 32 << 20, minimumGrowthRatio: Double = 0.5) {
        self.minimumGrowth = minimumGrowth
        self.minimumGrowthRatio = minimumGrowthRatio
    }

    /// Never collects while idle.
    public static let never: Self = {
        var policy = Self()
        policy.minimumGrowth = nil
        return policy
    }()

    /// Whether a process that takes so many bytes has grown enough.
    func isDue(resident: Int, baseline: Int) -> Bool {
        guard let minimumGrowth else { return false }
        return Double(resident - baseline)
            >= max(Double(minimumGrowth), Double(baseline) * minimumGrowthRatio)
    }
}

/// What a machine remembers between its idle moments.
struct IdleState {
    /// How many turns without a tick are worth a look at the process's size.
    static let turnsBetweenLooks = 1024

    var turns = 0
    var ticks = 0
    /// The smallest size of the process since the last collection.
    var baseline = ResidentMemory.bytes ?? 0
}

/// The memory of this process that is in use.
enum ResidentMemory {
    /// How many bytes, or `nil` where the system does not tell.
    ///
    /// Costs about 5 us.
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
    /// Collects garbage if enough has come together, by ``idleCollection``.
    ///
    /// To be called by the owner when nothing waits to run; outside a turn. Where nothing has run for 10 ms of
    /// processor time or 1,024 turns since the last call, it costs two comparisons.
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
        // The engine gives memory back some time after a collection.
        idle.baseline = min(idle.baseline, resident)
        guard idleCollection.isDue(resident: resident, baseline: idle.baseline) else { return false }
        collectGarbage()
        idle.baseline = ResidentMemory.bytes ?? resident
        return true
    }
}
