internal import BridgeValues
internal import JavaScriptEngine

extension DebugSession {
    static func capabilities(canTerminate: Bool, canRestart: Bool) -> Value {
        [
            "supportsConfigurationDoneRequest": true, "supportsConditionalBreakpoints": true,
            "supportsHitConditionalBreakpoints": true, "supportsLogPoints": true,
            "supportsEvaluateForHovers": true, "supportsSetVariable": true,
            "supportsLoadedSourcesRequest": true, "supportsBreakpointLocationsRequest": true,
            "supportsClipboardContext": true,
            "supportsExceptionInfoRequest": true, "supportsRestartRequest": .bool(canRestart),
            "supportTerminateDebuggee": .bool(canTerminate),
            "supportsTerminateRequest": .bool(canTerminate),
            "exceptionBreakpointFilters": [
                ["filter": "all", "label": "All exceptions", "default": false],
                ["filter": "uncaught", "label": "Uncaught exceptions", "default": true],
            ],
        ]
    }

    /// Receives an event of the engine.
    func receive(event name: String, _ parameters: Value, from context: InspectedContext) {
        guard isAttached, !isClosed else { return }
        switch name {
        case "Debugger.paused": didPause(parameters, in: context)
        case "Debugger.resumed": didResume(context)
        case "Debugger.breakpointResolved": didResolve(parameters, in: context)
        case "Debugger.didSampleProbe": didSample(parameters["sample"], in: context)
        default: break
        }
    }

    private func didPause(_ parameters: Value, in context: InspectedContext) {
        var hits: [Value] = []
        if parameters["reason"] == "Breakpoint", let id = parameters["data"]["breakpointId"].stringValue,
            let breakpoint = breakpoints.breakpoint(engineID: id, in: context.id)
        {
            breakpoint.hitCount += 1
            if let condition = breakpoint.hits, !condition.includes(breakpoint.hitCount) {
                return command(context, "Debugger.resume")
            }
            hits.append(Value(breakpoint.id))
        }
        if let method = commandToLeave(parameters, in: context) { return command(context, method) }
        steps[context.id] = nil
        let requested = requestedPauses.removeValue(forKey: context.id)
        if requested == "entry" { for breakpoint in breakpoints.all { install(breakpoint, in: context) } }
        var body = ValueObject([
            ("threadId", Value(context.id)), ("allThreadsStopped", false),
        ])
        let (reason, description) = Self.reason(of: parameters, requested: requested)
        body["reason"] = .string(reason)
        body["description"] = .string(description)
        if reason == "exception" { body["text"] = .string(RemoteObject(parameters["data"]).text) }
        if !hits.isEmpty { body["hitBreakpointIds"] = .array(hits) }
        makePause(parameters, in: context) { [weak self] pause in
            guard let self, contexts.contains(where: { $0 === context }) else { return }
            pauses[context.id] = pause
            sendEvent("stopped", .object(body))
        }
    }

    /// Returns the command that leaves the package's own scripts, in which a step or a requested pause has ended; `nil`
    /// for a pause that a client sees.
    private func commandToLeave(_ parameters: Value, in context: InspectedContext) -> String? {
        let scripts = (parameters["callFrames"].arrayValue ?? []).map { frame in
            frame["location"]["scriptId"].stringValue.flatMap { context.scripts[$0] }
        }
        let hasVisible = scripts.contains { $0?.isInternal == false }
        let isOwnReason = ["Breakpoint", "exception", "DebuggerStatement"]
            .contains(parameters["reason"].stringValue)
        // The package's own scripts throw and catch too.
        if isOwnReason { return hasVisible ? nil : "Debugger.resume" }
        guard scripts.first??.isInternal == true else { return commandToLeaveGap(parameters, in: context) }
        if requestedPauses[context.id] != nil {
            return scripts.first??.isOfPause == true && hasVisible ? nil : "Debugger.stepInto"
        }
        return hasVisible ? "Debugger.stepOut" : "Debugger.resume"
    }

    // A step ends in a gap of a source map after so many statements, such as those of an endless loop.
    private static let maximumRepetitionCount = 1000

    /// Returns the command that leaves code that comes from no source of its script's source map, in which a step has
    /// ended; `nil` if the step has ended elsewhere, or does not leave the code.
    private func commandToLeaveGap(_ parameters: Value, in context: InspectedContext) -> String? {
        let location = parameters["callFrames"][0]["location"]
        guard let script = location["scriptId"].stringValue.flatMap({ context.scripts[$0] }),
            let line = location["lineNumber"].int,
            script.place(line: line, column: location["columnNumber"].int ?? 0).hasNoOriginal
        else { return nil }
        let (method, count) = steps[context.id] ?? ("Debugger.stepNext", 0)
        guard count < Self.maximumRepetitionCount else { return nil }
        steps[context.id] = (method, count + 1)
        return method == "Debugger.stepInto" ? method : "Debugger.stepNext"
    }

    private static func reason(of parameters: Value, requested: String?) -> (String, String) {
        switch parameters["reason"].stringValue {
        case "Breakpoint": ("breakpoint", "Paused on breakpoint")
        case "exception": ("exception", "Paused on exception")
        case "DebuggerStatement": ("breakpoint", "Paused on debugger statement")
        // After a step, or after a pause that was requested inside one of the package's own scripts.
        default:
            requested.map { ($0, $0 == "entry" ? "Paused on entry" : "Paused") } ?? (
                "step", "Paused after step"
            )
        }
    }

    private func didResume(_ context: InspectedContext) {
        // After a request of the client the pause is forgotten already.
        guard pauses[context.id] != nil else { return }
        forgetPause(of: context)
        sendEvent("continued", ["threadId": Value(context.id), "allThreadsContinued": false])
    }

    private func didSample(_ sample: Value, in context: InspectedContext) {
        guard let breakpoint = sample["probeId"].int.flatMap({ breakpoints.breakpoint(id: $0) }) else {
            return
        }
        breakpoint.hitCount += 1
        if let condition = breakpoint.hits, !condition.includes(breakpoint.hitCount) { return }
        var output = ValueObject([
            ("category", "console"),
            ("output", .string(RemoteObject(sample["payload"]).rawText + "\n")),
            ("line", Value(breakpoint.line)),
        ])
        if let path = breakpoint.path { output["source"] = ["path": .string(path)] }
        sendEvent("output", .object(output))
    }

    /// Sends a line of the console to the client.
    func receive(console message: ConsoleMessage, sourceURL: String?, line: Int?) {
        guard isAttached, !isClosed else { return }
        let isError = message.level == .error || message.level == .warn
        var output = ValueObject([
            ("category", isError ? "stderr" : "stdout"), ("output", .string(message.text + "\n")),
        ])
        if let source = sourceURL.flatMap({ source(named: $0) }) {
            output["source"] = source
            if let line { output["line"] = Value(line) }
        }
        sendEvent("output", .object(output))
    }

    /// Notifies the client that the program has ended.
    func end(exitCode: Int?) {
        guard isAttached, !isClosed else { return }
        if let exitCode { sendEvent("exited", ["exitCode": Value(exitCode)]) }
        sendEvent("terminated")
    }
}
