internal import BridgeValues
internal import JavaScriptBridge

/// What a script asks the host for with `jsbridge.environment`.
struct EnvironmentRequest: Codable, Hashable, Sendable {
    /// The environment variables it wants; none where it is missing.
    var variables: [String]?
}

/// What a script runs in.
struct EnvironmentReply: Codable, Hashable, Sendable {
    /// The engine that runs it.
    struct Engine: Codable, Hashable, Sendable {
        var version: String
        var lane: String
    }

    /// The tool's version.
    var version: String
    var engine: Engine
    /// The script's name as it was given.
    var script: String
    /// What followed the script's name.
    var arguments: [String]
    var store: StoreDescription
    /// Those of the wanted variables that there are.
    var variables: [String: String]
}

/// Where a script's store is kept.
struct StoreDescription: Codable, Hashable, Sendable {
    /// What becomes of the store.
    enum Kind: String, Codable, Sendable {
        /// It is a file of the user's.
        case file
        /// It is a file that is removed when the run ends.
        case temporary
        /// It is gone when the run ends, and was never in a file.
        case memory
    }

    var kind: Kind
    /// The path of the file; `nil` also for a script that is not trusted.
    var path: String?
}

/// What the script's handler `main` gets.
struct MainRequest: Codable, Hashable, Sendable {
    /// What followed the script's name.
    var arguments: [String]
    var store: StoreDescription
}

/// The handlers that a script finds in `jsbridge run`.
struct ScriptEnvironment: Sendable {
    let options: RunOptions
    let place: StorePlace
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
                lane: Capabilities.current.lane
            ),
            script: options.script.name,
            arguments: options.arguments,
            store: place.description(for: options.tier),
            variables: variables.filter { names.contains($0.key) }
        )
    }
}
