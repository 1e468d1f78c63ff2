#if canImport(Testing)
    public import Testing

    /// Fails each test that leaves something of the engine or the bridge alive, and tells what and who made it.
    ///
    /// ```swift
    /// @Suite(.noLeaks) struct PluginTests { ... }
    /// ```
    public struct NoLeaksTrait: SuiteTrait, TestTrait, TestScoping {
        /// How long to wait for what is about to go when a test ends.
        public var timeLimit: Duration

        init(timeLimit: Duration) {
            self.timeLimit = timeLimit
            // Traits are made before the first test runs.
            OriginRecorder.prepare()
        }

        /// Each test of a suite is looked at by itself.
        public var isRecursive: Bool { true }

        /// Runs a test and looks what it left.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            // The suite itself has nothing to look at.
            guard testCase != nil else { return try await function() }
            let census = LeakCensus()
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await census.observeTask { try await function() }) } catch {
                outcome = .failure(error)
            }
            let report = await census.leftovers(timeLimit: timeLimit)
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
        /// Fails each test that leaves something of the engine or the bridge alive for more than a minute.
        ///
        /// What a test has let go may need a thread to go, and tests of endless scripts hold the few that tasks share.
        public static var noLeaks: Self { noLeaks(timeLimit: .seconds(240)) }

        /// Fails each test that leaves something of the engine or the bridge alive some time after its end.
        public static func noLeaks(timeLimit: Duration) -> Self { Self(timeLimit: timeLimit) }
    }
#endif
