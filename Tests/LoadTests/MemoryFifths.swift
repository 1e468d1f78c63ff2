import CMemoryFigures
import Foundation
import Synchronization

/// The memory of this process after each fifth of a run.
///
/// What malloc has handed out is exact where pages are not: a leak of some bytes in each step is a line that goes up in
/// every fifth, and what comes and goes is not. What the engine allocates by itself is in the pages alone.
final class MemoryFifths: Sendable, CustomStringConvertible {
    private let step: Int
    private let fifths = Mutex<[(resident: Int, allocated: Int)]>([])

    /// Makes figures of a run of so many steps, five at least.
    init(count: Int) { step = count / 5 }

    /// Whether a fifth is over after so many steps.
    func isDue(after count: Int) -> Bool { count % step == 0 }

    /// Notes the memory at the end of a fifth.
    func note() {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        let pages = words.count > 1 ? Int(words[1]) ?? 0 : 0
        fifths.withLock { $0.append((pages * Int(getpagesize()), memory_figures_allocated())) }
    }

    /// How much larger the last fifth is than the second, as a part of it: the first warms up.
    var growth: Double {
        let fifths = fifths.withLock { $0 }
        return Double(fifths[4].resident - fifths[1].resident) / Double(max(1, fifths[1].resident))
    }

    /// How much larger the last fifth is than the first.
    var growthInMegabytes: Int {
        let fifths = fifths.withLock { $0 }
        return (fifths[4].resident - fifths[0].resident) >> 20
    }

    /// The bytes of malloc that each step leaves behind, in the fifth in which that was least.
    var leak: Int {
        let fifths = fifths.withLock { $0 }
        let growths = zip(fifths, fifths.dropFirst()).map { $1.allocated - $0.allocated }
        return (growths.min() ?? 0) / step
    }

    var description: String {
        let fifths = fifths.withLock { $0 }
        let resident = fifths.map { "\($0.resident >> 20)" }.joined(separator: ", ")
        let allocated = fifths.map { "\($0.allocated >> 10)" }.joined(separator: ", ")
        return "resident \(resident) MiB, allocated \(allocated) KiB, \(leak) bytes left by each"
    }
}
