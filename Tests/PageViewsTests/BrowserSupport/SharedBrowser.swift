import Testing

/// A trait that starts one browser for all tests of a suite, because a start costs more than a test (TE2).
struct SharedBrowser: SuiteTrait, TestScoping {
    @TaskLocal static var current: (any Browser)?

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let browser = try await TestedBrowser.start()
        try await Self.$current.withValue(browser) { try await function() }
    }

    /// Opens a page of the suite's browser for a closure, and closes it.
    static func withPage(_ body: (BrowserPage) async throws -> Void) async throws {
        guard let current else { throw BrowserError("the suite has no browser") }
        let page = try await current.open()
        do {
            try await page.prepare()
            try await body(page)
        } catch {
            try? await page.close()
            throw error
        }
        try await page.close()
    }
}

extension Trait where Self == SharedBrowser {
    /// One browser for all tests of the suite.
    static var sharedBrowser: Self { SharedBrowser() }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test in other browsers than Chromium.
    static func chromium(_ reason: Comment) -> Self {
        .enabled(if: TestedBrowser.current == .chromium, reason)
    }
}
