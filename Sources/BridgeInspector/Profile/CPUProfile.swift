/// A profile of the time that scripts spent in their functions, made of samples of their call stacks.
///
/// The form is that of Chrome's `.cpuprofile`: a tree of calls, and for each sample the node that ran from its time to
/// that of the next sample. Times are in microseconds from the beginning of the profile.
///
/// ```swift
/// let profile = try await profiler.cpuProfile()
/// try profile.write { try file.write(contentsOf: $0) }
/// for function in profile.functions.prefix(10) { print(function.callFrame.functionName, function.selfTime) }
/// ```
public struct CPUProfile: Sendable, Hashable {
    /// A function of a script, or a native one.
    public struct CallFrame: Sendable, Hashable {
        /// The name; `(top level)` for the code outside all functions, empty for an anonymous function.
        public var functionName: String
        /// The ID of the script in the engine; `0` for a native function.
        public var scriptID: String
        /// The script's name or URL; empty for a native function.
        public var url: String
        /// The line on which the function begins, from 0; -1 if it is unknown.
        public var lineNumber: Int
        /// The column at which the function begins, from 0; -1 if it is unknown.
        public var columnNumber: Int

        /// Creates a frame.
        ///
        /// - Parameters:
        ///   - functionName: The name.
        ///   - scriptID: The ID of the script in the engine.
        ///   - url: The script's name or URL.
        ///   - lineNumber: The line on which the function begins, from 0.
        ///   - columnNumber: The column at which the function begins, from 0.
        public init(
            functionName: String,
            scriptID: String = "0",
            url: String = "",
            lineNumber: Int = -1,
            columnNumber: Int = -1
        ) {
            self.functionName = functionName
            self.scriptID = scriptID
            self.url = url
            self.lineNumber = lineNumber
            self.columnNumber = columnNumber
        }

        /// The frame of the root.
        static let root = CallFrame(functionName: "(root)")
        /// The frame of native code that no function of a script called.
        static let program = CallFrame(functionName: "(program)")
        /// The frame of the time in which nothing ran.
        static let idle = CallFrame(functionName: "(idle)")
    }

    /// A function as it was called by the functions above it.
    public struct Node: Sendable, Hashable {
        /// The ID in the profile, from 1.
        public var id: Int
        /// The function.
        public var callFrame: CallFrame
        /// The IDs of the nodes of the functions that it called.
        public var children: [Int] = []
        /// The number of samples of this node.
        public var hitCount = 0
        /// The numbers of samples by line, from 1.
        public var linesHit: [Int: Int] = [:]
    }

    /// The nodes, the root first.
    ///
    /// A node follows the one that called it.
    public internal(set) var nodes: [Node]
    /// The IDs of the nodes that were running, in the order of time.
    public internal(set) var samples: [Int] = []
    /// The time from each sample's predecessor to it, from the beginning for the first one, in microseconds.
    public internal(set) var timeDeltas: [Int] = []
    /// The time of the beginning, in microseconds.
    public internal(set) var startTime = 0
    /// The time of the end, in microseconds.
    public internal(set) var endTime = 0

    /// Creates an empty profile.
    init() { nodes = [Node(id: 1, callFrame: .root)] }

    /// The time of each sample until the next one or the end, in microseconds.
    var durations: [Int] {
        var durations: [Int] = []
        durations.reserveCapacity(samples.count)
        var time = startTime
        for (index, delta) in timeDeltas.enumerated() {
            time += delta
            let next = index + 1 < timeDeltas.count ? time + timeDeltas[index + 1] : endTime
            durations.append(max(0, next - time))
        }
        return durations
    }

    /// The time of each node without the functions that it called, in microseconds, by the node's index.
    var selfTimes: [Int] {
        var times = [Int](repeating: 0, count: nodes.count)
        let indices = Dictionary(
            nodes.enumerated().map { ($1.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for (sample, duration) in zip(samples, durations) {
            if let index = indices[sample] { times[index] += duration }
        }
        return times
    }

    /// The index of each node's caller; -1 for the root.
    var parents: [Int] {
        var parents = [Int](repeating: -1, count: nodes.count)
        let indices = Dictionary(
            nodes.enumerated().map { ($1.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for (index, node) in nodes.enumerated() {
            for child in node.children { if let child = indices[child] { parents[child] = index } }
        }
        return parents
    }
}
