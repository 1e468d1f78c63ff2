#if canImport(Testing)
    public import Testing

    /// A trait that fails each test which leaves objects of the engine or the bridge alive, and reports them with their
    /// creators.
    ///
    /// ```swift
    /// @Suite(.noLeaks) struct PluginTests { ... }
    /// ```
    public struct NoLeaksTrait: SuiteTrait, TestTrait, TestScoping {
        /// The time to wait for pending releases after a test ends.
        public var timeLimit: Duration

        init(timeLimit: Duration) {
            self.timeLimit = timeLimit
            // Traits are created before the first test runs.
            OriginRecorder.prepare()
        }

        /// A Boolean value that indicates whether the trait applies to each test of a suite separately; always true.
        public var isRecursive: Bool { true }

        /// Runs a test and checks for leaked objects.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            // The suite itself is not checked.
            guard testCase != nil else { return try await function() }
            let tracker = LeakTracker()
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await tracker.observeTask { try await function() }) } catch {
                outcome = .failure(error)
            }
            let report = await tracker.leftovers(timeLimit: timeLimit)
            if !report.isEmpty {
                Issue.record(
                    "these are still alive after the test:\n\(report)",
                    sourceLocation: test.sourceLocation
                )
            }
            try outcome.get()
        }
    }

    extension Trait where Self == NoLeaksTrait {
        /// A trait that fails each test which leaves objects of the engine or the bridge alive for more than four
        /// minutes.
        ///
        /// A release may need a thread, and tests of endless scripts occupy the few threads that tasks share.
        public static var noLeaks: Self { noLeaks(timeLimit: .seconds(240)) }

        /// Fails each test that leaves objects of the engine or the bridge alive for longer than a time limit after its
        /// end.
        public static func noLeaks(timeLimit: Duration) -> Self { Self(timeLimit: timeLimit) }
    }
#endif
