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
        steps[context.id] = (method, 0)
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
        removeInstallations(in: context)
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

    /// Returns the error at which a context pauses.
    func exceptionInfo(_ request: DebugRequest) {
        guard let context = context(of: request) else { return }
        guard let exception = pauses[context.id]?.exception else {
            return fail(request, "the thread \(context.id) is not paused at an error")
        }
        let object = RemoteObject(exception)
        let name = object.className ?? object.type
        respond(
            request,
            [
                "exceptionId": .string(name), "description": .string(object.text),
                "breakMode": exceptionState == "all" ? "always" : "unhandled",
                "details": ["typeName": .string(name), "message": .string(object.text)],
            ]
        )
    }

    /// Forgets the frames and objects of a context that is resumed.
    func forgetPause(of context: InspectedContext) {
        guard pauses.removeValue(forKey: context.id) != nil else { return }
        handles.removeAll(of: context)
        guard isAttached, !isClosed else { return }
        command(context, "Runtime.releaseObjectGroup", ["objectGroup": .string(Self.objectGroup)])
    }
}
