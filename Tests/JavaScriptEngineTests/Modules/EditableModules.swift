import BridgeValues
import JavaScriptEngine
import Synchronization

/// Modules that a test edits and reloads.
final class EditableModules: ModuleLoader {
    private let sources: Mutex<[String: ModuleSource]>
    private let loads = Mutex<[String]>([])
    // nonisolated(unsafe) because a test uses its context on one thread.
    nonisolated(unsafe) let modules: ModuleTestContext

    init(_ texts: [String: String], machine: JSVirtualMachine = JSVirtualMachine()) throws {
        sources = Mutex(Dictionary(uniqueKeysWithValues: texts.map { Self.entry($0, $1) }))
        let box = Box()
        modules = try ModuleTestContext(machine: machine) {
            $0.loader = box
            $0.resolver = Resolver()
            $0.isReloadable = true
        }
        box.modules = self
    }

    /// A loader that does not retain the modules, which retain the context.
    private final class Box: ModuleLoader {
        // nonisolated(unsafe) because it is set once, before the first load.
        nonisolated(unsafe) weak var modules: EditableModules?
        func load(_ request: ModuleRequest) throws -> ModuleLoadResponse {
            guard let modules else { throw ModuleError.notFound(request) }
            return try modules.load(request)
        }
    }

    private struct Resolver: ModuleResolver {
        let urls = URLModuleResolver(baseURL: "app:///")
        func resolve(_ specifier: String, from referrer: String?) throws -> String {
            try urls.resolve(specifier, from: referrer)
        }
        func resolveRequired(_ specifier: String, from referrer: String?) throws -> String {
            try urls.resolve(specifier, from: referrer)
        }
    }

    private static func entry(_ name: String, _ text: String) -> (String, ModuleSource) {
        let isJSON = name.hasSuffix(".json")
        var source = ModuleSource(text, type: isJSON ? .json : .javaScript)
        if name.hasSuffix(".cjs") { source.format = .commonJS }
        return ("app:///" + name, source)
    }

    func load(_ request: ModuleRequest) throws -> ModuleLoadResponse {
        loads.withLock { $0.append(String(request.url.dropFirst(7))) }
        guard let source = sources.withLock({ $0[request.url] }) else { throw ModuleError.notFound(request) }
        return .sync(source)
    }

    var context: JSContext { modules.context }

    /// Returns the names of the modules that were loaded since the last call, in their order.
    func takeLoads() -> [String] {
        loads.withLock { loads in
            defer { loads = [] }
            return loads
        }
    }

    func write(_ text: String?, to name: String) {
        sources.withLock { $0["app:///" + name] = text.map { Self.entry(name, $0).1 } }
    }

    @discardableResult
    func run(_ name: String = "main.js") throws -> Value { try modules.exports(of: "./" + name) }

    func error(of name: String = "main.js") throws -> JSException? { try modules.error(of: "./" + name) }

    /// Reloads modules, and returns the names of those that were replaced.
    @discardableResult
    func reload(_ names: String...) throws -> [String] {
        let urls = try modules.settled { try self.context.reloadModules(Set(names.map { "app:///" + $0 })) }
            .get()
        guard case .array(let urls) = urls else { return ["\(urls)"] }
        return urls.compactMap { $0.stringValue.map { String($0.dropFirst(7)) } }.sorted()
    }

    /// Writes a module and reloads it.
    @discardableResult
    func edit(_ name: String, _ text: String?) throws -> [String] {
        write(text, to: name)
        return try reload(name)
    }

    /// Returns the error of a reload after an edit.
    func failure(_ name: String, _ text: String?) throws -> JSException? {
        do {
            try edit(name, text)
            return nil
        } catch let error as JSException { return error }
    }

    func value(_ script: String) throws -> Value { try context.evaluate(script).toValue() }
}
