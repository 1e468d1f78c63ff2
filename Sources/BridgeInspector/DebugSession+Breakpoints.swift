internal import BridgeValues

extension DebugSession {
    /// Replaces the breakpoints of one source.
    ///
    /// They become verified by an event, when the engine has found their place.
    func setBreakpoints(_ request: DebugRequest) {
        let source = request.arguments["source"]
        let reference = source["sourceReference"].int ?? 0
        let script = script(reference: reference).map { (context: $0.id, id: $1.id) }
        guard let key = source["path"].nonEmptyString ?? script.map({ "\($0.context):\($0.id)" }) else {
            return fail(request, "the source has neither a path nor the reference of a script")
        }
        var added: [Breakpoint] = []
        var results: [Value] = []
        for description in request.arguments["breakpoints"].arrayValue ?? [] {
            let id = breakpoints.makeID()
            do throws(BreakpointProblem) {
                let path = script == nil ? key : nil
                let breakpoint = try Breakpoint(id: id, path: path, script: script, description)
                added.append(breakpoint)
                results.append(state(of: breakpoint))
            } catch {
                results.append(["id": Value(id), "verified": false, "message": .string(error.message)])
            }
        }
        for breakpoint in breakpoints.replace(key, by: added) { remove(breakpoint) }
        respond(request, ["breakpoints": .array(results)])
        for breakpoint in added { for context in contexts { install(breakpoint, in: context) } }
    }

    /// Sets a breakpoint in a context, also for scripts that are loaded later.
    func install(_ breakpoint: Breakpoint, in context: InspectedContext) {
        var parameters = ValueObject([("options", breakpoint.options)])
        let line = Value(max(0, breakpoint.line - 1))
        let column = breakpoint.column.map { Value(max(0, $0 - 1)) }
        if let script = breakpoint.script {
            guard script.context == context.id else { return }
            var location = ValueObject([("scriptId", .string(script.id)), ("lineNumber", line)])
            if let column { location["columnNumber"] = column }
            parameters["location"] = .object(location)
            command(context, "Debugger.setBreakpoint", .object(parameters)) { [weak self] result in
                self?.didInstall(breakpoint, in: context, result)
            }
            return
        }
        parameters["urlRegex"] = .string(ScriptPath.expression(of: breakpoint.path ?? ""))
        parameters["lineNumber"] = line
        if let column { parameters["columnNumber"] = column }
        command(context, "Debugger.setBreakpointByUrl", .object(parameters)) { [weak self] result in
            self?.didInstall(breakpoint, in: context, result)
        }
    }

    private func didInstall(
        _ breakpoint: Breakpoint,
        in context: InspectedContext,
        _ result: Result<Value, CommandProblem>
    ) {
        switch result {
        case .failure(let problem):
            guard !breakpoint.isRemoved else { return }
            sendChange(of: breakpoint, message: problem.message)
        case .success(let result):
            guard let engineID = result["breakpointId"].stringValue else { return }
            breakpoint.engineIDs[context.id] = engineID
            guard !breakpoint.isRemoved else { return remove(breakpoint) }
            let location = result["locations"].arrayValue?.first ?? result["actualLocation"]
            if location.objectValue != nil { verify(breakpoint, at: location, in: context) }
        }
    }

    private func remove(_ breakpoint: Breakpoint) {
        breakpoint.isRemoved = true
        for context in contexts {
            guard let id = breakpoint.engineIDs.removeValue(forKey: context.id) else { continue }
            command(context, "Debugger.removeBreakpoint", ["breakpointId": .string(id)])
        }
    }

    /// Records that the engine has found the place of a breakpoint.
    func didResolve(_ parameters: Value, in context: InspectedContext) {
        guard let engineID = parameters["breakpointId"].stringValue,
            let breakpoint = breakpoints.breakpoint(engineID: engineID, in: context.id)
        else { return }
        verify(breakpoint, at: parameters["location"], in: context)
    }

    private func verify(_ breakpoint: Breakpoint, at location: Value, in context: InspectedContext) {
        guard !breakpoint.isVerified else { return }
        breakpoint.isVerified = true
        sendChange(of: breakpoint, location: location, in: context)
    }

    private func sendChange(
        of breakpoint: Breakpoint,
        location: Value = [:],
        in context: InspectedContext? = nil,
        message: String? = nil
    ) {
        guard var change = state(of: breakpoint).objectValue else { return }
        if let line = location["lineNumber"].int { change["line"] = Value(line + 1) }
        if let column = location["columnNumber"].int { change["column"] = Value(column + 1) }
        if let script = location["scriptId"].stringValue.flatMap({ context?.scripts[$0] }) {
            change["source"] = script.source
        }
        if let message { change["message"] = .string(message) }
        sendEvent("breakpoint", ["reason": "changed", "breakpoint": .object(change)])
    }

    private func state(of breakpoint: Breakpoint) -> Value {
        [
            "id": Value(breakpoint.id), "verified": .bool(breakpoint.isVerified),
            "line": Value(breakpoint.line),
        ]
    }

    /// Sets the exceptions at which scripts pause: `all`, `uncaught` or none.
    func setExceptionBreakpoints(_ request: DebugRequest) {
        let filters = request.arguments["filters"].arrayValue?.compactMap(\.stringValue) ?? []
        if let unknown = filters.first(where: { !["all", "uncaught"].contains($0) }) {
            return fail(request, "the filter '\(unknown)' is not 'all' or 'uncaught'")
        }
        exceptionState = filters.contains("all") ? "all" : filters.contains("uncaught") ? "uncaught" : "none"
        for context in contexts {
            command(context, "Debugger.setPauseOnExceptions", ["state": .string(exceptionState)])
        }
        respond(request)
    }

    /// Returns the places of a script at which breakpoints can be.
    func breakpointLocations(_ request: DebugRequest) {
        guard let (context, script) = findScript(request.arguments["source"]),
            let line = request.arguments["line"].int
        else { return respond(request, ["breakpoints": []]) }
        let endLine = max(line, request.arguments["endLine"].int ?? line)
        func place(_ line: Int) -> Value {
            ["scriptId": .string(script.id), "lineNumber": Value(line), "columnNumber": 0]
        }
        let range: Value = ["start": place(max(0, line - 1)), "end": place(endLine)]
        command(context, "Debugger.getBreakpointLocations", range) { [weak self] result in
            let locations = (try? result.get())?["locations"].arrayValue ?? []
            let places = locations.map { location -> Value in
                [
                    "line": Value((location["lineNumber"].int ?? 0) + 1),
                    "column": Value((location["columnNumber"].int ?? 0) + 1),
                ]
            }
            self?.respond(request, ["breakpoints": .array(places)])
        }
    }

    /// Returns the script that a client knows by a number.
    private func script(reference: Int) -> (InspectedContext, InspectedScript)? {
        for context in contexts {
            if let script = context.scripts.values.first(where: { $0.reference == reference }) {
                return (context, script)
            }
        }
        return nil
    }

    /// Returns the script that a source of the protocol names: by path the one that was loaded last.
    func findScript(_ source: Value) -> (InspectedContext, InspectedScript)? {
        if let reference = source["sourceReference"].int, reference > 0 {
            return script(reference: reference)
        }
        guard let path = source["path"].nonEmptyString.flatMap({ ScriptPath.path(ofScript: $0) }) else {
            return nil
        }
        for context in contexts {
            if let script = context.orderedScripts.last(where: { $0.path == path }) {
                return (context, script)
            }
        }
        return nil
    }
}
