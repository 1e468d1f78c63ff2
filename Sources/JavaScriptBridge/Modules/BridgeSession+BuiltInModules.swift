internal import BridgeProtocol
internal import BridgeValues
internal import Synchronization

/// The built-in modules of a bridge.
extension BridgeSession {
    private static let prefix = "bridge:"
    private static let groupPrefix = "bridge:handlers/"

    /// Returns a configuration with the bridge's built-in modules, unless it has others of their URLs.
    func addingBuiltIns(to modules: ModuleConfiguration) -> ModuleConfiguration {
        var modules = modules
        let builtIn: BuiltInModule = { [weak self] context, url in
            guard let self, let exports = try exports(of: url, in: context) else {
                throw ModuleError("there is no built-in module \"\(Printable.text(url))\"")
            }
            return exports
        }
        modules.builtIns.merge([Self.prefix: builtIn]) { given, _ in given }
        return modules
    }

    /// Returns the exports of a built-in module; `nil` if there is none with the URL.
    private func exports(of url: String, in context: JSContext) throws -> JSValue? {
        guard configuration.injectsScript else { return nil }
        guard url.hasPrefix(Self.groupPrefix) else {
            let part = try JSValue(.string(String(url.dropFirst(Self.prefix.count))), in: context)
            let exports = try context.internals.invokeMethod("partOf", withArguments: [part])
            if exports.isObject { return exports }
            return try systemExports(of: String(url.dropFirst(Self.prefix.count)), in: context)
        }
        let group = String(url.dropFirst(Self.groupPrefix.count))
        let names = handlerNames(inGroup: group)
        guard !names.isEmpty else {
            throw ModuleError(
                "module \"\(Printable.text(url))\" not found: no handler of this group is registered"
            )
        }
        return try context.internals.invokeMethod(
            "handlersOf",
            withArguments: [
                JSValue(.string(group), in: context),
                JSValue(.array(names.map { .string($0) }), in: context),
            ]
        )
    }

    /// Returns the names of a group's members that scripts may call: of handlers, and of groups in it.
    private func handlerNames(inGroup group: String) -> [String] {
        let prefix = group + "."
        let names = state.withLock { state in
            state.machine.handlerNames.filter { $0.hasPrefix(prefix) && state.machine.isGranted($0) }
        }
        let members = names.map { String($0.dropFirst(prefix.count).prefix { $0 != "." }) }
        // A namespace object with `then` would be taken for a promise; `default` is the group itself.
        return Set(members).subtracting(["", "then", "default"]).sorted()
    }
}
