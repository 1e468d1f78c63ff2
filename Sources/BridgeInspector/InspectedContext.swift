internal import BridgeValues
internal import JavaScriptEngine

/// The numbers by which clients refer to sources.
final class SourceReferences {
    private var count = 0

    /// Returns the next number.
    func make() -> Int {
        count += 1
        return count
    }
}

/// A context that is inspected, with all that outlives a client.
final class InspectedContext {
    /// The number of the context, which is also that of its thread in the protocol.
    let id: Int
    /// The scripts by their ID.
    private(set) var scripts: [String: InspectedScript] = [:]
    /// The scripts with a source map by their name, of which the last one counts.
    private(set) var mappedScripts: [String: InspectedScript] = [:]
    /// The trace of the latest pause.
    var trace: PausedTrace?
    private var scriptOrder: [String] = []
    /// The numbers of sources that scripts were made from, by name: a script that is loaded again keeps them.
    private var originalReferences: [String: Int] = [:]
    private var commandCount = 0
    private let references: SourceReferences
    private let run: (String) -> Void
    /// A closure that turns the lines of the console on or off.
    let setReceivesConsole: (Bool) -> Void

    // Bounds the table for a program that evaluates without end.
    private static let maximumScriptCount = 10_000

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - id: The number of the target.
    ///   - references: The numbers of sources, which all contexts of a server share.
    ///   - run: Sends a command as JSON text.
    ///   - setReceivesConsole: Turns the lines of the console on or off.
    init(
        id: Int,
        references: SourceReferences = SourceReferences(),
        run: @escaping (String) -> Void,
        setReceivesConsole: @escaping (Bool) -> Void = { _ in }
    ) {
        self.id = id
        self.references = references
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
    /// - Parameters:
    ///   - parameters: The parameters of the event.
    ///   - sourceMap: Returns the source map of a script by its name.
    /// - Returns: The script; `nil` for an expression that was evaluated for a client, of which there may be very many.
    func add(
        _ parameters: Value,
        sourceMap: ((String) -> ScriptSourceMap?)? = nil
    ) -> InspectedScript? {
        guard let id = parameters["scriptId"].stringValue else { return nil }
        let name = parameters["sourceURL"].stringValue ?? parameters["url"].stringValue ?? ""
        guard name != InspectedScript.evaluationURL else { return nil }
        let script = InspectedScript(
            id: id,
            url: name,
            path: ScriptPath.path(ofScript: name),
            reference: references.make(),
            endLine: Int(parameters["endLine"].integerValue ?? 0),
            originals: sourceMap?(name).map { map in
                OriginalSources(map) { [unowned self] in reference(toOriginal: $0) }
            }
        )
        if scripts.updateValue(script, forKey: id) == nil { scriptOrder.append(id) }
        if !name.isEmpty { mappedScripts[name] = script.originals == nil ? nil : script }
        if scriptOrder.count > Self.maximumScriptCount { removeOldest() }
        return script
    }

    private func reference(toOriginal name: String) -> Int {
        if let known = originalReferences[name] { return known }
        if originalReferences.count >= Self.maximumScriptCount { originalReferences = [:] }
        let reference = references.make()
        originalReferences[name] = reference
        return reference
    }

    private func removeOldest() {
        guard let script = scripts.removeValue(forKey: scriptOrder.removeFirst()) else { return }
        if mappedScripts[script.url]?.id == script.id { mappedScripts[script.url] = nil }
    }

    /// The scripts in the order in which they were parsed.
    var orderedScripts: [InspectedScript] { scriptOrder.compactMap { scripts[$0] } }

    /// Returns whether the script of a path has its own source under the same path, so that lines of the path are not
    /// those of the script.
    func hidesOriginal(_ path: String) -> Bool {
        mappedScripts.values.contains { $0.path == path && $0.hidesOriginal }
    }

    /// Returns a source by a predicate, with its script.
    func original(
        where find: (OriginalSources) -> OriginalSource?
    ) -> (script: InspectedScript, source: OriginalSource)? {
        for script in mappedScripts.values {
            if let source = script.originals.flatMap(find) { return (script, source) }
        }
        return nil
    }
}
