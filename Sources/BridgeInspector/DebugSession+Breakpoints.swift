internal import BridgeValues
internal import JavaScriptEngine

extension DebugSession {
    /// Replaces the breakpoints of one source.
    ///
    /// They become verified by an event, when the engine has found their place.
    func setBreakpoints(_ request: DebugRequest) {
        let source = request.arguments["source"]
        let reference = source["sourceReference"].int ?? 0
        let place: Breakpoint.Place
        if reference > 0 {
            place = .reference(reference)
        } else if let path = source["path"].nonEmptyString {
            // A client whose paths are URLs says so in `initialize`; one that does not is understood too.
            place = .path(path.hasPrefix("file:") ? ScriptPath.path(ofScript: path) ?? path : path)
        } else {
            return fail(request, "the source has neither a path nor the reference of a script")
        }
        let descriptions = request.arguments["breakpoints"].arrayValue ?? []
        guard descriptions.count <= Self.maximumBreakpointCount else {
            return fail(
                request,
                "\(descriptions.count) breakpoints in a source are too many (limit \(Self.maximumBreakpointCount))"
            )
        }
        var added: [Breakpoint] = []
        var results: [Value] = []
        for description in descriptions {
            let id = breakpoints.makeID()
            do throws(BreakpointProblem) {
                let breakpoint = try Breakpoint(id: id, place: place, description)
                added.append(breakpoint)
                results.append(state(of: breakpoint))
            } catch {
                results.append(["id": Value(id), "verified": false, "message": .string(error.message)])
            }
        }
        for breakpoint in breakpoints.replace(place, by: added) { remove(breakpoint) }
        respond(request, ["breakpoints": .array(results)])
        for breakpoint in added { install(breakpoint) }
    }

    /// The maximum number of breakpoints in one source.
    static let maximumBreakpointCount = 20_000

    // MARK: - Installing

    private func install(_ breakpoint: Breakpoint) {
        // The engine has one breakpoint at a place, so that a removed one must be gone before.
        guard removalCount == 0 else { return waitingBreakpoints.append(breakpoint) }
        for context in contexts { install(breakpoint, in: context) }
    }

    /// Sets a breakpoint in a context, also for scripts that are loaded later.
    ///
    /// A context that is to pause at its first statement gets it there: at a breakpoint that does not pause, such as a log
    /// message, the engine forgets that it is to pause.
    func install(_ breakpoint: Breakpoint, in context: InspectedContext) {
        guard !awaitsEntry(context) else { return }
        parseExpressions(of: breakpoint, in: context)
        switch breakpoint.place {
        case .path(let path):
            if !context.hidesOriginal(path) {
                let parameters: Value = ["urlRegex": .string(ScriptPath.expression(of: path))]
                install(breakpoint, in: context, "Debugger.setBreakpointByUrl", parameters)
            }
            for script in context.mappedScripts.values { install(breakpoint, in: context, mapped: script) }
        case .reference(let reference):
            if let (script, _) = context.original(where: { $0.source(reference: reference) }) {
                return install(breakpoint, in: context, mapped: script)
            }
            guard let script = context.scripts.values.first(where: { $0.reference == reference }) else {
                return
            }
            install(breakpoint, in: context, "Debugger.setBreakpoint", ["scriptId": .string(script.id)])
        }
    }

    /// Tells the client if a condition or a log message cannot be evaluated: the engine takes its error for false,
    /// without a word.
    private func parseExpressions(of breakpoint: Breakpoint, in context: InspectedContext) {
        guard !breakpoint.isParsed else { return }
        breakpoint.isParsed = true
        let expressions = [
            (breakpoint.condition.map { "(\($0)\n)" }, "the condition is never true"),
            (breakpoint.logMessage?.expression, "an expression of the message cannot be evaluated"),
        ]
        for case (let expression?, let problem) in expressions {
            command(context, "Runtime.parse", ["source": .string(expression)]) { [weak self] result in
                guard case .success(let answer) = result, answer["result"].stringValue != "none" else {
                    return
                }
                let reason = answer["message"].stringValue ?? "it is not an expression"
                self?.sendChange(of: breakpoint, message: "\(problem): \(reason)")
            }
        }
    }

    /// Sets a breakpoint in a script that has the breakpoint's source in its source map.
    private func install(
        _ breakpoint: Breakpoint,
        in context: InspectedContext,
        mapped script: InspectedScript
    ) {
        guard let originals = script.originals, let source = originals.source(of: breakpoint.place) else {
            return
        }
        let places = originals.map.places(
            inSource: source.name,
            line: breakpoint.line,
            column: breakpoint.column
        )
        if places.isEmpty {
            sendChange(
                of: breakpoint,
                message: "no code of the script comes from line \(breakpoint.line) or a later one"
            )
        }
        for place in places {
            install(
                breakpoint,
                in: context,
                "Debugger.setBreakpointByUrl",
                ["url": .string(script.url)],
                at: place,
                mappedScript: script.url
            )
        }
    }

    private func install(
        _ breakpoint: Breakpoint,
        in context: InspectedContext,
        _ method: String,
        _ script: Value,
        at place: ScriptSourceMap.Position? = nil,
        mappedScript: String? = nil
    ) {
        let line = place?.line ?? max(0, breakpoint.line - 1)
        let column = place?.column ?? breakpoint.column.map { max(0, $0 - 1) }
        var location = script.objectValue ?? ValueObject([])
        location["lineNumber"] = Value(line)
        if let column { location["columnNumber"] = Value(column) }
        var parameters =
            method == "Debugger.setBreakpoint" ? ValueObject([("location", .object(location))]) : location
        parameters["options"] = breakpoint.options
        breakpoint.pendingCount += 1
        command(context, method, .object(parameters)) { [weak self] result in
            self?.didInstall(breakpoint, in: context, mappedScript, result)
        }
    }

    private func didInstall(
        _ breakpoint: Breakpoint,
        in context: InspectedContext,
        _ mappedScript: String?,
        _ result: Result<Value, CommandProblem>
    ) {
        breakpoint.pendingCount -= 1
        defer { if breakpoint.isRemoved, breakpoint.pendingCount == 0 { didRemove() } }
        switch result {
        case .failure(let problem):
            guard !breakpoint.isRemoved else { return }
            sendChange(of: breakpoint, message: problem.message)
        case .success(let result):
            guard let engineID = result["breakpointId"].stringValue else { return }
            let isHidden = mappedScript == nil && breakpoint.path.map(context.hidesOriginal) == true
            guard !breakpoint.isRemoved, !isHidden, !awaitsEntry(context) else {
                return remove(engineID, in: context)
            }
            let installation = Breakpoint.Installation(id: engineID, mappedScript: mappedScript)
            breakpoints.add(installation, to: breakpoint, in: context.id)
            let location = result["locations"].arrayValue?.first ?? result["actualLocation"]
            if location.objectValue != nil {
                verify(breakpoint, at: location, in: context)
            } else if let script = context.orderedScripts.last(where: { $0.path == breakpoint.path }) {
                reportLine(of: breakpoint, in: script)
            }
        }
    }

    /// Tells the client of a line that its script does not have, or that no code follows.
    private func reportLine(of breakpoint: Breakpoint, in script: InspectedScript) {
        guard !breakpoint.isVerified, breakpoint.path != nil, script.originals == nil else { return }
        let count = script.endLine + 1
        sendChange(
            of: breakpoint,
            message: breakpoint.line > count
                ? "the script has \(count) lines" : "no code is in line \(breakpoint.line) or follows it"
        )
    }

    // MARK: - Removing

    private func remove(_ breakpoint: Breakpoint) {
        breakpoint.isRemoved = true
        if breakpoint.pendingCount > 0 { removalCount += 1 }
        for context in contexts { removeInstallations(of: breakpoint, in: context) }
    }

    private func removeInstallations(
        of breakpoint: Breakpoint,
        in context: InspectedContext,
        where matches: (Breakpoint.Installation) -> Bool = { _ in true }
    ) {
        for installation in breakpoints.removeInstallations(of: breakpoint, in: context.id, where: matches) {
            remove(installation.id, in: context)
        }
    }

    /// Removes all breakpoints of the engine in a context.
    func removeInstallations(in context: InspectedContext) {
        for breakpoint in breakpoints.all { removeInstallations(of: breakpoint, in: context) }
    }

    private func awaitsEntry(_ context: InspectedContext) -> Bool { requestedPauses[context.id] == "entry" }

    private func remove(_ engineID: String, in context: InspectedContext) {
        command(context, "Debugger.removeBreakpoint", ["breakpointId": .string(engineID)])
    }

    /// Installs the breakpoints that waited for the removal of others.
    private func didRemove() {
        removalCount -= 1
        guard removalCount == 0 else { return }
        let waiting = waitingBreakpoints
        waitingBreakpoints = []
        for breakpoint in waiting where !breakpoint.isRemoved { install(breakpoint) }
    }

    // MARK: - Scripts

    /// Notifies the client of a script, and sets the breakpoints of its sources.
    ///
    /// A script with a source map does not run before the breakpoints are set.
    func didParse(_ script: InspectedScript, in context: InspectedContext) {
        guard isAttached, !script.isInternal else { return }
        for source in script.visibleSources {
            sendEvent("loadedSource", ["reason": "new", "source": source])
        }
        guard !breakpoints.isEmpty, !awaitsEntry(context) else { return }
        let hides = script.hidesOriginal
        for breakpoint in breakpoints.all {
            // Those of an earlier script with the same name are at its places.
            removeInstallations(of: breakpoint, in: context) { installation in
                installation.mappedScript == nil
                    ? hides && breakpoint.path == script.path : installation.mappedScript == script.url
            }
            if script.originals != nil { install(breakpoint, in: context, mapped: script) }
            if breakpoint.path == script.path, breakpoint.line > script.endLine + 1 {
                reportLine(of: breakpoint, in: script)
            }
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
        if let script = location["scriptId"].stringValue.flatMap({ context?.scripts[$0] }),
            let line = location["lineNumber"].int
        {
            let place = script.place(line: line, column: location["columnNumber"].int ?? 0)
            change["line"] = Value(place.line)
            change["column"] = Value(place.column)
            change["source"] = place.source
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
}
