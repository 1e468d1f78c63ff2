#if canImport(Runtime)
    internal import Runtime
#endif

/// Who made a thing: the calls that led there, which become places in the source when somebody asks.
struct Origin: Sendable {
    #if canImport(Runtime)
        fileprivate let backtrace: Backtrace?
    #endif
    /// Where the turn was opened in which it happened: frames of the engine's library lie between, which no
    /// walk over frame pointers crosses.
    fileprivate var caller: [Origin] = []

    /// Finds the places of things in the source, once for things that were made by the same calls.
    struct PlaceFinder {
        #if canImport(Runtime)
            private var known: [[Backtrace.Address]: String?] = [:]
        #endif

        /// How many different calls are looked up: one takes 0.3 s in a program with 50 MB of information for
        /// debuggers.
        private static let maximumCount = 16

        /// The place outside the package's own rooms where a thing was made, such as
        /// `Tests/PluginTests.swift:12 in reload()`.
        mutating func place(of origin: Origin) -> String? {
            #if canImport(Runtime)
                guard let backtrace = origin.backtrace else { return nil }
                let key = backtrace.frames.map(\.originalProgramCounter)
                if let known = known[key] { return known ?? origin.caller.first.flatMap { place(of: $0) } }
                guard known.count < Self.maximumCount else { return nil }
                let found = Origin.place(of: backtrace)
                known[key] = .some(found)
                return found ?? origin.caller.first.flatMap { place(of: $0) }
            #else
                return nil
            #endif
        }
    }

    #if canImport(Runtime)
        private static func place(of backtrace: Backtrace) -> String? {
            for frame in backtrace.symbolicated()?.frames ?? [] {
                guard let symbol = frame.symbol, let location = symbol.sourceLocation, location.line > 0,
                    !isOurs(location.path)
                else { continue }
                let function = symbol.name.split(separator: " in ").last.map(String.init) ?? symbol.name
                return "\(location.path):\(location.line) in \(function)"
            }
            return nil
        }
    #endif

    private static let rooms = [
        "BridgeTestKit", "BridgeTesting", "BridgeValues", "BridgeProtocol", "JavaScriptBridge",
        "JavaScriptEngine",
    ]

    /// Whether a file belongs to the package's rooms that make what is counted, or was made by the compiler.
    private static func isOurs(_ path: String) -> Bool {
        path.isEmpty || path.contains("<compiler-generated>")
            || rooms.contains { path.contains("/Sources/\($0)/") }
    }
}

/// Notes the calls that lead to where it is asked.
package struct OriginRecorder: Sendable {
    #if canImport(Runtime)
        // Made once: what is loaded where takes 2 ms to find out, and a capture with it 1.3 us (measured). It
        // reads what the process has mapped, and must not run while another thread unmaps a file.
        private static let images = ImageMap.capture()
    #endif

    /// Finds out what is loaded where; best before there are other threads.
    package static func prepare() {
        #if canImport(Runtime)
            _ = images
        #endif
    }

    func here(calledFrom caller: Origin? = nil) -> Origin {
        let callers = caller.map { [$0] } ?? []
        #if canImport(Runtime)
            let backtrace = try? Backtrace.capture(algorithm: .fast, limit: 32, top: 0, images: Self.images)
            return Origin(backtrace: backtrace, caller: callers)
        #else
            return Origin(caller: callers)
        #endif
    }
}
