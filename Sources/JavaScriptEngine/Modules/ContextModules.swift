internal import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The modules of a context: the scripts that load them, which run at the first import, and what the host adds.
final class ContextModules {
    var configuration: ModuleConfiguration?
    /// A Boolean value that indicates whether the self-test uses the context, which is not decided yet then.
    var isOfSelfTest = false
    private var script: ModuleScript?
    /// A Boolean value that indicates whether the next `import()` only provides the engine's loader.
    private var isFindingLoader = false
    private var loader: JSObjectRef?
    /// The sources that native code has given, by URL, until they are loaded.
    var givenSources: [String: String] = [:]
    var replacements: [Int: TypeReplacement] = [:]
    private(set) var moduleCount = 0
    private(set) var byteCount = 0
    private var tasks: [Int: Task<Void, Never>] = [:]

    /// The number of modules that tasks are loading.
    var pendingCount: Int { tasks.count }

    // MARK: - Hooks

    func importDynamically(
        _ arguments: [JSValueRef?],
        loader: JSObjectRef,
        in context: JSContext
    ) -> JSObjectRef? {
        if isFindingLoader {
            self.loader = loader
            return loader
        }
        if script == nil, !isOfSelfTest, let error = ModuleSupport.error {
            return context.rejectedPromise(with: error)
        }
        guard let script = try? script ?? prepare(with: loader, in: context) else { return nil }
        return context.callHook(script.importDynamically, arguments)
    }

    func makeMeta(of key: JSValueRef?, in context: JSContext) -> JSObjectRef? {
        script.flatMap { context.callHook($0.makeMeta, [key]) }
    }

    // MARK: - The scripts

    /// Returns the functions of the scripts, which run now unless they have run.
    ///
    /// A turn must be open.
    func prepared(in context: JSContext) throws -> ModuleScript {
        if let script { return script }
        if let error = ModuleSupport.error { throw error }
        guard configuration != nil, jsb_hook_modules(context.ref) else {
            throw ModuleError("the context has no modules: set moduleConfiguration first")
        }
        isFindingLoader = true
        loader = nil
        EngineString.with("import('')") { source in
            EngineString.with(JSContext.internalSourceURL) {
                _ = JSEvaluateScript(context.ref, source, nil, $0, 1, nil)
            }
        }
        isFindingLoader = false
        guard let loader else { throw ModuleError("the engine did not call the hook of import()") }
        return try prepare(with: loader, in: context)
    }

    private func prepare(with loader: JSObjectRef, in context: JSContext) throws -> ModuleScript {
        let script = try context.virtualMachine.watchdog.exempting {
            try ModuleScript(loader: loader, in: context)
        }
        self.script = script
        return script
    }

    // MARK: - Terminations and closing

    /// Ends all imports after a termination, which has dropped the microtasks that would continue them.
    func endAfterTermination(in context: JSContext) {
        guard let script else { return }
        var exception: JSValueRef?
        let count = JSObjectCallAsFunction(context.ref, script.endModules, nil, 0, nil, &exception)
        if let count { moduleCount -= Int(JSValueToNumber(context.ref, count, nil)) }
        cancel()
        // In a turn: the microtasks of the rejections must not run without limits.
        context.hooks.turnPreparations.append { [unowned context] in
            var exception: JSValueRef?
            return JSObjectCallAsFunction(context.ref, script.rejectEndedImports, nil, 0, nil, &exception)
                != nil
        }
    }

    /// Cancels the tasks that load modules.
    func cancel() {
        for task in tasks.values { task.cancel() }
        tasks = [:]
        replacements = [:]
    }

    // MARK: - Counting

    /// Returns the configuration.
    ///
    /// - Throws: ``ModuleError`` if there is none.
    func requireConfiguration() throws -> ModuleConfiguration {
        guard let configuration else { throw ModuleError("the context has no modules") }
        return configuration
    }

    func count(_ request: ModuleRequest) throws -> ModuleConfiguration {
        let configuration = try requireConfiguration()
        guard moduleCount < configuration.maximumModuleCount else {
            throw BridgeError(.limitExceeded, "too many modules (limit \(configuration.maximumModuleCount))")
        }
        moduleCount += 1
        return configuration
    }

    /// Takes back the count of a module that could not be loaded, which the next import loads again.
    func uncount() { moduleCount -= 1 }

    func count(bytes: Int) throws {
        let limit = configuration?.maximumTotalBytes ?? 0
        guard bytes <= limit - byteCount else {
            throw BridgeError(
                .limitExceeded,
                "the modules are too large (\(byteCount + bytes) bytes, limit \(limit))"
            )
        }
        byteCount += bytes
    }

    /// Counts from zero for a reload, whose modules replace others.
    func restartCounts() { (moduleCount, byteCount) = (0, 0) }

    func setTask(_ task: Task<Void, Never>?, of number: Int) { tasks[number] = task }
    func isLoading(_ number: Int) -> Bool { tasks[number] != nil }
}

/// The functions of the modules' scripts that native code calls.
struct ModuleScript {
    let importDynamically: JSObjectRef
    let importModule: JSObjectRef
    let makeMeta: JSObjectRef
    let checkNewModule: JSObjectRef
    let finishLoad: JSObjectRef
    let failLoad: JSObjectRef
    let problemOfSource: JSObjectRef
    let endModules: JSObjectRef
    let rejectEndedImports: JSObjectRef
    let reloadModules: JSObjectRef

    /// Runs the scripts in a context.
    init(loader: JSObjectRef, in context: JSContext) throws {
        guard let shared = context.script.internalObject else {
            throw JSException(name: "Error", message: "the context is not prepared")
        }
        let given = try context.makePlainObject()
        let functions = try context.makePlainObject()
        try ModuleFunctions.install(on: functions, in: context)
        try context.setInternal("functions", to: functions, on: given)
        try context.setInternal("loader", to: loader, on: given)
        let isReloadable = context.modules.configuration?.isReloadable == true
        try context.setInternal("isReloadable", to: JSValueMakeBoolean(context.ref, isReloadable), on: given)
        try context.setInternal("modules", to: given, on: shared)
        try context.runInternal(bridge_script_modules(), with: context.script)
        importDynamically = try context.internalFunction("importDynamically", on: shared)
        importModule = try context.internalFunction("importModule", on: shared)
        makeMeta = try context.internalFunction("makeMeta", on: shared)
        checkNewModule = try context.internalFunction("checkNewModule", on: shared)
        finishLoad = try context.internalFunction("finishLoad", on: shared)
        failLoad = try context.internalFunction("failLoad", on: shared)
        problemOfSource = try context.internalFunction("problemOfSource", on: shared)
        endModules = try context.internalFunction("endModules", on: shared)
        rejectEndedImports = try context.internalFunction("rejectEndedImports", on: shared)
        reloadModules = try context.internalFunction("reloadModules", on: shared)
    }
}

extension JSContext {
    /// Returns a promise that is rejected with an error; `nil` if the engine makes none.
    fileprivate func rejectedPromise(with error: any Error) -> JSObjectRef? {
        guard let (promise, _, reject) = try? makeDeferredPromise() else { return nil }
        _ = try? call(reject.ref, [thrownValue(for: error)])
        return promise.ref
    }

    /// Calls a function for a hook of the engine.
    ///
    /// A termination inside is raised again at the next tick, because the engine forgets it here.
    fileprivate func callHook(_ function: JSObjectRef, _ arguments: [JSValueRef?]) -> JSObjectRef? {
        var exception: JSValueRef?
        let result = JSObjectCallAsFunction(ref, function, nil, arguments.count, arguments, &exception)
        if virtualMachine.watchdog.hasTerminated { virtualMachine.watchdog.armAgain() }
        guard let result, JSValueIsObject(ref, result) else { return nil }
        return result
    }
}
