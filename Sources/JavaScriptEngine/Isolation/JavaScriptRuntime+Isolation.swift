internal import Foundation

extension JavaScriptRuntime {
    /// The threads on which the scripts of a runtime run.
    ///
    /// Both kinds run one turn after another, and differ only as described here.
    public enum Isolation: String, Sendable, Hashable, CaseIterable {
        /// The threads that all actors share, one at a time.
        ///
        /// Entering is cheapest this way.
        ///
        /// A running script occupies one of those threads, of which there are as many as processors. Long scripts of
        /// several runtimes therefore block all other tasks, also a task that would cancel them. Work that the engine
        /// delivers by a run loop is never delivered: callbacks of a `FinalizationRegistry`.
        case actor
        /// A dedicated thread with an 8 MB stack and a run loop.
        ///
        /// Callbacks of a `FinalizationRegistry` are delivered, and the engine collects garbage by itself when idle. A
        /// turn from another thread costs two thread switches, tens of microseconds instead of one, so combine related
        /// work in one ``JavaScriptRuntime/withContext(_:)``.
        case thread

        /// The default isolation: ``actor``.
        ///
        /// `JSBRIDGE_ISOLATION=thread` in the environment changes it for the process, so that a whole test suite can
        /// run with either. Any other value ends the process.
        public static let `default`: Isolation = {
            guard let text = EnvironmentVariable.value("JSBRIDGE_ISOLATION") else { return .actor }
            guard let isolation = Isolation(rawValue: text) else {
                fatalError("JSBRIDGE_ISOLATION is \"\(text)\"; it must be \"actor\" or \"thread\"")
            }
            return isolation
        }()
    }
}
