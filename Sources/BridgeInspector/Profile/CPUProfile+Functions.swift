extension CPUProfile {
    /// The time of a function, summed over all its calls.
    public struct FunctionTime: Sendable, Hashable {
        /// The function.
        public var callFrame: CallFrame
        /// The time in the function itself, in microseconds.
        public var selfTime: Int
        /// The time in the function and in what it called, in microseconds.
        ///
        /// Recursive calls count once.
        public var totalTime: Int
    }

    /// The functions by the time in themselves, the longest first, without the idle time.
    ///
    /// - Complexity: O(*n*) in the number of nodes times their depth.
    public var functions: [FunctionTime] {
        let times = selfTimes
        let parents = parents
        var functions: [CallFrame: FunctionTime] = [:]
        for (index, time) in times.enumerated() where time > 0 && nodes[index].callFrame != .idle {
            functions[nodes[index].callFrame, default: .zero(nodes[index].callFrame)].selfTime += time
            var seen: Set<CallFrame> = []
            var ancestor = index
            while ancestor > 0 {
                let frame = nodes[ancestor].callFrame
                if seen.insert(frame).inserted {
                    functions[frame, default: .zero(frame)].totalTime += time
                }
                ancestor = parents[ancestor]
            }
        }
        return functions.values.sorted {
            ($1.selfTime, $1.totalTime, $0.callFrame.functionName, $0.callFrame.lineNumber)
                < ($0.selfTime, $0.totalTime, $1.callFrame.functionName, $1.callFrame.lineNumber)
        }
    }

    /// The time in which scripts ran, in microseconds.
    public var runningTime: Int {
        zip(nodes, selfTimes).reduce(0) { $0 + ($1.0.callFrame == .idle ? 0 : $1.1) }
    }

    /// The number of samples in which a script ran.
    public var runningSampleCount: Int {
        nodes.reduce(0) { $0 + ($1.callFrame == .idle ? 0 : $1.hitCount) }
    }
}

extension CPUProfile.FunctionTime {
    fileprivate static func zero(_ frame: CPUProfile.CallFrame) -> Self {
        Self(callFrame: frame, selfTime: 0, totalTime: 0)
    }
}
