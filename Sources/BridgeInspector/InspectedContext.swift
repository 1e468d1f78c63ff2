internal import BridgeValues
internal import JavaScriptEngine

/// A script of a context, as the engine has parsed it.
struct InspectedScript {
    /// The ID in the engine.
    let id: String
    /// The name under which it was evaluated, or the one in its comment `//# sourceURL=`.
    let url: String
    /// The file; `nil` for a script without one.
    let path: String?
    /// The number by which a client requests the text of a script without a file.
    let reference: Int
    let endLine: Int

    /// A Boolean value that indicates whether the script is the package's own, which clients do not see.
    var isInternal: Bool { url.hasPrefix("jsbridge:") }

    /// The script as the protocol describes it.
    var source: Value {
        let name = url.isEmpty ? "script \(id)" : String(url.split(separator: "/").last ?? "script")
        if let path { return ["name": .string(name), "path": .string(path)] }
        return ["name": .string(name), "sourceReference": .integer(Int64(reference))]
    }
}

/// A context that is inspected, with all that outlives a client.
final class InspectedContext {
    /// The number of the context, which is also that of its thread in the protocol.
    let id: Int
    /// The scripts by their ID.
    private(set) var scripts: [String: InspectedScript] = [:]
    private var scriptOrder: [String] = []
    private var commandCount = 0
    private let run: (String) -> Void
    /// Turns the lines of the console on or off.
    let setReceivesConsole: (Bool) -> Void

    // Bounds the table for a program that evaluates without end.
    private static let maximumScriptCount = 10_000

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - id: The number of the target.
    ///   - run: Sends a command as JSON text.
    ///   - setReceivesConsole: Turns the lines of the console on or off.
    init(id: Int, run: @escaping (String) -> Void, setReceivesConsole: @escaping (Bool) -> Void = { _ in }) {
        self.id = id
        self.run = run
        self.setReceivesConsole = setReceivesConsole
    }

    /// Sends a command.
    ///
    /// - Returns: The ID of its response.
    @discardableResult
    func send(_ method: String, _ parameters: Value = [:]) -> Int {
        commandCount += 1
        let command: Value = [
            "id": .integer(Int64(commandCount)), "method": .string(method), "params": parameters,
        ]
        run(JSONText.of(command))
        return commandCount
    }

    /// Records a script by the engine's event.
    ///
    /// - Returns: The script.
    func add(_ parameters: Value, reference: Int) -> InspectedScript? {
        guard let id = parameters["scriptId"].stringValue else { return nil }
        let name = parameters["sourceURL"].stringValue ?? parameters["url"].stringValue ?? ""
        let script = InspectedScript(
            id: id,
            url: name,
            path: ScriptPath.path(ofScript: name),
            reference: reference,
            endLine: Int(parameters["endLine"].integerValue ?? 0)
        )
        if scripts.updateValue(script, forKey: id) == nil { scriptOrder.append(id) }
        if scriptOrder.count > Self.maximumScriptCount { scripts[scriptOrder.removeFirst()] = nil }
        return script
    }

    /// The scripts in the order in which they were parsed.
    var orderedScripts: [InspectedScript] { scriptOrder.compactMap { scripts[$0] } }
}
