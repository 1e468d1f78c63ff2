internal import BridgeValues

extension Store {
    /// Runs a body in which the work of stores ends at a time limit.
    ///
    /// ```swift
    /// let rows = try store.withTimeLimit(.milliseconds(100)) { try store.read { try $0.fetch(request) } }
    /// ```
    ///
    /// It counts for what the calling thread does with any store: queries, changes, imports, exports and the wait for
    /// another thread's write. Other code of the body is not ended. Inside a turn of a script no limit is needed: there a
    /// store's work ends where the script would.
    ///
    /// - Parameters:
    ///   - limit: How much time may pass, within about 20 ms.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: ``StoreError`` `terminated` at the limit, and the transaction that was open is rolled back as for any
    ///   other error; what the body throws.
    public func withTimeLimit<Result>(_ limit: Duration, _ body: () throws -> Result) throws -> Result {
        let end = ContinuousClock.now + limit.withinCentury
        return try WorkLimit.withLimit(
            {
                guard end < .now else { return }
                throw StoreError(.terminated, "the store's work was ended at its time limit of \(limit)")
            },
            body
        )
    }
}
