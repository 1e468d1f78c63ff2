internal import Foundation

/// Variables of the process's environment.
enum EnvironmentVariable {
    /// Returns the value of a variable, without the copy of all variables that Foundation makes for each access.
    static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
