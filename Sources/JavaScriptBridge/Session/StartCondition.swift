internal import Synchronization

/// The condition for sending the calls that wait for a page.
struct StartCondition {
    /// A Boolean value that indicates whether the calls wait until the program declares that the page is ready.
    var waitsForReady = false
    /// A Boolean value that indicates whether the program has declared it.
    var isDeclared = false
    /// The loads in progress whose later scripts may register handlers, by number.
    private var loads: Set<Int> = []
    private var lastLoad = 0
    /// The loads of modules among them.
    private var moduleLoads: Set<Int> = []

    /// A Boolean value that indicates whether the calls may be sent as soon as the page's side is connected.
    var mayBegin: Bool { isDeclared || !waitsForReady && loads.isEmpty }

    /// A Boolean value that indicates whether the calls may be sent once there is an answer for a script: a module that
    /// awaits it would never end.
    var mayBeginWithAnswers: Bool { !waitsForReady && !loads.isEmpty && moduleLoads == loads }

    /// Records that a load begins.
    mutating func beginLoad(isModule: Bool = false) -> Int {
        lastLoad += 1
        loads.insert(lastLoad)
        if isModule { moduleLoads.insert(lastLoad) }
        return lastLoad
    }

    /// Records that a load has ended; has no effect the second time.
    mutating func endLoad(_ load: Int) {
        loads.remove(load)
        moduleLoads.remove(load)
    }
}
