internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The support for `URL` by the loaded library, found out once per process.
///
/// `URL` uses the library's own parser, which has no public interface. `URLSearchParams` does not need it.
public struct URLSupport: Sendable, Hashable {
    /// A Boolean value that indicates whether scripts can create a `URL`.
    public let isAvailable: Bool
    /// The reason for the value, for the log.
    public let reason: String

    static let feature = PrivateFeature(
        variable: "JSBRIDGE_URL",
        name: "URL",
        testedBranches: ["2.50", "2.52", "2.54"],
        isTestedProcessor: PrivateFeature.isX86
    )

    static let current: URLSupport = {
        let decision = feature.decide(selfTest: fault)
        return URLSupport(isAvailable: decision.isAvailable, reason: decision.reason)
    }()

    /// Returns the first difference of the library's parser from the expected one; `nil` if there is none.
    static func fault() -> String? {
        // The parser needs an engine that has started.
        guard let context = JSGlobalContextCreate(nil) else { return "the engine made no context" }
        defer { JSGlobalContextRelease(context) }
        JSLock(context)
        defer { JSUnlock(context) }
        return jsb_probe_url_parser().map { String(cString: $0) }
    }

    /// The message of the error of a script that creates a `URL` where that is not available; `nil` if it is.
    var problem: String? {
        isAvailable ? nil : "URL is unavailable with JavaScriptCore \(Capabilities.libraryVersion): \(reason)"
    }
}

extension Capabilities {
    /// The support for `URL`.
    ///
    /// The first access runs a self-test (less than a millisecond).
    public var urls: URLSupport { URLSupport.current }
}
