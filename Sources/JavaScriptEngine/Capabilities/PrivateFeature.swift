internal import Foundation

/// The support for a feature by the loaded library.
public struct FeatureSupport: Sendable, Hashable {
    /// A Boolean value that indicates whether the feature can be used.
    public let isAvailable: Bool
    /// The reason for the value, for the log.
    public let reason: String
}

/// The decision whether the package uses a part of the library that has no public interface.
///
/// It is used where the library's branch was tested and a self-test confirms every assumption.
struct PrivateFeature: Sendable {
    /// The name of the environment variable that overrides the decision.
    let variable: String
    /// The feature in the words of the reason, such as `modules`.
    let name: String
    /// The branches of the library with which the feature was tested.
    let testedBranches: [String]
    /// A Boolean value that indicates whether the feature was tested on this processor.
    let isTestedProcessor: Bool

    /// Decides whether the feature is used.
    ///
    /// - Parameters:
    ///   - setting: `off` never uses it; `on` also uses it with an untested version.
    ///   - version: The library's version.
    ///   - selfTest: Returns the first difference from what is expected. It is called last.
    /// - Returns: The decision, with the reason.
    func decide(setting: String?, version: String, selfTest: () -> String?) -> FeatureSupport {
        func no(_ reason: String) -> FeatureSupport { FeatureSupport(isAvailable: false, reason: reason) }
        switch setting {
        case "off": return no("\(variable)=off")
        case nil, "", "on", "auto": break
        case let setting?: return no("\(variable)=\(setting) is not on, off or auto")
        }
        let branch = EngineProfile.branch(of: version)
        guard setting == "on" || testedBranches.contains(branch) && isTestedProcessor else {
            return no("version \(version) of the library has not been tested with \(name) on this processor")
        }
        if let fault = selfTest() { return no("the self-test failed: \(fault)") }
        return FeatureSupport(isAvailable: true, reason: "branch \(branch), and the self-test passed")
    }

    /// Decides it for this process.
    func decide(selfTest: () -> String?) -> FeatureSupport {
        // A context that a self-test creates before would start the engine without its options.
        _ = Capabilities.current
        return decideAtStart(selfTest: selfTest)
    }

    /// Decides it during the start of the engine, for a self-test that creates no context.
    func decideAtStart(selfTest: () -> String?) -> FeatureSupport {
        decide(
            setting: EnvironmentVariable.value(variable),
            version: Capabilities.libraryVersion,
            selfTest: selfTest
        )
    }

    /// A Boolean value that indicates whether this processor is the one of the tests.
    static var isX86: Bool {
        #if arch(x86_64)
            true
        #else
            false
        #endif
    }
}
