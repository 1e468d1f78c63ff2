internal import BridgeValues
public import JavaScriptBridge

extension PageViewer {
    /// Registers the handlers that a page calls.
    ///
    /// The inputs are read in the order in which they arrive, before their calls are answered.
    ///
    /// - Throws: `BridgeError` of a bridge that has too many handlers.
    public func registerHandlers(on bridge: Bridge) throws {
        try bridge.registerHandler("view.open") { [self] (request: OpenRequest) async throws -> PageUpdates in
            try await open(request)
        }
        try bridge.registerHandler("view.input") { [self] (inputs: Value) throws -> Value in
            try receive(inputs)
            return .null
        }
        try bridge.registerHandler("view.details") { [self] (row: RowRequest) async throws -> Value in
            try await ask { try $0.details(ofView: row.view, seen: row.seen) }
        }
        try bridge.registerHandler("view.copy") { [self] (_: Value) async throws -> Value in
            try await ask { try $0.copy() }
        }
        try bridge.registerHandler("view.menu") { [self] (row: RowRequest) async throws -> Value in
            try await ask { try $0.menu(ofView: row.view, seen: row.seen) }
        }
        try bridge.registerHandler("view.perform") {
            [self] (request: PerformRequest) async throws -> String? in
            try await ask { try $0.perform(request.id, ofView: request.view) }
        }
        try bridge.registerHandler("view.drag") { [self] (request: DragRequest) async throws -> Value in
            try await ask { try $0.beginDrag(ofView: request.view, seen: request.seen, name: request.name) }
        }
        let source = DroppedFileSource(bridge)
        try bridge.registerHandler("view.drop") {
            [self] (request: DropRequest) async throws -> String? in
            try await ask { [executor] session in
                let offer = try PageDropOffer(
                    types: .array(request.types.map { .string($0) }),
                    files: .array(request.fileTypes.map { .string($0) })
                )
                return try session.drop(
                    offer,
                    request.content,
                    x: request.x,
                    y: request.y,
                    from: source,
                    on: executor
                )
            }
        }
        try bridge.registerHandler("view.saveState") { [self] (_: Value) async throws -> String in
            try await ask { try $0.savedState() }
        }
    }

    /// A row by the number of its view, and the last update that the page had applied when it asked.
    private struct RowRequest: Decodable, Sendable {
        let view: Int
        let seen: Int
    }

    /// A row that was pressed, with the name of the drag that may follow.
    private struct DragRequest: Decodable, Sendable {
        let view: Int
        let seen: Int
        let name: String
    }

    private struct DropRequest: Decodable, Sendable {
        let types: [String]
        let fileTypes: [String]
        let x: Double
        let y: Double
        let content: PageDropContent
    }

    private struct PerformRequest: Decodable, Sendable {
        let view: Int
        let id: String
    }
}
