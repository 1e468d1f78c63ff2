internal import BridgeValues
internal import JavaScriptEngine

extension DebugSession {
    /// A script, or a source that one was made from.
    private struct FoundSource {
        let context: InspectedContext
        let script: InspectedScript
        let original: OriginalSource?
    }

    /// Returns the source that a client names: by path the one that was loaded last.
    private func find(_ source: Value) -> FoundSource? {
        if let reference = source["sourceReference"].int, reference > 0 {
            return find {
                $0.source(reference: reference)
            } script: {
                $0.reference == reference
            }
        }
        guard let path = source["path"].nonEmptyString.flatMap({ ScriptPath.path(ofScript: $0) }) else {
            return nil
        }
        return find {
            $0.source(path: path)
        } script: {
            $0.path == path
        }
    }

    private func find(
        original: (OriginalSources) -> OriginalSource?,
        script matches: (InspectedScript) -> Bool
    ) -> FoundSource? {
        for context in contexts {
            if let (script, source) = context.original(where: original) {
                return FoundSource(context: context, script: script, original: source)
            }
            if let script = context.orderedScripts.last(where: matches) {
                return FoundSource(context: context, script: script, original: nil)
            }
        }
        return nil
    }

    /// Returns the text of a script or a source.
    func source(_ request: DebugRequest) {
        var named = request.arguments["source"]
        if let reference = request.arguments["sourceReference"].int, reference > 0 {
            named = ["sourceReference": Value(reference)]
        }
        guard let found = find(named) else { return fail(request, "the script is not known") }
        if let original = found.original {
            guard let content = original.content else {
                return fail(request, "the source map does not contain the text of '\(original.name)'")
            }
            return respond(request, ["content": .string(content)])
        }
        let script: Value = ["scriptId": .string(found.script.id)]
        command(found.context, "Debugger.getScriptSource", script) { [weak self] result in
            switch result {
            case .success(let result):
                let text = result["scriptSource"].stringValue ?? ""
                self?.respond(request, ["content": .string(text), "mimeType": "text/javascript"])
            case .failure(let problem): self?.fail(request, problem.message)
            }
        }
    }

    func loadedSources(_ request: DebugRequest) {
        let scripts = contexts.flatMap(\.orderedScripts).filter { !$0.isInternal }
        respond(request, ["sources": .array(scripts.flatMap(\.visibleSources))])
    }

    /// Returns the source of a name: a script, or a source that one was made from.
    func source(named name: String) -> Value? {
        for context in contexts {
            if let (_, source) = context.original(where: { $0.source(named: name) }) { return source.source }
            if let script = context.orderedScripts.last(where: { $0.url == name }) { return script.source }
        }
        return nil
    }

    /// Returns the places of a source at which breakpoints can be.
    func breakpointLocations(_ request: DebugRequest) {
        guard let found = find(request.arguments["source"]), let line = request.arguments["line"].int,
            line > 0
        else { return respond(request, ["breakpoints": []]) }
        let lines = line...max(line, request.arguments["endLine"].int ?? line)
        guard let range = Self.range(of: lines, in: found) else {
            return respond(request, ["breakpoints": []])
        }
        func place(_ position: ScriptSourceMap.Position) -> Value {
            [
                "scriptId": .string(found.script.id), "lineNumber": Value(position.line),
                "columnNumber": Value(position.column),
            ]
        }
        let parameters: Value = ["start": place(range.first), "end": place(range.last)]
        command(found.context, "Debugger.getBreakpointLocations", parameters) { [weak self] result in
            let locations = (try? result.get())?["locations"].arrayValue ?? []
            let source = found.original?.source ?? found.script.source
            var seen: Set<ScriptSourceMap.Position> = []
            let places = locations.compactMap { location -> ScriptSourceMap.Position? in
                let place = found.script.place(
                    line: location["lineNumber"].int ?? 0,
                    column: location["columnNumber"].int ?? 0
                )
                let position = ScriptSourceMap.Position(line: place.line, column: place.column)
                guard place.source == source, lines.contains(place.line), seen.insert(position).inserted
                else {
                    return nil
                }
                return position
            }
            let body = places.map { ["line": Value($0.line), "column": Value($0.column)] as Value }
            self?.respond(request, ["breakpoints": .array(body)])
        }
    }

    /// Returns the range of the script for lines of a source.
    private static func range(
        of lines: ClosedRange<Int>,
        in found: FoundSource
    ) -> (first: ScriptSourceMap.Position, last: ScriptSourceMap.Position)? {
        guard let original = found.original, let map = found.script.originals?.map else {
            return (
                ScriptSourceMap.Position(line: lines.lowerBound - 1, column: 0),
                ScriptSourceMap.Position(line: lines.upperBound, column: 0)
            )
        }
        return map.range(ofSource: original.name, lines: lines).map { range in
            // A place of the engine can follow the last mapping in its line.
            (range.first, ScriptSourceMap.Position(line: range.last.line + 1, column: 0))
        }
    }
}
