/// A builder of a profile from the samples of the engine.
struct ProfileBuilder {
    private struct Key: Hashable {
        let parent: Int
        let frame: CPUProfile.CallFrame
    }

    private var profile = CPUProfile()
    private var indices: [Key: Int] = [:]
    private var stacks: [(node: Int, line: Int?)] = []

    // The engine waits a millisecond between two samples; its clock and this one may differ a little.
    private static let shortestInterval = 900

    /// A frame of a sample as the engine reports it, with lines and columns from 1.
    struct Frame {
        var name = ""
        var url = ""
        var scriptID = ""
        var line = -1
        var column = -1
        /// The line that was running.
        var currentLine: Int?

        /// A Boolean value that indicates whether the frame is of the package's own scripts.
        var isInternal: Bool { url.hasPrefix("jsbridge:") || name.hasPrefix("jsbridge:") }
        /// A Boolean value that indicates whether the frame is of a script with a name; the engine's own have none.
        var isUsers: Bool { line > 0 && !url.isEmpty && !isInternal }
    }

    /// Adds a sample.
    ///
    /// The package's own frames are folded. One that a script called has in its time all that it called, up to
    /// the next frame of a script. All that called the outermost frame of a script is left out.
    ///
    /// - Parameter frames: The frames, the innermost first.
    mutating func add(_ frames: [Frame]) {
        let first = frames.lastIndex(where: \.isUsers) ?? frames.lastIndex { !$0.isInternal && $0.line > 0 }
        guard let first else { return stacks.append((child(of: 0, .program), nil)) }
        var node = 0
        var isInside = false
        var line: Int?
        for frame in frames[...first].reversed() {
            if frame.isUsers { isInside = false }
            guard !isInside else { continue }
            guard frame.isInternal else {
                node = child(of: node, Self.callFrame(frame))
                line = frame.currentLine
                continue
            }
            isInside = true
            let name = frame.name.isEmpty ? "(bridge)" : frame.name
            node = child(of: node, CPUProfile.CallFrame(functionName: name, url: "jsbridge:"))
            line = nil
        }
        stacks.append((node, line))
    }

    private static func callFrame(_ frame: Frame) -> CPUProfile.CallFrame {
        let isScript = frame.line > 0
        // In a profile of Chrome `(program)` is the time outside scripts.
        let isTop = isScript && ["(program)", "(module)", "(eval)"].contains(frame.name)
        return CPUProfile.CallFrame(
            functionName: isTop ? "(top level)" : frame.name,
            scriptID: isScript ? frame.scriptID : "0",
            url: frame.url,
            lineNumber: isScript ? frame.line - 1 : -1,
            columnNumber: isScript && frame.column > 0 ? frame.column - 1 : -1
        )
    }

    private mutating func child(of parent: Int, _ frame: CPUProfile.CallFrame) -> Int {
        let key = Key(parent: parent, frame: frame)
        if let index = indices[key] { return index }
        let index = profile.nodes.count
        profile.nodes.append(CPUProfile.Node(id: index + 1, callFrame: frame))
        profile.nodes[parent].children.append(index + 1)
        indices[key] = index
        return index
    }

    /// Returns the profile.
    ///
    /// The engine's samples have no times (they are all 0 in 2.50), so each represents the same part of the times in
    /// which scripts ran.
    ///
    /// - Parameters:
    ///   - busy: The times in which scripts ran.
    ///   - end: The time of the end.
    /// - Returns: The profile.
    consuming func build(busy: BusyTimes, end: Int) -> CPUProfile {
        var busy = busy
        // The engine reports a script when it ends. More samples than the reported times can have are of one that is
        // still running.
        if stacks.count * Self.shortestInterval > busy.total {
            busy.add(busy.intervals.last?.end ?? 0, end)
        }
        // A script that took less time than a sample.
        if busy.total > 0, stacks.isEmpty { stacks.append((child(of: 0, .program), nil)) }
        profile.endTime = max(end, busy.intervals.last?.end ?? 0)
        var last = 0
        var before = 0
        let total = busy.total
        let count = stacks.count
        let idle = busy.intervals.isEmpty || total == profile.endTime ? 0 : child(of: 0, .idle)
        func append(_ node: Int, at time: Int, line: Int?) {
            profile.samples.append(node + 1)
            profile.timeDeltas.append(time - last)
            last = time
            profile.nodes[node].hitCount += 1
            if let line { profile.nodes[node].linesHit[line, default: 0] += 1 }
        }
        if let first = busy.intervals.first, first.start > 0 { append(idle, at: 0, line: nil) }
        for interval in busy.intervals {
            let length = interval.end - interval.start
            guard length > 0 else { continue }
            // The sample that continues, or begins, at the interval's start.
            var index = before * count / total
            while index < count, index * total < (before + length) * count {
                let offset = max(0, (index * total + count - 1) / count - before)
                append(stacks[index].node, at: interval.start + offset, line: stacks[index].line)
                index += 1
            }
            before += length
            if interval.end < profile.endTime { append(idle, at: interval.end, line: nil) }
        }
        return profile
    }
}
