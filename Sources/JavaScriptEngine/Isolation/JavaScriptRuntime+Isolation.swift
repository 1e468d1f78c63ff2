internal import Foundation

extension JavaScriptRuntime {
    /// Where the scripts of a runtime run.
    ///
    /// Both run one turn after another and behave alike, but for what is said here.
    public enum Isolation: String, Sendable, Hashable, CaseIterable {
        /// On the threads that all actors share, one at a time: the cheapest way in.
        ///
        /// A script that runs has one of those threads, of which there are as many as processors: long
        /// scripts of several runtimes keep all other tasks waiting, a task that would cancel them too. What
        /// the engine delivers by a run loop never comes: callbacks of a `FinalizationRegistry`.
        case actor
        /// On a thread of its own with an 8 MB stack and a run loop.
        ///
        /// Callbacks of a `FinalizationRegistry` come, and the engine collects garbage by itself when idle. A
        /// turn from elsewhere costs two changes of threads, tens of microseconds instead of one, so that
        /// what belongs together belongs into one ``JavaScriptRuntime/withContext(_:)``.
        case thread

        /// What a runtime gets that does not say: ``actor``.
        ///
        /// `JSBRIDGE_ISOLATION=thread` in the environment changes it for the process, so that a whole suite
        /// can be tested in either; a value that is neither ends the process.
        public static let `default`: Isolation = {
            guard let text = ProcessInfo.processInfo.environment["JSBRIDGE_ISOLATION"] else { return .actor }
            guard let isolation = Isolation(rawValue: text) else {
                fatalError("JSBRIDGE_ISOLATION is \"\(text)\": it is \"actor\" or \"thread\"")
            }
            return isolation
        }()
    }
}
