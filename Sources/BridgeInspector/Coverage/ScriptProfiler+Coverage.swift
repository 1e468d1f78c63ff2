internal import BridgeValues
internal import JavaScriptEngine
internal import Synchronization

extension ScriptProfiler {
    /// Returns the counts of all that scripts with a file have run so far.
    ///
    /// Positions in a script with a source map are those of its sources. The package's own scripts, and code that was
    /// evaluated from a string, are left out.
    ///
    /// - Parameter isIncluded: Returns whether a file is included, by its absolute path. By default, files of packages
    ///   (`node_modules`) are left out.
    /// - Returns: The counts by file.
    /// - Throws: ``ProfilerError`` if no coverage is recorded, or the context was closed.
    public func coverage(
        including isIncluded: @Sendable (_ path: String) -> Bool = { !$0.contains("/node_modules/") }
    ) async throws(ProfilerError) -> Coverage {
        guard recordings.contains(.coverage) else {
            throw ProfilerError("the profiler was created without '.coverage'")
        }
        var coverage = Coverage()
        for script in state.withLock({ $0.scripts }) {
            guard script.path.map(isIncluded) ?? false else { continue }
            for file in try await counts(of: script).files where isIncluded(file.path) { coverage.add(file) }
        }
        return coverage
    }

    private func counts(of script: ProfiledScript) async throws(ProfilerError) -> ScriptCoverage {
        let source = try await value(of: "Debugger.getScriptSource", ["scriptId": .string(script.id)])
        let text = source["scriptSource"].stringValue ?? ""
        let lineCount = ScriptLines(text).count
        func position(_ line: Int) -> Value {
            ["scriptId": .string(script.id), "lineNumber": Value(line), "columnNumber": 0]
        }
        let range: Value = ["start": position(0), "end": position(lineCount)]
        return ScriptCoverage(
            script,
            text: text,
            blocks: try await value(of: "Runtime.getBasicBlocks", ["sourceID": .string(script.id)]),
            locations: try await value(of: "Debugger.getBreakpointLocations", range),
            // Without its map, a script is shown as it is.
            map: try? SourceMap.ofScript(
                text,
                name: script.url,
                loader: script.path.map { .beside(file: $0) }
            )
        )
    }

    private func value(of method: String, _ parameters: Value) async throws(ProfilerError) -> Value {
        let response = try await send(method, parameters)
        guard let result = JSONText.value(of: response)?["result"] else {
            throw ProfilerError("the engine's response to \(method) cannot be read")
        }
        return result
    }
}
