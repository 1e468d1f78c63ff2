internal import BridgeConformance
internal import BridgeTestKit

/// The options of `jsbridge check`.
struct CheckOptions: Hashable {
    /// The format of the report.
    enum Format: Hashable {
        /// A table for people.
        case table
        /// One JSON object.
        case json
        /// JUnit XML for continuous integration.
        case junit
    }

    /// The default limit of processor time for one step.
    static let defaultTimeLimit = Duration.seconds(2)
    /// The default dialect.
    static let defaultProfile = ConformanceProfile.all[0]

    /// The implementation.
    var script: RunOptions.Script
    var profile = CheckOptions.defaultProfile
    var format = Format.table
    /// The selected rules; `nil` means all.
    var selection: AssertionSelection?
    var timeLimit = CheckOptions.defaultTimeLimit
    /// A Boolean value that indicates whether the report has the details of failed vectors of fixed rules and
    /// extensions too.
    var isVerbose = false
}
