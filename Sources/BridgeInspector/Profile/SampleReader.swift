/// A reader of the engine's event with all samples, `ScriptProfiler.trackingComplete`.
enum SampleReader {
    /// Returns the profile of an event.
    ///
    /// - Parameters:
    ///   - text: The event.
    ///   - busy: The times in which scripts ran, in microseconds.
    /// - Returns: The profile.
    /// - Throws: ``ProfilerError`` if the event has another form.
    static func profile(of text: String, busy: BusyTimes) throws -> CPUProfile {
        var builder = ProfileBuilder()
        var end = 0.0
        try JSONScanner.read(text) { scanner in
            try scanner.object { scanner, name in
                guard name == "params" else { return try scanner.skip() }
                try scanner.object { scanner, name in
                    switch name {
                    case "timestamp": end = try scanner.number()
                    case "samples":
                        try scanner.object { scanner, name in
                            guard name == "stackTraces" else { return try scanner.skip() }
                            try scanner.array { builder.add(try stack(&$0)) }
                        }
                    default: try scanner.skip()
                    }
                }
            }
        }
        return builder.build(busy: busy, end: microseconds(end))
    }

    /// Returns a time of the engine, which is in seconds.
    static func microseconds(_ seconds: Double) -> Int { Int((max(0, min(seconds, 1e9)) * 1e6).rounded()) }

    private static func stack(_ scanner: inout JSONScanner) throws -> [ProfileBuilder.Frame] {
        var frames: [ProfileBuilder.Frame] = []
        try scanner.object { scanner, name in
            guard name == "stackFrames" else { return try scanner.skip() }
            try scanner.array { frames.append(try frame(&$0)) }
        }
        return frames
    }

    private static func frame(_ scanner: inout JSONScanner) throws -> ProfileBuilder.Frame {
        var frame = ProfileBuilder.Frame()
        try scanner.object { scanner, name in
            switch name {
            case "name": frame.name = try scanner.string()
            case "url": frame.url = try scanner.string()
            case "sourceID": frame.scriptID = try scanner.string()
            case "line": frame.line = try scanner.integer()
            case "column": frame.column = try scanner.integer()
            case "expressionLocation":
                try scanner.object { scanner, name in
                    guard name == "line" else { return try scanner.skip() }
                    frame.currentLine = try scanner.integer()
                }
            default: try scanner.skip()
            }
        }
        return frame
    }

    /// Returns the times of the event `ScriptProfiler.trackingUpdate`.
    static func interval(of text: String) throws -> BusyTimes.Interval {
        var interval = BusyTimes.Interval(start: 0, end: 0)
        try JSONScanner.read(text) { scanner in
            try scanner.object { scanner, name in
                guard name == "params" else { return try scanner.skip() }
                try scanner.object { scanner, name in
                    guard name == "event" else { return try scanner.skip() }
                    try scanner.object { scanner, name in
                        switch name {
                        case "startTime": interval.start = microseconds(try scanner.number())
                        case "endTime": interval.end = microseconds(try scanner.number())
                        default: try scanner.skip()
                        }
                    }
                }
            }
        }
        return interval
    }
}
