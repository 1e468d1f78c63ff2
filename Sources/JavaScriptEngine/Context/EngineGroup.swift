internal import CJavaScriptCore

/// The engine's object of a virtual machine, or the error that prevented its creation.
struct EngineGroup {
    /// The engine's object; `nil` only if there is a failure, and then the machine never has a context.
    let ref: JSContextGroupRef!
    /// The error that prevented the creation, which each context of the machine throws.
    let failure: (any Error)?
    /// A Boolean value that indicates whether the library can run microtasks on request, inside the entry that a turn
    /// is.
    let drainsInside: Bool

    /// Creates the engine's object, if the process can open enough file descriptors for it.
    init() {
        do {
            try EngineDescriptors.check()
            drainsInside = Capabilities.current.drainsMicrotasksInTurn
            ref = JSContextGroupCreate()
            failure = nil
        } catch {
            drainsInside = false
            ref = nil
            failure = error
        }
    }
}
