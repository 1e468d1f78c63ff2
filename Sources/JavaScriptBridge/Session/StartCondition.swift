internal import Synchronization

/// When the calls that wait for a page are sent.
struct StartCondition {
    /// Whether they wait until the program says that the page is ready.
    var waitsForReady = false
    /// Whether the program has said so.
    var isDeclared = false
    /// The loads under way whose later scripts may register handlers, by number.
    private var loads: Set<Int> = []
    private var lastLoad = 0

    /// Whether they may be sent as soon as the page's side is there.
    var mayBegin: Bool { isDeclared || !waitsForReady && loads.isEmpty }

    /// Notes that a load begins.
    mutating func beginLoad() -> Int {
        lastLoad += 1
        loads.insert(lastLoad)
        return lastLoad
    }

    /// Notes that a load has come to its end; harmless when done twice.
    mutating func endLoad(_ load: Int) { loads.remove(load) }
}

extension Bridge {
    /// Says that all scripts are loaded: calls that wait for a page's handlers are sent now.
    ///
    /// With the text transport, calls wait until a script has used its side of the protocol, or a page is loaded; with
    /// ``BridgeConfiguration/waitsForReady`` they wait for this, whatever the transport. A page that brings its own side
    /// must have loaded it: calls wait until then.
    ///
    /// Harmless when done twice. It holds for the scripts of this context: after a ``reload(rerunningScripts:)`` that does
    /// not run them again, calls wait anew.
    public func ready() async {
        session.state.withLock { $0.start.isDeclared = true }
        // A turn looks for the page, and does what waits.
        try? await withContext { context in
            guard session.configuration.transport == .text, session.configuration.injectsScript else {
                return
            }
            _ = try context.internals.invokeMethod("noteUse")
        }
    }
}
