internal import BridgeValues
internal import CBridgeScript
internal import Synchronization

/// The built-in modules that give scripts the system: `bridge:fs` and `bridge:process`.
final class SystemModules: Sendable {
    private let registered = Mutex<Set<String>>([])

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
            let permissions = session.configuration.permissions
            if registered.withLock({ $0.insert(name).inserted }) {
                ProcessHandlers(process, maximumLineBytes: permissions.maximumLineBytes).register(on: session)
            }
            return process.description(for: permissions)
        default: return nil
        }
    }

    private func registerFiles(for session: BridgeSession) throws {
        try registered.withLock { registered in
            guard !registered.contains("fs") else { return }
            let configuration = session.configuration
            let tier = configuration.executionLimits.tier
            let access = try ScriptAccess(
                configuration.permissions,
                tier: tier,
                // A person decides about the host's files only for scripts that are trusted.
                ask: tier == .trusted ? configuration.permissionHandler : nil,
                report: { [weak session] refusal, name in
                    session?.reportDenial(refusal, of: name, nil, beginsAudit: true)
                }
            )
            session.registerFileHandlers(ScriptFiles(access: access))
            registered.insert("fs")
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
