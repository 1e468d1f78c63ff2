internal import BridgeValues

extension Store {
    /// Runs a body with a time limit for the work of stores.
    ///
    /// ```swift
    /// let rows = try store.withTimeLimit(.milliseconds(100)) { try store.read { try $0.fetch(request) } }
    /// ```
    ///
    /// The limit applies to the calling thread's work with any store: queries, changes, imports, exports and waiting
    /// for another thread's write. It does not stop other code of the body. A script's turn needs no such limit,
    /// because a store's work there ends at the limits of the script.
    ///
    /// - Parameters:
    ///   - limit: The maximum duration, with a precision of about 20 ms.
    ///   - body: The closure to run.
    /// - Returns: The result of the body.
    /// - Throws: ``StoreError`` `terminated` at the limit, after which an open transaction is rolled back as for any
    ///   other error; the error of the body.
    public func withTimeLimit<Result>(_ limit: Duration, _ body: () throws -> Result) throws -> Result {
        let end = ContinuousClock.now + limit.withinCentury
        return try WorkLimit.withLimit(
            {
                guard end < .now else { return }
                throw StoreError(.terminated, "the store's work exceeded its time limit of \(limit)")
            },
            body
        )
    }
}
