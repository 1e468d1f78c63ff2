internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The support for `URL` by the loaded library, found out once per process.
///
/// `URL` uses the library's own parser, which has no public interface. `URLSearchParams` does not need it.
enum URLSupport {
    static let feature = PrivateFeature(
        variable: "JSBRIDGE_URL",
        name: "URL",
        testedBranches: ["2.50", "2.52", "2.54"],
        isTestedProcessor: PrivateFeature.isX86
    )

    static let current = feature.decide(selfTest: fault)

    /// Returns the first difference of the library's parser from the expected one; `nil` if there is none.
    static func fault() -> String? {
        // The parser needs an engine that has started.
        guard let context = JSGlobalContextCreate(nil) else { return "the engine made no context" }
        defer { JSGlobalContextRelease(context) }
        JSLock(context)
        defer { JSUnlock(context) }
        return jsb_probe_url_parser().map { String(cString: $0) }
    }

    /// Returns the message of the error of a script that creates a `URL`; `nil` where that is available.
    static func problem(with support: FeatureSupport) -> String? {
        guard !support.isAvailable else { return nil }
        return "URL is unavailable with JavaScriptCore \(Capabilities.libraryVersion): \(support.reason)"
    }
}

extension Capabilities {
    /// The support for `URL`.
    ///
    /// The first access runs a self-test (less than a millisecond).
    public var urls: FeatureSupport { URLSupport.current }
}
