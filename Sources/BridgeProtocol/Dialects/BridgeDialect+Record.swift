package import BridgeValues

extension BridgeDialect {
    /// The dialect as the script side reads it (`JS/src/bridge/dialect.js`).
    package var record: Value {
        [
            "name": .string(name),
            "global": .string(globalName),
            "list": setUpListName.map(Value.string) ?? .null,
            "entries": .array(entries.map { .string($0.name) }),
            "face": .string(api.rawValue),
            "scriptKeys": scriptKeys.record,
            "nativeKeys": nativeKeys.record,
            "payloadIsText": .bool(payloadIsText),
            "signal": signal.record,
            "hasDefaultHandler": .bool(hasDefaultHandler),
            "waitsForInit": .bool(waitsForInit),
            "readyEvent": readyEventName.map(Value.string) ?? .null,
            "objectEntries": .array(entries.filter(\.takesObject).map { .string($0.name) }),
        ]
    }

    /// A Boolean value that indicates whether a message always goes to the first entry as text, whichever entries the
    /// script side has.
    package var hasOneTextEntry: Bool { api != .methods && !entries.contains(where: \.takesObject) }
}

extension BridgeDialect.Signal {
    /// A Boolean value that indicates whether the queue is returned in the URL of a frame.
    package var returnsByURL: Bool {
        if case .frame(_, _, _, let returnsByURL) = self { returnsByURL } else { false }
    }
}

extension MessageKeys {
    fileprivate var record: Value {
        [
            "handlerName": .string(handlerName),
            "data": .string(data),
            "callbackId": .string(callbackID),
            "responseId": .string(responseID),
            "responseData": .string(responseData),
            "namespace": namespace.map(Value.string) ?? .null,
            "kind": kind.map {
                ["key": .string($0.key), "request": .string($0.request), "response": .string($0.response)]
            }
                ?? .null,
            "nullIsNoIdentifier": .bool(nullIsNoIdentifier),
        ]
    }
}

extension BridgeDialect.Signal {
    fileprivate var record: Value {
        switch self {
        case .frame(let schemes, let queueHost, let loadHost, let returnsByURL):
            [
                "kind": "frame", "schemes": .array(schemes.map(Value.string)),
                "queueHost": .string(queueHost),
                "loadHost": .string(loadHost), "returnsByURL": .bool(returnsByURL),
            ]
        case .scriptMessage(let queue, let load):
            ["kind": "scriptMessage", "queue": .string(queue), "load": .string(load)]
        case .injectedObject(let name, let function):
            ["kind": "injectedObject", "object": .string(name), "function": .string(function)]
        case .scriptMessageBody(let name, let prompt):
            ["kind": "scriptMessageBody", "name": .string(name), "prompt": .string(prompt)]
        case .call(let object, let prompt):
            ["kind": "call", "object": .string(object), "prompt": .string(prompt)]
        }
    }
}
