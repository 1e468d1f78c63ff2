internal import JavaScriptEngine
package import Testing

/// A feature of the engine that needs a private symbol, which an update may remove.
///
/// `JSBRIDGE_PRIVATE_SYMBOLS=hidden` hides them all (`Scripts/test --configuration bare`). Decision 0004 lists the
/// feature of each symbol.
package enum EngineFeature: String, Sendable {
    /// Termination of endless promise chains: microtasks run inside a turn, whose limits apply.
    case drainMicrotasks = "JSC::VM::drainMicrotasks"
    /// Weak managed values, which owners keep alive.
    case weakReferences = "JSWeakCreate and its kin"
    /// The state of a promise, without waiting.
    case promiseStatus = "JSC::JSPromise::status, and it is not known where a promise keeps its state"
    /// The result of a promise, for the console.
    case promiseResult = "JSC::JSPromise::result, and it is not known where a promise keeps its result"
    /// Detection of a heap that grows into memory that another script has freed.
    case freeMemory = "WTF::releaseFastMallocFreeMemory"
    /// Protection of the process from a race in the engine's timers.
    case trapGuard = "JSC::VMTraps::requestThreadStopIfNeeded and cancelThreadStopIfNeeded"

    /// A Boolean value that indicates whether the loaded library has the feature.
    package var isThere: Bool {
        switch self {
        case .drainMicrotasks: Capabilities.current.drainsMicrotasksInTurn
        case .weakReferences: Capabilities.current.hasWeakReferences
        case .promiseStatus: Capabilities.current.knowsPromiseStates
        case .promiseResult: Capabilities.current.knowsPromiseResults
        case .freeMemory: Capabilities.current.returnsFreeMemory
        case .trapGuard: Capabilities.current.trapGuard == .guarded
        }
    }
}

/// A defect of some branches of the engine's library, which Deployment.md lists.
package enum EngineDefect: String, Sendable {
    /// Unclosed brackets are parsed in exponential time.
    case bracketNesting = "unclosed brackets take exponential time"
    /// A namespace with a function `then` fulfills a promise.
    case thenableNamespaces = "a namespace is never a thenable"

    /// A Boolean value that indicates whether the loaded library has the defect.
    package var isThere: Bool {
        let isOf = { (branch: String) in Capabilities.libraryVersion.hasPrefix(branch + ".") }
        return switch self {
        case .bracketNesting: isOf("2.52") || isOf("2.54")
        case .thenableNamespaces: isOf("2.52")
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Does not run a test if the library has a defect.
    package static func without(_ defect: EngineDefect) -> Self {
        .disabled(if: defect.isThere, "in the library, \(defect.rawValue)")
    }

    /// Runs a test only if the library has a feature that nothing else can replace.
    package static func needs(_ feature: EngineFeature) -> Self {
        .enabled(if: feature.isThere, "the library has no \(feature.rawValue)")
    }
}
