import Foundation

/// The browsers in which the tests of pages run.
enum TestedBrowser: String {
    case chromium, firefox

    /// The browser that `JSBRIDGE_TEST_BROWSER` names, or Chromium.
    static let current =
        ProcessInfo.processInfo.environment["JSBRIDGE_TEST_BROWSER"].flatMap(TestedBrowser.init) ?? .chromium

    /// The program of the tested browser, or `nil` if it is not installed.
    static let program: String? =
        switch current {
        case .chromium: BrowserProcess.program
        case .firefox: FirefoxProcess.program
        }

    /// Starts the tested browser.
    ///
    /// - Throws: ``BrowserError`` if it is not installed, or cannot be started.
    static func start() async throws -> any Browser {
        switch current {
        case .chromium: try HeadlessBrowser()
        case .firefox: try await Firefox()
        }
    }
}
