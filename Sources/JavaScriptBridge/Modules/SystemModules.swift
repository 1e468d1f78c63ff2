internal import BridgeValues
internal import CBridgeScript
internal import Synchronization

/// The built-in modules that give scripts the system: `bridge:fs`.
final class SystemModules: Sendable {
    private let isRegistered = Mutex(false)

    /// Registers the handlers of the modules, unless they are.
    func prepare(_ session: BridgeSession) throws {
        try isRegistered.withLock { isRegistered in
            guard !isRegistered else { return }
            let configuration = session.configuration
            let isTrusted = configuration.executionLimits.tier == .trusted
            let access = try ScriptAccess(
                configuration.permissions,
                // A person decides about the host's files only for scripts that are trusted.
                ask: isTrusted ? configuration.permissionHandler : nil,
                report: { [weak session] refusal, name in
                    session?.reportDenial(refusal, of: name, nil, beginsAudit: true)
                }
            )
            session.registerFileHandlers(ScriptFiles(access: access))
            isRegistered = true
        }
    }
}

extension BridgeSession {
    /// Returns the exports of a module of the system; `nil` if there is none with the name.
    func systemExports(of name: String, in context: JSContext) throws -> JSValue? {
        guard name == "fs" else { return nil }
        try systemModules.prepare(self)
        if try context.internals.forProperty("systemModule").isUndefined {
            let text = bridge_script_system()
            try context.runInternalScript(bytes: text.bytes, count: text.count)
        }
        let exports = try context.internals.invokeMethod(
            "systemModule",
            withArguments: [JSValue(.string(name), in: context)]
        )
        return exports.isObject ? exports : nil
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
