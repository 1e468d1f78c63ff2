internal import Synchronization

/// The version of a store that several live queries show together, or `nil` while each may show the newest one.
///
/// The owner of the queries sets it. Each query asks it before it applies commits, and its inbox asks it before it folds
/// commits into one, so that the version can be shown whatever commits follow.
package final class VersionAgreement: Sendable {
    private let agreed = Mutex<Int?>(nil)

    /// Creates an agreement without a version.
    package init() {}

    /// The version that the queries show, or `nil` if each may show the newest one.
    package var version: Int? {
        get { agreed.withLock { $0 } }
        set { agreed.withLock { $0 = newValue } }
    }
}
