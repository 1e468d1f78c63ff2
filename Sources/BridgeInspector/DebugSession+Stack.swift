internal import BridgeValues
internal import JavaScriptEngine

/// The frames of a pause.
extension DebugSession {
    /// The function of the package's own scripts that calls a handler, whose name it has in a variable.
    private static let callOfHandler = "handleRequest"
    /// The engine's function that runs an async function, whose own frame follows again.
    private static let callOfAsyncFunction = "asyncFunctionResume"

    /// Records a pause, when the names of the called handlers are known.
    func makePause(
        _ parameters: Value,
        in context: InspectedContext,
        then completion: @escaping (PausedContext) -> Void
    ) {
        let frames = parameters["callFrames"].arrayValue ?? []
        let ids = frames.filter { isCallOfHandler($0, in: context) }
            .compactMap { $0["callFrameId"].stringValue }
        requestNames(ids[...], in: context, [:]) { [weak self] names in
            guard let self else { return }
            var pause = PausedContext()
            var isRepeated = false
            for frame in frames {
                let function = frame["functionName"].stringValue
                defer { isRepeated = function == Self.callOfAsyncFunction }
                // The second frame of an async function is that of its call.
                if isRepeated, let last = pause.stack.last, last["name"].stringValue == Self.name(function) {
                    continue
                }
                pause.stack += describe(frame, in: context, handlers: names)
            }
            pause.stack += describeEngineTrace(parameters["asyncStackTrace"], in: context)
            pause.stack += describeOperations(in: context)
            if parameters["reason"] == "exception" { pause.exception = parameters["data"] }
            completion(pause)
        }
    }

    private func isCallOfHandler(_ frame: Value, in context: InspectedContext) -> Bool {
        frame["functionName"].stringValue == Self.callOfHandler
            && frame["location"]["scriptId"].stringValue.flatMap { context.scripts[$0] }?.isInternal == true
    }

    /// Requests the names of the handlers that frames call.
    private func requestNames(
        _ ids: ArraySlice<String>,
        in context: InspectedContext,
        _ names: [String: String],
        then completion: @escaping ([String: String]) -> Void
    ) {
        guard let id = ids.first else { return completion(names) }
        let parameters: Value = [
            "callFrameId": .string(id), "expression": .string(InspectedScript.evaluation("name")),
            "objectGroup": .string(Self.objectGroup),
            "doNotPauseOnExceptionsAndMuteConsole": true,
        ]
        command(context, "Debugger.evaluateOnCallFrame", parameters) { [weak self] result in
            var names = names
            if case .success(let result) = result, result["wasThrown"].boolValue != true,
                let name = result["result"]["value"].stringValue
            {
                names[id] = name
            }
            self?.requestNames(ids.dropFirst(), in: context, names, then: completion)
        }
    }

    private func describe(
        _ frame: Value,
        in context: InspectedContext,
        handlers: [String: String]
    ) -> [Value] {
        let (location, function) = (frame["location"], frame["functionName"].stringValue)
        // The engine's own functions have no script.
        guard let script = location["scriptId"].stringValue.flatMap({ context.scripts[$0] }) else {
            return []
        }
        if isCallOfHandler(frame, in: context) {
            let name = frame["callFrameId"].stringValue.flatMap { handlers[$0] }
            return [label("Swift: callHandler(\(name.map { JSONText.of(.string($0)) } ?? "…"))", in: context)]
        }
        guard !script.isInternal else { return [] }
        let id = handles.add(
            FrameHandle(
                context: context,
                callFrameID: frame["callFrameId"].stringValue ?? "",
                scopes: frame["scopeChain"].arrayValue ?? [],
                this: frame["this"]
            )
        )
        let place = script.place(
            line: location["lineNumber"].int ?? 0,
            column: location["columnNumber"].int ?? 0
        )
        return [stackFrame(id, function, place)]
    }

    /// Describes the frames before an `await`, as the engine knows them.
    private func describeEngineTrace(_ trace: Value, in context: InspectedContext) -> [Value] {
        var result: [Value] = []
        var trace = trace
        var last: [Value] = []
        while let frames = trace["callFrames"].arrayValue {
            let visible = frames.filter { isVisible($0, in: context) }
            trace = trace["parentStackTrace"]
            // A loop that awaits comes from the same frames again and again.
            guard !visible.isEmpty, visible != last else { continue }
            last = visible
            result += [label("[async]", in: context)] + visible.compactMap { describeAsync($0, in: context) }
        }
        return result
    }

    private func isVisible(_ frame: Value, in context: InspectedContext) -> Bool {
        frame["scriptId"].stringValue.flatMap { context.scripts[$0] }?.isInternal == false
    }

    /// Describes the calls over the bridge, timers and other operations that the code follows.
    private func describeOperations(in context: InspectedContext) -> [Value] {
        (context.trace?.operations ?? []).compactMap { frame in
            guard !frame.isAsync else { return label("[async] \(frame.function)", in: context) }
            // The engine's own functions have no source.
            guard let source = frame.sourceURL.flatMap({ source(named: $0) }) else { return nil }
            let place = SourcePlace(source: source, line: frame.line ?? 0, column: frame.column ?? 0)
            return stackFrame(makeFrameID(in: context), frame.function, place)
        }
    }

    /// Describes a frame that has ended, as the console does: its lines and columns count from 1.
    private func describeAsync(_ frame: Value, in context: InspectedContext) -> Value? {
        guard let script = frame["scriptId"].stringValue.flatMap({ context.scripts[$0] }), !script.isInternal
        else { return nil }
        let place = script.place(
            line: (frame["lineNumber"].int ?? 1) - 1,
            column: (frame["columnNumber"].int ?? 1) - 1
        )
        return stackFrame(makeFrameID(in: context), frame["functionName"].stringValue, place)
    }

    /// Returns the number of a frame without variables.
    private func makeFrameID(in context: InspectedContext) -> Int {
        handles.add(FrameHandle(context: context, callFrameID: "", scopes: [], this: .undefined))
    }

    private func label(_ name: String, in context: InspectedContext) -> Value {
        [
            "id": Value(makeFrameID(in: context)), "name": .string(name), "line": 0, "column": 0,
            "presentationHint": "label",
        ]
    }

    private static func name(_ function: String?) -> String { function.nonEmpty ?? "(anonymous)" }

    private func stackFrame(_ id: Int, _ name: String?, _ place: SourcePlace) -> Value {
        var frame = ValueObject([
            ("id", Value(id)), ("name", .string(Self.name(name))), ("line", Value(place.line)),
            ("column", Value(place.column)), ("source", place.source),
        ])
        if place.hasNoOriginal { frame["presentationHint"] = "subtle" }
        return .object(frame)
    }
}

extension String? {
    fileprivate var nonEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}
