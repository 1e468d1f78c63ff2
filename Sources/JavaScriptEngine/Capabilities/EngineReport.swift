internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// What a probe finds of the library that is loaded, beside what is known of it.
package struct EngineReport: Sendable, Hashable {
    /// The library's version.
    package let version: String
    /// The library's build ID, where it has one.
    package let buildID: String?
    /// What was derived: a field that does not show is `nil` in it.
    package let derived: EngineProfile
    /// The listed profile of the branch; `nil` where the branch is not listed.
    package let listed: EngineProfile?
    /// What the self-test finds wrong with the layout that was derived; `nil` where nothing is.
    package let fault: String?

    /// Whether the derived profile is the listed one; `nil` where the branch is not listed.
    package var isAsListed: Bool? { listed.map { $0 == derived } }

    /// Derives a profile from the library that is loaded.
    ///
    /// - Throws: ``JSException`` where the engine or the system makes no samples.
    package static func derive() throws -> EngineReport {
        let version = Capabilities.current.engineVersion
        let branch = EngineProfile.branch(of: version)
        let listed = EngineProfile.listed.first { $0.branch == branch }
        let derived = try withProbe { probe in
            EngineProfile(
                branch: branch,
                layout: probe.layout(),
                promise: probe.promise(),
                // To try it would end the process.
                startsMainThreadLate: listed?.startsMainThreadLate ?? false
            )
        }
        return EngineReport(
            version: version,
            buildID: EngineStart.buildID,
            derived: derived,
            listed: listed,
            fault: derived.layout.map { FastLane.fault(of: $0) } ?? "the layout does not show"
        )
    }

    /// Runs a body with a probe of a virtual machine of its own.
    static func withProbe<Result>(_ body: (EngineProbe) throws -> Result) throws -> Result {
        _ = Capabilities.current
        guard let context = JSGlobalContextCreate(nil) else {
            throw JSException(name: "Error", message: "the engine made no context")
        }
        defer { JSGlobalContextRelease(context) }
        JSLock(context)
        defer { JSUnlock(context) }
        guard let probe = EngineProbe(in: context) else {
            throw JSException(name: "Error", message: "the engine could not be probed")
        }
        return try body(probe)
    }
}
