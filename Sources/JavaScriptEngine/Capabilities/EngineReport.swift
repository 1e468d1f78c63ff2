internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A probe's findings about the loaded library, next to the listed facts.
package struct EngineReport: Sendable, Hashable {
    /// The library's version.
    package let version: String
    /// The library's build ID, if it has one.
    package let buildID: String?
    /// The derived profile; a field that could not be derived is `nil` in it.
    package let derived: EngineProfile
    /// The listed profile of the branch; `nil` if the branch is not listed.
    package let listed: EngineProfile?
    /// The fault that the self-test finds in the derived layout; `nil` if it finds none.
    package let fault: String?

    /// A Boolean value that indicates whether the derived profile equals the listed one; `nil` if the branch is not
    /// listed.
    package var isAsListed: Bool? { listed.map { $0 == derived } }

    /// Derives a profile from the loaded library.
    ///
    /// - Throws: ``JSException`` if the engine or the system does not provide the samples.
    package static func derive() throws -> EngineReport {
        let version = Capabilities.current.engineVersion
        let branch = EngineProfile.branch(of: version)
        let listed = EngineProfile.listed.first { $0.branch == branch }
        let derived = try withProbe { probe in
            EngineProfile(
                branch: branch,
                layout: probe.layout(),
                promise: probe.promise(),
                promiseResult: probe.promiseResult(),
                // Trying it would end the process.
                startsMainThreadLate: listed?.startsMainThreadLate ?? false
            )
        }
        return EngineReport(
            version: version,
            buildID: EngineStart.buildID,
            derived: derived,
            listed: listed,
            fault: derived.layout.map { FastPath.fault(of: $0) } ?? "the layout could not be derived"
        )
    }

    /// Runs a body with a probe of a new virtual machine.
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
