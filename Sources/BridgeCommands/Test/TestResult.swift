/// The result of a test.
struct TestResult: Hashable, Sendable {
    /// The outcome of a test.
    enum Outcome: Hashable, Sendable {
        case passed
        /// The text of the error: its position, message, the lines around it, and the stack.
        case failed(String)
        case skipped
        case todo
    }

    /// The names of the suites around it and its own.
    let name: String
    let outcome: Outcome
    let duration: Duration

    /// A Boolean value that indicates whether the test failed.
    var isFailure: Bool { if case .failed = outcome { true } else { false } }

    /// Returns the result with an error.
    func failed(_ text: String) -> TestResult {
        TestResult(name: name, outcome: .failed(text), duration: duration)
    }

    /// The milliseconds of the test, as text.
    var milliseconds: String { "\(Int((duration / .milliseconds(1)).rounded())) ms" }
}

/// The results of a file of tests.
struct TestFileResult: Hashable, Sendable {
    let path: String
    var tests: [TestResult] = []
    /// The text of an error outside the tests, such as one of loading the file.
    var problem: String?
}
