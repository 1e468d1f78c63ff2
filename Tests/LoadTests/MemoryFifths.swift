import CMemoryFigures
import Foundation
import Synchronization

/// The memory of this process after each fifth of a run.
///
/// The memory of malloc is exact, unlike pages: a leak of some bytes in each step grows in every fifth, and temporary
/// memory does not. The memory that the engine allocates itself is only in the pages.
final class MemoryFifths: Sendable, CustomStringConvertible {
    private let step: Int
    private let fifths = Mutex<[(resident: Int, allocated: Int)]>([])

    /// Creates the measurement of a run with a number of steps, five at least.
    init(count: Int) { step = count / 5 }

    /// Returns whether a fifth ends after a number of steps.
    func isDue(after count: Int) -> Bool { count % step == 0 }

    /// Records the memory at the end of a fifth.
    func note() {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        let pages = words.count > 1 ? Int(words[1]) ?? 0 : 0
        fifths.withLock { $0.append((pages * Int(getpagesize()), memory_figures_allocated())) }
    }

    /// The growth from the second fifth to the last one, relative to the second: the first one warms up.
    var growth: Double {
        let fifths = fifths.withLock { $0 }
        return Double(fifths[4].resident - fifths[1].resident) / Double(max(1, fifths[1].resident))
    }

    /// The growth from the first fifth to the last one.
    var growthInMegabytes: Int {
        let fifths = fifths.withLock { $0 }
        return (fifths[4].resident - fifths[0].resident) >> 20
    }

    /// The smallest number of bytes of malloc that a fifth leaves behind for each step.
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
