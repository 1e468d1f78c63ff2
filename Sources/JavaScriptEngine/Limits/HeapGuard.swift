internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// A check of a virtual machine's heap against its limit.
///
/// The engine has no quota, and the cost of a check determines the method. Reading the process's resident size costs
/// 5 us. Measuring the heap itself costs a collection and a walk (about 0.1 s for 100 MB of small objects). The guard
/// therefore reads the process's size first. It measures the heap only if the process has grown by as much as the heap
/// may still grow.
struct HeapGuard {
    /// The number of bytes that the heap may hold; `nil` means no limit.
    var limit: Int? { didSet { if limit != oldValue { reset() } } }
    /// The limit, clamped so that adding a size to it does not overflow.
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

    /// Checks the heap.
    ///
    /// The caller must hold the lock.
    ///
    /// - Returns: The size of the heap, if it exceeds the limit.
    mutating func excess(in context: JSContextRef) -> Int? {
        guard let limit = bytes else { return nil }
        let resident = Self.residentBytes()
        // Memory that was released since the last check can be allocated again without being noticed.
        nextLook = max(baseline + headroom, min(nextLook, resident + headroom))
        guard resident > nextLook else { return nil }
        guard collect(in: context) > limit else { return nil }
        // The heap is measured twice before a script is ended: the stack is scanned conservatively, and the next
        // collection releases most of what one collection retains by mistake.
        let heap = collect(in: context)
        return heap > limit ? heap : nil
    }

    /// Collects garbage and returns its pages to the system, so that the process grows when the heap does.
    ///
    /// - Returns: The size of the heap in bytes; 0 without a limit.
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

    /// Returns the size of the heap in bytes after the last collection.
    private static func heapBytes(in context: JSContextRef) -> Int {
        guard let statistics = JSGetMemoryUsageStatistics(context) else { return 0 }
        var bytes = 0
        for name in ["heapSize", "extraMemorySize"] {
            let value = EngineString.with(name) { JSObjectGetProperty(context, statistics, $0, nil) }
            if let value, JSValueIsNumber(context, value) {
                bytes += Int(exactly: JSValueToNumber(context, value, nil).rounded()) ?? 0
            }
        }
        return bytes
    }

    /// Returns the resident size of the process in bytes; 0 where the system does not report it.
    static func residentBytes() -> Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return 0 }
            // The fields count pages: first the total size, then the resident size.
            let fields = buffer.prefix(count).split(separator: UInt8(ascii: " "))
            guard fields.count > 1 else { return 0 }
            let pages = fields[1].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
            return pages * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}
