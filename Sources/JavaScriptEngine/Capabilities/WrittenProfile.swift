internal import Foundation

/// A profile that `jsbridge engine-probe --write` derived from one build of the library, as a file keeps it.
package struct WrittenProfile: Codable, Hashable, Sendable {
    /// The library's version.
    package var version: String
    /// The library's build ID: the profile is good for that build alone.
    package var buildID: String
    /// What was derived.
    package var profile: EngineProfile

    /// Makes one.
    package init(version: String, buildID: String, profile: EngineProfile) {
        self.version = version
        self.buildID = buildID
        self.profile = profile
    }

    /// The file that is read at the engine's start: `JSBRIDGE_ENGINE_PROFILE`, or a file of the machine.
    package static var path: String {
        ProcessInfo.processInfo.environment["JSBRIDGE_ENGINE_PROFILE"] ?? "/etc/jsbridge/engine.json"
    }

    /// Reads a file; `nil` where it is missing or is not one of these.
    package static func read(_ path: String) -> WrittenProfile? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return try? JSONDecoder().decode(WrittenProfile.self, from: data)
    }

    /// The text of a file.
    package var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}
