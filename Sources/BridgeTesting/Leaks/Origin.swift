#if canImport(Runtime)
internal import Runtime
#endif

/// Who made a thing: the calls that led there, which become places in the source when somebody asks.
struct Origin: Sendable {
    #if canImport(Runtime)
    fileprivate let backtrace: Backtrace?
    #endif

    /// The place outside the package's own rooms where the thing was made, such as
    /// `Tests/PluginTests.swift:12 in reload()`.
    var place: String? {
        #if canImport(Runtime)
        guard let symbolicated = backtrace?.symbolicated() else { return nil }
        let places = symbolicated.frames.compactMap { frame -> (path: String, text: String)? in
            guard let symbol = frame.symbol, let location = symbol.sourceLocation,
                !location.path.isEmpty, location.line > 0
            else { return nil }
            return (location.path, "\(location.path):\(location.line) in \(Self.function(symbol.name))")
        }
        return (places.first { !Self.isOurs($0.path) } ?? places.first)?.text
        #else
        return nil
        #endif
    }

    private static let rooms = [
        "BridgeTesting", "BridgeValues", "BridgeProtocol", "JavaScriptBridge", "JavaScriptEngine",
    ]

    /// Whether a file belongs to the package's rooms that make what is counted, or to Swift itself.
    static func isOurs(_ path: String) -> Bool {
        guard !path.hasPrefix("/<") && !path.hasPrefix("<") else { return true }
        return rooms.contains { path.contains("/Sources/\($0)/") }
    }

    private static func function(_ name: String) -> String {
        name.split(separator: " in ").last.map(String.init) ?? name
    }
}

/// Notes the calls that lead to where it is asked.
struct OriginRecorder: Sendable {
    #if canImport(Runtime)
    // Made once: what is loaded where takes 2 ms to find out, and a capture with it 1.3 us (measured).
    private let images = ImageMap.capture()

    func here() -> Origin {
        Origin(backtrace: try? Backtrace.capture(algorithm: .fast, limit: 32, images: images))
    }
    #else
    func here() -> Origin { Origin() }
    #endif
}
