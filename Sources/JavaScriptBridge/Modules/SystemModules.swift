internal import BridgeValues
internal import CBridgeScript
internal import Synchronization

/// The built-in modules that give scripts the system: `bridge:fs` and `bridge:process`.
final class SystemModules: Sendable {
    private struct State {
        var hasFiles = false
        var variables: ScriptVariables?
        var requests: PermissionRequests?
    }

    private let state = Mutex(State())

    /// Registers the handlers of a module, unless they are.
    ///
    /// - Returns: What the module's script is given; `nil` if the bridge has no such module.
    func prepare(_ name: String, for session: BridgeSession) throws -> Value? {
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
            session.registerFileHandlers(ScriptFiles(access: access))
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

extension BridgeSession {
    /// Returns the exports of a module of the system; `nil` if there is none with the name.
    func systemExports(of name: String, in context: JSContext) throws -> JSValue? {
        if name == "test", configuration.providesTests { return try testExports(in: context) }
        guard let given = try systemModules.prepare(name, for: self) else { return nil }
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

    fileprivate func registerFileHandlers(_ files: ScriptFiles) {
        func add(_ name: String, _ handler: Handler) { register(handler, reserved: "fs." + name) }
        add("readFile", .answeringLater { (request: FileRequest) in try await files.readFile(request) })
        add(
            "readTextFile",
            .answeringLater { (request: FileRequest) in try await files.readTextFile(request) }
        )
        add("stat", .answeringLater { (request: FileRequest) in try await files.stat(request) })
        add("writeFile", .answeringLater { (request: FileRequest) in try await files.writeFile(request) })
        add("copyFile", .answeringLater { (request: FileRequest) in try await files.copyFile(request) })
        add("makeDir", .answeringLater { (request: FileRequest) in try await files.makeDirectory(request) })
        add("remove", .answeringLater { (request: FileRequest) in try await files.remove(request) })
        add("rename", .answeringLater { (request: FileRequest) in try await files.rename(request) })
        add("readDir", .streaming { (request: FileRequest) in try await files.readDirectory(request) })
        add("readLines", .streaming { (request: FileRequest) in try await files.readLines(request) })
        #if canImport(Glibc)
            add("watch", .streaming { (request: FileRequest) in try await files.watch(request) })
        #endif
    }
}
