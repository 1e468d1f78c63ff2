extension BridgeError {
    /// Creates the error for a payload, or another subject, that nests deeper than a limit.
    package static func tooDeep(_ subject: String = "payload", limit: Int) -> BridgeError {
        BridgeError(.limitExceeded, "a \(subject) may nest \(limit) levels deep, this one goes deeper")
    }

    /// Creates the error for a payload that holds more values than a limit.
    package static func tooManyValues(limit: Int) -> BridgeError {
        BridgeError(.limitExceeded, "a payload may hold \(limit) values, this one holds more")
    }
}
