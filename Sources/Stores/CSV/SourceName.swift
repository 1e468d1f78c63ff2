/// The name of a file or another source in errors, which scripts may not be allowed to see.
struct SourceName {
    /// The name in errors.
    let name: String
    /// The name in errors for scripts; `nil` if scripts must not see the name.
    let nameForScripts: String?

    /// Creates the error for a place in the source: `NAME:PLACE: message`.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - place: The line, or the line and the column.
    ///   - message: A description of the problem.
    ///   - messageForScripts: A description without content of the source.
    /// - Returns: The error to throw.
    func failure(
        _ code: StoreError.Code,
        at place: String,
        _ message: String,
        forScripts messageForScripts: String
    ) -> StoreError {
        StoreError(
            code,
            "\(name):\(place): \(message)",
            forScripts: "\(nameForScripts.map { "\($0):" } ?? "line ")\(place): \(messageForScripts)"
        )
    }
}
