internal import JavaScriptEngine

/// The pages of one run, each with a context of its own.
///
/// They share a virtual machine, because a machine parses the package's own scripts only once. Contexts cannot reach
/// each other's objects, and nothing runs in a page that was replaced.
final class ConformancePages {
    private let limits: ExecutionLimits
    private var machine: JSVirtualMachine?
    private var pageCount = 0
    private var latest: ConformancePage?

    /// The maximum number of pages of a machine, which bounds the garbage that earlier pages can leave to later ones.
    private static let maximumPageCount = 50

    init(limits: ExecutionLimits) { self.limits = limits }

    /// Returns a new, empty page.
    ///
    /// - Throws: ``JSException`` if the page's own script fails.
    func next() throws -> ConformancePage {
        // A page that was stopped may leave a full heap, and work that was cut off.
        if latest?.stopReason != nil || pageCount == Self.maximumPageCount { machine = nil }
        latest = nil
        if machine == nil { pageCount = 0 }
        let machine = machine ?? JSVirtualMachine(limits: limits)
        self.machine = machine
        pageCount += 1
        let page = try ConformancePage(machine: machine)
        latest = page
        return page
    }
}
