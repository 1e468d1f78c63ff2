internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// Looks whether a virtual machine's heap holds more than it may.
///
/// The engine has no quota. What a look costs decides: the process's resident size 5 us, the heap's own size
/// a collection and a walk (about 0.1 s for 100 MB of small objects). So the process is looked at first, and
/// the heap only where the process has grown by as much as the heap may still take.
struct HeapGuard {
    /// How many bytes the heap may hold.
    var limit: Int? { didSet { if limit != oldValue { reset() } } }
    /// The limit as a number that sizes can be added to and taken from.
    private var bytes: Int? { limit.map { min(max(0, $0), 1 << 50) } }
    private var baseline = 0
    private var nextLook = 0
    private var headroom = 0

    init(limit: Int?) {
        self.limit = limit
        reset()
    }

    private mutating func reset() {
        guard let limit = bytes else { return }
        baseline = Self.residentBytes()
        headroom = limit
        nextLook = baseline + limit
    }

    /// Looks; the lock must be held.
    ///
    /// - Returns: What the heap holds, where that is more than it may.
    mutating func excess(in context: JSContextRef) -> Int? {
        guard let limit = bytes else { return nil }
        let resident = Self.residentBytes()
        // What was given back since the last look can be taken again unseen.
        nextLook = max(baseline + headroom, min(nextLook, resident + headroom))
        guard resident > nextLook else { return nil }
        guard collect(in: context) > limit else { return nil }
        // Asked again before a script is ended for it: the stack is scanned conservatively, and most of what one
        // collection keeps by mistake is gone at the next.
        let heap = collect(in: context)
        return heap > limit ? heap : nil
    }

    /// Collects garbage and gives its pages back, so that the process grows when the heap does.
    ///
    /// - Returns: What the heap holds.
    @discardableResult
    mutating func collect(in context: JSContextRef) -> Int {
        guard let limit = bytes else { return 0 }
        JSSynchronousGarbageCollectForDebugging(context)
        jsb_release_free_memory()
        let heap = Self.heapBytes(in: context)
        headroom = max(limit - heap, limit / 8)
        nextLook = Self.residentBytes() + headroom
        return heap
    }

    /// What the heap holds, as of the last collection.
    private static func heapBytes(in context: JSContextRef) -> Int {
        guard let statistics = JSGetMemoryUsageStatistics(context) else { return 0 }
        var bytes = 0
        for name in ["heapSize", "extraMemorySize"] {
            let value = EngineText.with(name) { JSObjectGetProperty(context, statistics, $0, nil) }
            if let value, JSValueIsNumber(context, value) {
                bytes += Int(exactly: JSValueToNumber(context, value, nil).rounded()) ?? 0
            }
        }
        return bytes
    }

    /// The resident size of the process; 0 where the system does not say.
    static func residentBytes() -> Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return 0 }
            // Pages: the whole size, then what is resident.
            let fields = buffer.prefix(count).split(separator: UInt8(ascii: " "))
            guard fields.count > 1 else { return 0 }
            let pages = fields[1].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
            return pages * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}
