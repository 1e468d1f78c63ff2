#if canImport(Runtime)
    internal import CStackFrames
    internal import Runtime
#endif

/// The creator of an object: the calls that led to it, which are symbolicated on demand.
struct Origin: Sendable {
    #if canImport(Runtime)
        fileprivate let backtrace: Backtrace?
    #endif
    /// The origin of the turn in which the creation happened: a walk over frame pointers does not pass the frames of
    /// the engine's library.
    fileprivate var caller: [Origin] = []

    /// A finder of the places of objects in the source, once for objects that were created by the same calls.
    struct PlaceFinder {
        #if canImport(Runtime)
            private var known: [[Backtrace.Address]: String?] = [:]
        #endif

        /// The maximum number of different call stacks to symbolicate: one needs up to a second in a program with 250 MB
        /// of debug information.
        private static let maximumCount = 16

        /// Returns the place of an object's creation outside of the package, such as `Tests/PluginTests.swift:12 in
        /// reload()`.
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
            for frame in backtrace.frames {
                if let place = framePlaces.place(of: frame, in: backtrace) { return place }
            }
            return nil
        }

        private static let framePlaces = FramePlaces { symbol in
            symbolPrefixes.contains { symbol.hasPrefix($0) }
        } describe: { symbol in
            guard let location = symbol.sourceLocation, location.line > 0, !isOurs(location.path)
            else { return nil }
            let function = symbol.name.split(separator: " in ").last.map(String.init) ?? symbol.name
            return "\(location.path):\(location.line) in \(function)"
        }
    #endif

    private static let rooms = [
        "BridgeTestKit", "BridgeTesting", "BridgeValues", "BridgeProtocol", "JavaScriptBridge",
        "JavaScriptEngine",
    ]

    /// The beginnings of the mangled names of these modules' symbols.
    private static let symbolPrefixes = rooms.map { "$s\($0.utf8.count)\($0)" }

    /// Returns whether a file belongs to the modules that create tracked objects, or is compiler-generated.
    private static func isOurs(_ path: String) -> Bool {
        path.isEmpty || path.contains("<compiler-generated>")
            || rooms.contains { path.contains("/Sources/\($0)/") }
    }
}

/// A recorder of the call stack at the place of a call.
package struct OriginRecorder: Sendable {
    #if canImport(Runtime)
        // Created once: capturing the image map takes 2 ms, a backtrace with it 1.3 us (measured). The capture reads
        // the mapped memory of the process, and must not run while another thread unmaps a file.
        private static let images = ImageMap.capture()
    #endif

    /// Captures the image map; best before other threads exist.
    package static func prepare() {
        #if canImport(Runtime)
            _ = images
        #endif
    }

    func here(calledFrom caller: Origin? = nil) -> Origin {
        let callers = caller.map { [$0] } ?? []
        #if canImport(Runtime)
            // The capture follows frame pointers without a check, and reads one frame more than its limit. A library
            // without frame pointers crashed it (Debian 13's, in a process with JavaScriptCore 2.52).
            let limit = Int(CStackFrames_readable(34)) - 2
            guard limit > 0 else { return Origin(backtrace: nil, caller: callers) }
            let backtrace = try? Backtrace.capture(
                algorithm: .fast,
                limit: limit,
                top: 0,
                images: Self.images
            )
            return Origin(backtrace: backtrace, caller: callers)
        #else
            return Origin(caller: callers)
        #endif
    }
}
