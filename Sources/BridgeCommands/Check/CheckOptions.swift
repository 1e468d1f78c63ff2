internal import BridgeTestKit

/// What `jsbridge check` was given.
struct CheckOptions: Hashable {
    /// How the report is written.
    enum Format: Hashable {
        /// For people.
        case table
        /// One JSON object.
        case json
        /// The XML that continuous builds read.
        case junit
    }

    /// How much processor time one step may take unless the user says otherwise.
    static let defaultTimeLimit = Duration.seconds(2)
    /// The dialect that is meant where none is named.
    static let defaultProfile = ConformanceProfile.all[0]

    /// The implementation.
    var script: RunOptions.Script
    var profile = CheckOptions.defaultProfile
    var format = Format.table
    /// Which rules; all where it is `nil`.
    var selection: AssertionSelection?
    var timeLimit = CheckOptions.defaultTimeLimit
    /// Whether the failures of mended rules and extensions are told in full too.
    var isVerbose = false
}
