import Foundation

/// The pictures and texts in the repository with which pages are compared (TE5).
///
/// `Scripts/golden-pictures` writes them again.
enum GoldenFiles {
    static let isRenewed = ProcessInfo.processInfo.environment["JSBRIDGE_RENEW_GOLDEN"] != nil
    /// The font of the pictures, which is in Debian's package fonts-dejavu-core.
    static let font = (name: "DejaVu Sans", file: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

    private static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = tests.appendingPathComponent("Golden")
    /// The folder of what differs from its golden file.
    private static let differences = tests.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/golden")

    static func read(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    static func renew(_ name: String, _ data: Data) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appendingPathComponent(name))
    }

    /// Writes what differs beside the results of the build, and returns its path.
    static func write(_ name: String, _ data: Data) throws -> String {
        try FileManager.default.createDirectory(at: differences, withIntermediateDirectories: true)
        let file = differences.appendingPathComponent(name)
        try data.write(to: file)
        return file.path
    }
}
