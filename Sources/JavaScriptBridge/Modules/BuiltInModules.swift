internal import BridgeProtocol
internal import BridgeValues
internal import CBridgeScript
internal import Synchronization

/// The built-in modules of a bridge: parts of its script, the groups of its handlers, and the system.
final class BuiltInModules: Sendable {
    private static let prefix = "bridge:"
    private static let groupPrefix = "bridge:handlers/"

    private struct State {
        var hasFiles = false
        var variables: ScriptVariables?
        var requests: PermissionRequests?
    }

    private let state = Mutex(State())

    /// Returns a configuration with the built-in modules, unless it has others of their URLs.
    func adding(to modules: ModuleConfiguration, of session: BridgeSession) -> ModuleConfiguration {
        var modules = modules
        let builtIn: BuiltInModule = { [weak session] context, url in
            guard let session,
                let exports = try session.builtInModules.exports(of: url, for: session, in: context)
            else {
                throw ModuleError("there is no built-in module \"\(Printable.text(url))\"")
            }
            return exports
        }
        modules.builtIns.merge([Self.prefix: builtIn]) { given, _ in given }
        return modules
    }

    /// Returns the exports of a built-in module; `nil` if there is none with the URL.
    private func exports(
        of url: String,
        for session: BridgeSession,
        in context: JSContext
    ) throws -> JSValue? {
        guard session.configuration.injectsScript else { return nil }
        guard url.hasPrefix(Self.groupPrefix) else {
            let part = try JSValue(.string(String(url.dropFirst(Self.prefix.count))), in: context)
            let exports = try context.internals.invokeMethod("partOf", withArguments: [part])
            if exports.isObject { return exports }
            return try systemExports(of: String(url.dropFirst(Self.prefix.count)), for: session, in: context)
        }
        let group = String(url.dropFirst(Self.groupPrefix.count))
        let names = Self.handlerNames(inGroup: group, of: session)
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
    private static func handlerNames(inGroup group: String, of session: BridgeSession) -> [String] {
        let prefix = group + "."
        let names = session.state.withLock { state in
            state.machine.handlerNames.filter { $0.hasPrefix(prefix) && state.machine.isGranted($0) }
        }
        let members = names.map { String($0.dropFirst(prefix.count).prefix { $0 != "." }) }
        // A namespace object with `then` would be taken for a promise; `default` is the group itself.
        return Set(members).subtracting(["", "then", "default"]).sorted()
    }

    /// Returns the exports of a module of the system; `nil` if there is none with the name.
    private func systemExports(
        of name: String,
        for session: BridgeSession,
        in context: JSContext
    ) throws -> JSValue? {
        if name == "test", session.configuration.providesTests { return try testExports(in: context) }
        guard let given = try prepare(name, for: session) else { return nil }
        if try context.internals.forProperty("systemModule").isUndefined {
            let text = bridge_script_system()
            try context.runInternalScript(bytes: text.bytes, count: text.count)
        }
        let exports = try context.internals.invokeMethod(
            "systemModule",
            withArguments: [JSValue(.string(name), in: context), JSValue(given, in: context)]
        )
        return exports.isObject ? exports : nil
    }

    private func testExports(in context: JSContext) throws -> JSValue {
        if try context.internals.forProperty("testModule").isUndefined {
            let text = bridge_script_testing()
            try context.runInternalScript(bytes: text.bytes, count: text.count)
        }
        return try context.internals.invokeMethod("testModule")
    }

    /// Registers the handlers of a module, unless they are.
    ///
    /// - Returns: What the module's script is given; `nil` if the bridge has no such module.
    private func prepare(_ name: String, for session: BridgeSession) throws -> Value? {
        switch name {
        case "fs":
            try registerFiles(for: session)
            return .undefined
        case "process":
            guard let process = session.configuration.process else { return nil }
            return process.description(variables(of: process, for: session))
        default: return nil
        }
    }

    /// Registers the handlers of the process, unless they are, and returns its variables.
    private func variables(of process: ScriptProcess, for session: BridgeSession) -> ScriptVariables {
        state.withLock { state in
            if let variables = state.variables { return variables }
            let permissions = session.configuration.permissions
            let variables = ScriptVariables(
                process.environment,
                permissions,
                // The other transports have no synchronous call.
                session.configuration.transport == .direct ? Self.requests(&state, of: session) : nil,
                report: Self.report(to: session)
            )
            state.variables = variables
            ProcessHandlers(process, variables, maximumLineBytes: permissions.maximumLineBytes).register(
                on: session
            )
            return variables
        }
    }

    private func registerFiles(for session: BridgeSession) throws {
        try state.withLock { state in
            guard !state.hasFiles else { return }
            let access = try ScriptAccess(
                session.configuration.permissions,
                tier: session.configuration.executionLimits.tier,
                requests: Self.requests(&state, of: session),
                report: Self.report(to: session)
            )
            ScriptFiles(access: access).register(on: session)
            state.hasFiles = true
        }
    }

    /// Returns the requests to the host, which both modules share; `nil` if it is not asked.
    private static func requests(_ state: inout State, of session: BridgeSession) -> PermissionRequests? {
        // A person decides only for scripts that are trusted.
        guard session.configuration.executionLimits.tier == .trusted else { return nil }
        if state.requests == nil {
            state.requests = session.configuration.permissionHandler.map(PermissionRequests.init)
        }
        return state.requests
    }

    private static func report(to session: BridgeSession) -> @Sendable (BridgeDenial.Refusal, String) -> Void
    {
        { [weak session] refusal, name in
            session?.reportDenial(refusal, of: name, nil, beginsAudit: true)
        }
    }
}
