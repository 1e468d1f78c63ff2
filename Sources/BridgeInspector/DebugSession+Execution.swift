internal import BridgeValues

extension DebugSession {
    func threads(_ request: DebugRequest) {
        let threads = contexts.map { context -> Value in
            ["id": Value(context.id), "name": .string("JavaScript \(context.id)")]
        }
        respond(request, ["threads": .array(threads)])
    }

    // MARK: - Continuing

    func resume(_ request: DebugRequest) { proceed(request, "Debugger.resume") }
    func stepOver(_ request: DebugRequest) { proceed(request, "Debugger.stepNext") }
    func stepIn(_ request: DebugRequest) { proceed(request, "Debugger.stepInto") }
    func stepOut(_ request: DebugRequest) { proceed(request, "Debugger.stepOut") }

    private func proceed(_ request: DebugRequest, _ method: String) {
        guard let context = context(of: request) else { return }
        guard pauses[context.id] != nil else {
            return fail(request, "the thread \(context.id) is not paused")
        }
        forgetPause(of: context)
        respond(request, request.command == "continue" ? ["allThreadsContinued": false] : [:])
        command(context, method)
    }

    func pause(_ request: DebugRequest) {
        guard let context = context(of: request) else { return }
        respond(request)
        guard pauses[context.id] == nil else { return }
        requestedPauses[context.id] = "pause"
        command(context, "Debugger.pause")
    }

    /// Pauses a context at its first statement.
    func pauseOnEntry(_ context: InspectedContext) {
        requestedPauses[context.id] = "entry"
        command(context, "Debugger.pause")
    }

    /// Returns the context of a request, or fails the request.
    private func context(of request: DebugRequest) -> InspectedContext? {
        let id = request.arguments["threadId"].int
        if let context = contexts.first(where: { $0.id == id }) { return context }
        fail(request, "the thread \(id.map(String.init) ?? "without a number") does not exist")
        return nil
    }

    // MARK: - Stacks

    func stackTrace(_ request: DebugRequest) {
        guard let context = context(of: request) else { return }
        guard let pause = pauses[context.id] else {
            return fail(request, "the thread \(context.id) is not paused")
        }
        let start = max(0, request.arguments["startFrame"].int ?? 0)
        let levels = request.arguments["levels"].int ?? 0
        let rest = pause.stack.dropFirst(start)
        respond(
            request,
            [
                "stackFrames": .array(Array(levels > 0 ? rest.prefix(levels) : rest)),
                "totalFrames": Value(pause.stack.count),
            ]
        )
    }

    /// Records a pause.
    ///
    /// - Returns: The pause, with the frames of the scripts that a client sees.
    func makePause(_ parameters: Value, in context: InspectedContext) -> PausedContext {
        var pause = PausedContext()
        for frame in parameters["callFrames"].arrayValue ?? [] {
            guard let stackFrame = describe(frame, in: context) else { continue }
            pause.stack.append(stackFrame)
        }
        var trace = parameters["asyncStackTrace"]
        while let frames = trace["callFrames"].arrayValue {
            let visible = frames.compactMap { describeAsync($0, in: context) }
            if !visible.isEmpty {
                let label = handles.add(
                    FrameHandle(context: context, callFrameID: "", scopes: [], this: .undefined)
                )
                pause.stack.append([
                    "id": Value(label), "name": "[async]", "line": 0, "column": 0,
                    "presentationHint": "label",
                ])
                pause.stack += visible
            }
            trace = trace["parentStackTrace"]
        }
        return pause
    }

    private func describe(_ frame: Value, in context: InspectedContext) -> Value? {
        let location = frame["location"]
        guard let script = location["scriptId"].stringValue.flatMap({ context.scripts[$0] }),
            !script.isInternal
        else { return nil }
        let id = handles.add(
            FrameHandle(
                context: context,
                callFrameID: frame["callFrameId"].stringValue ?? "",
                scopes: frame["scopeChain"].arrayValue ?? [],
                this: frame["this"]
            )
        )
        return stackFrame(
            id,
            frame["functionName"].stringValue,
            script,
            line: (location["lineNumber"].int ?? 0) + 1,
            column: (location["columnNumber"].int ?? 0) + 1
        )
    }

    /// Describes a frame that has ended, as the console does: its lines and columns count from 1.
    private func describeAsync(_ frame: Value, in context: InspectedContext) -> Value? {
        guard let script = frame["scriptId"].stringValue.flatMap({ context.scripts[$0] }), !script.isInternal
        else { return nil }
        let id = handles.add(FrameHandle(context: context, callFrameID: "", scopes: [], this: .undefined))
        return stackFrame(
            id,
            frame["functionName"].stringValue,
            script,
            line: frame["lineNumber"].int ?? 1,
            column: frame["columnNumber"].int ?? 1
        )
    }

    private func stackFrame(
        _ id: Int,
        _ name: String?,
        _ script: InspectedScript,
        line: Int,
        column: Int
    ) -> Value {
        let name = name.flatMap { $0.isEmpty ? nil : $0 } ?? "(anonymous)"
        return [
            "id": Value(id), "name": .string(name), "line": Value(line), "column": Value(column),
            "source": script.source,
        ]
    }

    /// Forgets the frames and objects of a context that is resumed.
    func forgetPause(of context: InspectedContext) {
        guard pauses.removeValue(forKey: context.id) != nil else { return }
        handles.removeAll(of: context)
        guard isAttached, !isClosed else { return }
        command(context, "Runtime.releaseObjectGroup", ["objectGroup": .string(Self.objectGroup)])
    }

    // MARK: - Sources

    func source(_ request: DebugRequest) {
        var named = request.arguments["source"]
        if let reference = request.arguments["sourceReference"].int, reference > 0 {
            named = ["sourceReference": Value(reference)]
        }
        guard let (context, script) = findScript(named) else {
            return fail(request, "the script is not known")
        }
        command(context, "Debugger.getScriptSource", ["scriptId": .string(script.id)]) { [weak self] result in
            switch result {
            case .success(let result):
                let text = result["scriptSource"].stringValue ?? ""
                self?.respond(request, ["content": .string(text), "mimeType": "text/javascript"])
            case .failure(let problem): self?.fail(request, problem.message)
            }
        }
    }

    func loadedSources(_ request: DebugRequest) {
        let sources = contexts.flatMap(\.orderedScripts).filter { !$0.isInternal }.map(\.source)
        respond(request, ["sources": .array(sources)])
    }
}
