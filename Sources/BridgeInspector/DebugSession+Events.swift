internal import BridgeValues
internal import JavaScriptEngine

extension DebugSession {
    static func capabilities(canTerminate: Bool) -> Value {
        [
            "supportsConfigurationDoneRequest": true, "supportsConditionalBreakpoints": true,
            "supportsHitConditionalBreakpoints": true, "supportsLogPoints": true,
            "supportsEvaluateForHovers": true, "supportsSetVariable": true,
            "supportsLoadedSourcesRequest": true, "supportsBreakpointLocationsRequest": true,
            "supportsExceptionInfoRequest": false, "supportsRestartRequest": false,
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

    /// Notifies the client of a script.
    func didParse(_ script: InspectedScript) {
        guard isAttached, !script.isInternal else { return }
        sendEvent("loadedSource", ["reason": "new", "source": script.source])
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
        let pause = makePause(parameters, in: context)
        pauses[context.id] = pause
        var body = ValueObject([
            ("threadId", Value(context.id)), ("allThreadsStopped", false),
        ])
        let requested = requestedPauses.removeValue(forKey: context.id)
        let (reason, description) = Self.reason(of: parameters, requested: requested)
        body["reason"] = .string(reason)
        body["description"] = .string(description)
        if reason == "exception" { body["text"] = .string(RemoteObject(parameters["data"]).text) }
        if !hits.isEmpty { body["hitBreakpointIds"] = .array(hits) }
        sendEvent("stopped", .object(body))
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
        guard scripts.first??.isInternal == true else { return nil }
        if requestedPauses[context.id] != nil { return "Debugger.stepInto" }
        return hasVisible ? "Debugger.stepOut" : "Debugger.resume"
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
        if let path = sourceURL.flatMap({ ScriptPath.path(ofScript: $0) }) {
            output["source"] = ["path": .string(path)]
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
