import BridgeValues
import JavaScriptEngine

/// A context whose scripts import modules that a test gives.
struct ModuleTestContext {
    let context: JSContext
    /// An object that the modules need, such as their folder.
    var retained: AnyObject?

    init(
        _ sources: [String: String] = [:],
        json: [String: String] = [:],
        machine: JSVirtualMachine = JSVirtualMachine(),
        configure: (inout ModuleConfiguration) -> Void = { _ in }
    ) throws {
        context = try JSContext(virtualMachine: machine)
        var all: [String: ModuleSource] = [:]
        for (name, source) in sources { all["app:///" + name] = ModuleSource(source) }
        for (name, source) in json { all["app:///" + name] = ModuleSource(source, type: .json) }
        var configuration = ModuleConfiguration(
            loader: StringModuleLoader(sources: all),
            resolver: URLModuleResolver(baseURL: "app:///")
        )
        configure(&configuration)
        context.moduleConfiguration = configuration
    }

    /// Returns the outcome of a promise that settles within a turn: its value as data, or its error.
    func settled(_ promise: @escaping () throws -> JSPromise) throws -> Result<Value, JSException> {
        var outcome: Result<Value, JSException>?
        try context.withTurn {
            let promise = try promise()
            try promise.then(
                { value in
                    outcome = .success(try value.toValue())
                    return nil
                },
                onRejected: { error in
                    do {
                        let thrower = try error.context.evaluate("(e) => { throw e }")
                        try thrower.call(withArguments: [error])
                    } catch let error as JSException { outcome = .failure(error) }
                    return nil
                }
            )
        }
        return outcome ?? .success("pending")
    }

    /// Returns the exports of a module.
    func exports(of specifier: String) throws -> Value {
        try settled { try context.importModule(specifier) }.get()
    }

    /// Returns the error of an import.
    func error(of specifier: String) throws -> JSException? {
        guard case .failure(let error) = try settled({ try context.importModule(specifier) }) else {
            return nil
        }
        return error
    }

    /// Returns the value of a promise that a script returns.
    func value(_ script: String) throws -> Value {
        try settled { try JSPromise(try context.evaluate(script, sourceURL: "app:///script.js")) }.get()
    }
}
