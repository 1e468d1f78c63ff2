internal import BridgeValues
internal import JavaScriptBridge

/// The request of `jsbridge.environment`.
struct EnvironmentRequest: Codable, Hashable, Sendable {
    /// The requested environment variables; none if missing.
    var variables: [String]?
}

/// The environment of a script.
struct EnvironmentReply: Codable, Hashable, Sendable {
    /// The engine that runs the script.
    struct Engine: Codable, Hashable, Sendable {
        var version: String
        var callPath: String
    }

    /// The tool's version.
    var version: String
    var engine: Engine
    /// The script's name on the command line.
    var script: String
    /// The arguments after the script's name.
    var arguments: [String]
    var store: StoreDescription
    /// The requested variables that are set.
    var variables: [String: String]
}

/// The location of a script's store.
struct StoreDescription: Codable, Hashable, Sendable {
    /// The lifetime of the store.
    enum Kind: String, Codable, Sendable {
        /// A file of the user.
        case file
        /// A file that is removed when the run ends.
        case temporary
        /// Memory, released when the run ends; never a file.
        case memory
    }

    var kind: Kind
    /// The path of the file; `nil` also for a script that is not trusted.
    var path: String?
}

/// The argument of the script's handler `main`.
struct MainRequest: Codable, Hashable, Sendable {
    /// The arguments after the script's name.
    var arguments: [String]
    var store: StoreDescription
}

/// The handlers that `jsbridge run` registers for a script.
struct ScriptEnvironment: Sendable {
    let options: RunOptions
    let place: StoreLocation
    let variables: [String: String]

    func registerHandlers(on bridge: Bridge) throws {
        try bridge.registerHandler("jsbridge.environment") { (request: EnvironmentRequest?) in
            reply(to: request)
        }
    }

    private func reply(to request: EnvironmentRequest?) -> EnvironmentReply {
        let names = Set(request?.variables ?? [])
        return EnvironmentReply(
            version: ProductVersion.current,
            engine: EnvironmentReply.Engine(
                version: Capabilities.current.engineVersion,
                callPath: Capabilities.current.callPath
            ),
            script: options.script.name,
            arguments: options.arguments,
            store: place.description(for: options.tier),
            variables: variables.filter { names.contains($0.key) }
        )
    }
}
