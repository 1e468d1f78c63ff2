internal import Foundation

/// A profile that `jsbridge engine-probe --write` derived from one build of the library, as stored in a file.
package struct SavedEngineProfile: Codable, Hashable, Sendable {
    /// The library's version.
    package var version: String
    /// The library's build ID.
    ///
    /// The profile is valid for that build only.
    package var buildID: String
    /// The derived profile.
    package var profile: EngineProfile

    /// Creates a written profile.
    package init(version: String, buildID: String, profile: EngineProfile) {
        self.version = version
        self.buildID = buildID
        self.profile = profile
    }

    /// The path of the file that is read when the engine starts: `JSBRIDGE_ENGINE_PROFILE`, or a file of the machine.
    package static var path: String {
        EnvironmentVariable.value("JSBRIDGE_ENGINE_PROFILE") ?? "/etc/jsbridge/engine.json"
    }

    /// Reads a file.
    ///
    /// Returns `nil` if it is missing or is not a written profile.
    package static func read(_ path: String) -> SavedEngineProfile? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return try? JSONDecoder().decode(SavedEngineProfile.self, from: data)
    }

    /// The content of the file.
    package var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}
