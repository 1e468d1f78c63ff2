import Foundation

/// Returns the number of repetitions of a test: fewer in `make test`, all of them if `JSBRIDGE_STRESS` is set, as in
/// `Scripts/stress thread`.
package func repetitions(_ count: Int, underStress all: Int) -> Int {
    ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] == nil ? count : all
}
