internal import BridgeValues

extension DebugSession {
    /// The group of objects that the engine releases when the script is resumed.
    static let objectGroup = "debugger"
    func scopes(_ request: DebugRequest) {
        guard let id = request.arguments["frameId"].int, let frame = handles.frames[id] else {
            return fail(request, "the frame does not exist: its thread was resumed")
        }
        var scopes = scopes(of: frame, id)
        if RemoteObject(frame.this).objectID != nil {
            scopes.append([
                "name": "this", "variablesReference": reference(to: frame.this, in: frame.context),
                "expensive": false,
            ])
        }
        respond(request, ["scopes": .array(scopes)])
    }

    private func scopes(of frame: FrameHandle, _ id: Int) -> [Value] {
        var scopes: [(name: String, type: String, location: Value, handle: ObjectHandle)] = []
        for scope in frame.scopes where scope["empty"].boolValue != true {
            guard let objectID = RemoteObject(scope["object"]).objectID else { continue }
            let (type, location) = (scope["type"].stringValue ?? "", scope["location"])
            if let last = scopes.last, last.type == type, location != .undefined, last.location == location {
                scopes[scopes.count - 1].handle.further.append(objectID)
                continue
            }
            let isLocal = type == "closure" && !scopes.contains { $0.type == type }
            let handle = ObjectHandle(
                context: frame.context,
                objectID: objectID,
                part: .variables(frame: id),
                elementCount: nil
            )
            scopes.append((isLocal ? "Local" : Self.scopeNames[type] ?? type, type, location, handle))
        }
        return scopes.map { scope in
            [
                "name": .string(scope.name), "variablesReference": Value(handles.add(scope.handle)),
                "expensive": .bool(scope.type == "global"),
            ]
        }
    }

    private static let scopeNames = [
        "closure": "Closure", "nestedLexical": "Block", "functionName": "Function", "global": "Global",
        "globalLexicalEnvironment": "Script", "catch": "Catch", "with": "With",
    ]

    /// Returns the number by which a client requests the members of a value; 0 if it has none.
    private func reference(
        to value: Value,
        in context: InspectedContext,
        part: ObjectHandle.Part = .members
    ) -> Value {
        let object = RemoteObject(value)
        guard let objectID = object.objectID else { return 0 }
        let count = if case .entries = part { object.entryCount } else { object.elementCount }
        return Value(
            handles.add(
                ObjectHandle(context: context, objectID: objectID, part: part, elementCount: count)
            )
        )
    }

    // MARK: - Members

    func variables(_ request: DebugRequest) {
        guard let handle = handles.objects[request.arguments["variablesReference"].int ?? 0] else {
            return fail(request, "the variables do not exist: their thread was resumed")
        }
        var page = MemberPage(request.arguments)
        switch (request.arguments["filter"].stringValue, handle.elementCount) {
        // An array can have very many elements, and the engine has no request for the other members alone.
        case ("named", let elements?):
            let length: Value = [
                "name": handle.hasEntries ? "size" : "length", "value": .string(String(elements)),
                "variablesReference": 0,
            ]
            return respond(request, ["variables": [length]])
        case ("indexed", let elements?): page.count = min(page.count, max(0, elements - page.start))
        case ("indexed", nil): return respond(request, ["variables": []])
        default: break
        }
        guard page.count > 0 else { return respond(request, ["variables": []]) }
        if handle.elementCount != nil, !handle.hasEntries, request.arguments["filter"] == "indexed" {
            return elements(of: handle, page, request)
        }
        fetch(handle, objects: [handle.objectID] + handle.further, page, []) { [weak self] result in
            switch result {
            case .success(let variables): self?.respond(request, ["variables": .array(variables)])
            case .failure(let problem): self?.fail(request, problem.message)
            }
        }
    }

    /// Requests elements of an array by an object that has only those: the engine counts to them one by one.
    private func elements(of handle: ObjectHandle, _ page: MemberPage, _ request: DebugRequest) {
        let parameters: Value = [
            "objectId": .string(handle.objectID),
            "arguments": [["value": Value(page.start)], ["value": Value(page.count)]],
            "functionDeclaration": .string(Self.pageFunction),
        ]
        command(handle.context, "Runtime.callFunctionOn", parameters) { [weak self] result in
            guard case .success(let value) = result, value["wasThrown"].boolValue != true,
                let elements = RemoteObject(value["result"]).objectID
            else { return self?.fail(request, "the elements cannot be read") ?? () }
            let handle = ObjectHandle(
                context: handle.context,
                objectID: elements,
                part: .members,
                elementCount: nil
            )
            self?.fetch(handle, objects: [elements], MemberPage(count: page.count), []) {
                [weak self] result in
                switch result {
                case .success(let variables): self?.respond(request, ["variables": .array(variables)])
                case .failure(let problem): self?.fail(request, problem.message)
                }
            }
        }
    }

    // Copies descriptors, so that no getter runs.
    private static let pageFunction = """
        function (start, count) {
            const page = Object.create(null);
            for (let index = start; index < start + count; index++) {
                const element = Object.getOwnPropertyDescriptor(this, index);
                if (element) Object.defineProperty(page, index, element);
            }
            return page;
        }
        """

    /// Requests the members of one object after another.
    private func fetch(
        _ handle: ObjectHandle,
        objects: [String],
        _ page: MemberPage,
        _ found: [Value],
        then completion: @escaping (Result<[Value], CommandProblem>) -> Void
    ) {
        guard let object = objects.first else { return completion(.success(found)) }
        var parameters = ValueObject([
            ("objectId", .string(object)), ("fetchStart", Value(page.start)),
            // One more than the answer has, to know of more.
            ("fetchCount", Value(page.count + 1)),
        ])
        var method = "Runtime.getCollectionEntries"
        if case .entries = handle.part {
            parameters["objectGroup"] = .string(Self.objectGroup)
        } else {
            method = "Runtime.getProperties"
            parameters["ownProperties"] = true
            parameters["generatePreview"] = true
        }
        command(handle.context, method, .object(parameters)) { [weak self] result in
            switch result {
            case .success(let result):
                let all = found + (self?.members(result, of: handle, page) ?? [])
                self?.fetch(handle, objects: Array(objects.dropFirst()), page, all, then: completion)
            case .failure(let problem): completion(.failure(problem))
            }
        }
    }

    private func members(_ result: Value, of handle: ObjectHandle, _ page: MemberPage) -> [Value] {
        if case .entries = handle.part {
            let entries = result["entries"].arrayValue ?? []
            let members = entries.prefix(page.count).enumerated().map { index, entry in
                let key = entry.objectValue?["key"].map { RemoteObject($0).text }
                return variable(key ?? String(page.start + index), entry["value"], in: handle.context)
            }
            return members + page.end(of: entries)
        }
        var members: [Value] = []
        var properties = result["properties"].arrayValue ?? []
        let prototype = properties.firstIndex { $0["name"] == "__proto__" && $0["isOwn"].boolValue == true }
            .map { properties.remove(at: $0) }
        for property in properties.prefix(page.count) {
            guard let name = property["name"].stringValue else { continue }
            if property.objectValue?["value"] != nil {
                members.append(variable(name, property["value"], in: handle.context))
            } else {
                let hasGetter = property["get"]["objectId"].stringValue != nil
                members.append([
                    "name": .string(name), "value": hasGetter ? "(getter)" : "(setter)",
                    "variablesReference": 0,
                ])
            }
        }
        members += page.end(of: properties)
        if let prototype {
            if case .variables = handle.part {
            } else {
                members.append(variable("[[Prototype]]", prototype["value"], in: handle.context))
            }
        }
        for property in result["internalProperties"].arrayValue ?? [] {
            guard let name = property["name"].stringValue else { continue }
            members.append(variable("[[\(name)]]", property["value"], in: handle.context))
        }
        return members
    }

    private func variable(_ name: String, _ value: Value, in context: InspectedContext) -> Value {
        let body = describe(value, key: "value", in: context)
        return .object(ValueObject([("name", .string(name))] + body.members.map { ($0.key, $0.value) }))
    }

    /// Describes a value for a client, with its text under a key.
    private func describe(_ value: Value, key: String, in context: InspectedContext) -> ValueObject {
        let object = RemoteObject(value)
        var body = ValueObject([
            (key, .string(object.text)), ("type", .string(object.type)),
            ("variablesReference", reference(to: value, in: context)),
        ])
        if let count = object.elementCount ?? object.entryCount { body["indexedVariables"] = Value(count) }
        if object.hasEntries {
            body["variablesReference"] = reference(to: value, in: context, part: .entries)
        }
        return body
    }

    // MARK: - Evaluating

    func evaluate(_ request: DebugRequest) {
        guard let expression = request.arguments["expression"].stringValue else {
            return fail(request, "the expression is missing")
        }
        let frameID = request.arguments["frameId"].int ?? 0
        if frameID != 0, handles.frames[frameID] == nil {
            return fail(request, "the frame does not exist: its thread was resumed")
        }
        requestValue(of: expression, frame: frameID, isOfConsole: request.arguments["context"] == "repl") {
            [weak self] result, context in
            guard let self else { return }
            switch result {
            case .success(let value):
                var body = describe(value, key: "result", in: context)
                if request.arguments["context"] == "clipboard" {
                    body["result"] = .string(RemoteObject(value).wholeText)
                }
                respond(request, .object(body))
            case .failure(let problem): fail(request, problem.message)
            }
        } otherwise: { [weak self] in
            self?.fail(request, "no script has been loaded")
        }
    }

    /// Evaluates an expression in a frame, or in the first context if the frame is 0 or has ended.
    private func requestValue(
        of expression: String,
        frame id: Int,
        isOfConsole: Bool = false,
        then completion: @escaping (Result<Value, CommandProblem>, InspectedContext) -> Void,
        otherwise: () -> Void
    ) {
        var parameters = ValueObject([
            ("expression", .string(InspectedScript.evaluation(expression))),
            ("objectGroup", .string(Self.objectGroup)),
            ("includeCommandLineAPI", .bool(isOfConsole)), ("generatePreview", true),
            ("doNotPauseOnExceptionsAndMuteConsole", true),
        ])
        var method = "Runtime.evaluate"
        let frame = handles.frames[id]
        if let frame, !frame.callFrameID.isEmpty {
            method = "Debugger.evaluateOnCallFrame"
            parameters["callFrameId"] = .string(frame.callFrameID)
        }
        guard let context = frame?.context ?? contexts.first else { return otherwise() }
        command(context, method, .object(parameters)) { result in
            completion(
                result.flatMap { result in
                    guard result["wasThrown"].boolValue != true else {
                        return .failure(CommandProblem(message: RemoteObject(result["result"]).rawText))
                    }
                    return .success(result["result"])
                },
                context
            )
        }
    }

    func setVariable(_ request: DebugRequest) {
        guard let handle = handles.objects[request.arguments["variablesReference"].int ?? 0],
            let name = request.arguments["name"].stringValue,
            let text = request.arguments["value"].stringValue
        else { return fail(request, "the variable does not exist: its thread was resumed") }
        let respond = { [weak self] (result: Result<Value, CommandProblem>, context: InspectedContext) in
            guard let self else { return }
            switch result {
            case .success(let value):
                self.respond(request, .object(describe(value, key: "value", in: context)))
            case .failure(let problem): fail(request, problem.message)
            }
        }
        switch handle.part {
        case .variables(let frame):
            requestValue(of: "\(name) = (\(text)\n)", frame: frame, then: respond, otherwise: {})
        case .members: setMember(name, of: handle, to: text, then: respond)
        case .entries: fail(request, "the entries of a map or a set cannot be changed here")
        }
    }

    private func setMember(
        _ name: String,
        of handle: ObjectHandle,
        to text: String,
        then respond: @escaping (Result<Value, CommandProblem>, InspectedContext) -> Void
    ) {
        let frame = handles.frames.first {
            $0.value.context === handle.context && !$0.value.callFrameID.isEmpty
        }
        requestValue(
            of: "(\(text)\n)",
            frame: frame?.key ?? 0,
            then: { [weak self] result, context in
                guard case .success(let value) = result else { return respond(result, context) }
                var argument = ValueObject([])
                if let objectID = value["objectId"].stringValue { argument["objectId"] = .string(objectID) }
                if let plain = value.objectValue?["value"] { argument["value"] = plain }
                let parameters: Value = [
                    "objectId": .string(handle.objectID), "generatePreview": true,
                    "functionDeclaration":
                        "function (name, value) { this[name] = value; return this[name]; }",
                    "arguments": [["value": .string(name)], .object(argument)],
                ]
                self?.command(context, "Runtime.callFunctionOn", parameters) { result in
                    respond(result.map { $0["result"] }, context)
                }
            },
            otherwise: {}
        )
    }
}

/// The part of the members of an object that an answer has.
private struct MemberPage {
    /// The maximum number of members of an answer; a client requests further elements and entries by `start`.
    static let maximumCount = 1000

    var start = 0
    var count = maximumCount
    /// A Boolean value that indicates whether the client has chosen the count, so that it knows of more.
    var isChosen = false

    init(count: Int) { (self.count, isChosen) = (count, true) }

    init(_ arguments: Value) {
        start = max(0, arguments["start"].int ?? 0)
        guard let chosen = arguments["count"].int, chosen > 0 else { return }
        (count, isChosen) = (min(chosen, Self.maximumCount), true)
    }

    /// Returns the sign after members that are not all.
    func end(of members: [Value]) -> [Value] {
        guard members.count > count, !isChosen else { return [] }
        return [
            ["name": "…", "value": .string("more than these \(count)"), "variablesReference": 0]
        ]
    }
}
