internal import CJavaScriptCore

/// The open turn of a virtual machine, and the number of its turns so far.
struct MachineTurn {
    /// The context that opened the turn; `nil` while none is open.
    private(set) var context: JSGlobalContextRef?
    private(set) var count = 0
    /// The closure that the trampoline calls for the turn that is being opened.
    var body: (() -> Void)?

    var isOpen: Bool { context != nil }

    /// Records that a turn begins.
    ///
    /// None may be open.
    mutating func open(in context: JSGlobalContextRef) {
        count &+= 1
        self.context = context
    }

    /// Records that the turn has ended.
    mutating func close() { context = nil }
}
