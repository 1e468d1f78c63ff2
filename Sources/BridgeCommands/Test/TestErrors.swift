internal import BridgeValues
internal import JavaScriptBridge
internal import Synchronization

/// The errors of a file of tests that nothing caught since they were taken, the first of each test.
final class TestErrors: Sendable {
    /// An error, as text.
    struct Entry {
        /// The number of the test that started the code; `nil` for code that no test has started.
        let test: Int?
        let text: String
    }

    private let first = Mutex<[Entry]>([])

    func note(_ text: String, ofTest test: Int?) {
        first.withLock { entries in
            if !entries.contains(where: { $0.test == test }) { entries.append(Entry(test: test, text: text)) }
        }
    }

    func take() -> [Entry] {
        first.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

extension JSException {
    /// Takes the hop of the test that started the code from the frames, as `bridge:test` notes it.
    ///
    /// - Returns: The number of the test; `nil` for code that no test has started.
    mutating func takeTest() -> Int? {
        func number(_ frame: StackFrame) -> Int? {
            frame.isAsync && frame.function.hasPrefix("test ") ? Int(frame.function.dropFirst(5)) : nil
        }
        guard let test = frames.lazy.compactMap(number).last else { return nil }
        frames.removeAll { number($0) != nil }
        return test
    }
}

extension TestFileResult {
    /// Adds errors that came when their tests had ended.
    ///
    /// - Parameters:
    ///   - errors: The errors.
    ///   - moment: The moment, for one of code that no test has started.
    ///   - report: Receives the results of tests that these errors fail.
    mutating func add(
        late errors: [TestErrors.Entry],
        thrown moment: String,
        report: (TestResult) throws -> Void
    ) rethrows {
        for error in errors {
            guard let test = error.test, tests.indices.contains(test) else {
                problem = problem ?? "thrown \(moment), by code that no test has started:\n\(error.text)"
                continue
            }
            // The first error of a test is the one that is shown.
            guard !tests[test].isFailure else { continue }
            tests[test] = tests[test].failed("thrown after the test had ended:\n\(error.text)")
            try report(tests[test])
        }
    }
}
