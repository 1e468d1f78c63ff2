internal import BridgeValues

extension JSContext {
    /// How deep Swift functions and scripts may call each other.
    static let maximumHandlerDepth = 64

    /// Runs a Swift function that a script has called, unless too many such calls are open within each other.
    ///
    /// The engine bounds its own stack, but frames of Swift between its own are of any size, and two sides
    /// that call each other for ever are a mistake of both that deserves its name (R17).
    ///
    /// - Throws: ``BridgeError`` with the code `limitExceeded`; what the body throws.
    func enteringHandler<Result>(_ body: () throws -> Result) throws -> Result {
        let machine = virtualMachine
        guard machine.handlerDepth < Self.maximumHandlerDepth else {
            throw BridgeError(
                .limitExceeded,
                "Swift functions and scripts call each other more than \(Self.maximumHandlerDepth) deep."
            )
        }
        machine.handlerDepth += 1
        defer { machine.handlerDepth -= 1 }
        return try body()
    }
}
