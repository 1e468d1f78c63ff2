internal import JavaScriptEngine
package import Testing

/// What the engine's library can only do by a symbol that an update may take away.
///
/// `JSBRIDGE_PRIVATE_SYMBOLS=hidden` hides them all (`Scripts/test --lane bare`). Decision 0004 lists which promise
/// goes with which symbol.
package enum EngineFeature: String, Sendable {
    /// Chains of promises that never end are stopped: microtasks run inside a turn, where its limits count.
    case drainMicrotasks = "JSC::VM::drainMicrotasks"
    /// Managed values are weak, and owners keep them.
    case weakReferences = "JSWeakCreate and its kin"
    /// A promise tells its state at once.
    case promiseStatus = "JSC::JSPromise::status, and it is not known where a promise keeps its state"
    /// A heap that grows into what another script has freed is seen to grow.
    case freeMemory = "WTF::releaseFastMallocFreeMemory"
    /// A race of the engine's timers does not end the process.
    case trapGuard = "JSC::VMTraps::requestThreadStopIfNeeded and cancelThreadStopIfNeeded"

    /// Whether the library that is loaded has it.
    package var isThere: Bool {
        switch self {
        case .drainMicrotasks: Capabilities.current.drainsMicrotasksInTurn
        case .weakReferences: Capabilities.current.hasWeakReferences
        case .promiseStatus: Capabilities.current.knowsPromiseStates
        case .freeMemory: Capabilities.current.returnsFreeMemory
        case .trapGuard: Capabilities.current.trapGuard == .guarded
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test only where the library has what nothing else can replace.
    package static func needs(_ feature: EngineFeature) -> Self {
        .enabled(if: feature.isThere, "the library has no \(feature.rawValue)")
    }
}
