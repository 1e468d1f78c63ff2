extension [StackFrame] {
    /// The frames without the duplicates of asynchronous hops.
    ///
    /// A trace combines the stack of an error with the stacks of its asynchronous callers, hop by hop. Both sides may
    /// know the same hop. A function that awaits three times in a row has three hops, of which the first has all
    /// callers. The rules are:
    /// 1. A hop `after` a call is removed if the trace has the call itself, or the same hop.
    /// 2. A hop `after` a call is removed if its functions are the beginning of the next such hop, except the
    /// innermost.
    /// 3. Callers that the engine itself names as awaiting (version 2.54) are removed before a hop `after` a call,
    /// whose frames include them.
    package var stitched: [StackFrame] {
        guard contains(where: \.isAsync) else { return self }
        let hops = hops
        var segments: [ArraySlice<StackFrame>] = []
        for (index, hop) in hops.enumerated() {
            let isContinued = index + 1 < hops.count && hops[index + 1].first?.isContinuation == true
            let part = isContinued ? hop.filter { !$0.isAwaitingCaller }[...] : hop
            if !part.isEmpty, !part.isKnown(among: segments) { segments.append(part) }
        }
        var result: [StackFrame] = []
        for (index, part) in segments.enumerated() {
            if index >= 2, index + 1 < segments.count, let hop = part.first, hop.isContinuation,
                let next = segments[index + 1].first, next.isContinuation,
                segments[index + 1].dropFirst().map(\.function)
                    .starts(with: part.dropFirst().map(\.function))
            {
                continue
            }
            result += part
        }
        return result
    }

    /// The frames before the first hop, then each hop with its own frames.
    private var hops: [ArraySlice<StackFrame>] {
        var parts: [ArraySlice<StackFrame>] = []
        var start = startIndex
        for index in indices where self[index].isAsync {
            if index > start { parts.append(self[start..<index]) }
            start = index
        }
        if start < endIndex { parts.append(self[start...]) }
        return parts
    }

    /// The frames, at most ``BridgeError/maximumFrameCount`` of them.
    package var bounded: [StackFrame] {
        guard count > BridgeError.maximumFrameCount else { return self }
        let outer = BridgeError.maximumFrameCount / 4
        let inner = BridgeError.maximumFrameCount - outer - 1
        // Some may have been removed before.
        let missing = self[inner..<count - outer].reduce(0) { $0 + ($1.leftOutCount ?? 1) }
        return prefix(inner) + [StackFrame(leftOutCount: missing)] + suffix(outer)
    }
}

extension ArraySlice<StackFrame> {
    /// Returns whether this hop continues one of the given hops.
    fileprivate func isKnown(among segments: [Self]) -> Bool {
        guard let hop = first, hop.isAsync, hop.isContinuation else { return false }
        return segments.contains {
            $0.first?.isAsync == true && $0.first?.callName == hop.callName
                && $0.dropFirst().elementsEqual(dropFirst())
        }
    }
}

extension StackFrame {
    private static let after = "after "
    private static let leftOut = " frames are left out)"

    fileprivate init(leftOutCount: Int) { self.init(function: "(\(leftOutCount)\(Self.leftOut)") }

    /// The number of frames that this one replaces; `nil` for an ordinary frame.
    fileprivate var leftOutCount: Int? {
        guard function.hasPrefix("("), function.hasSuffix(Self.leftOut) else { return nil }
        return Int(function.dropFirst().dropLast(Self.leftOut.count))
    }

    /// A Boolean value that indicates whether this frame is a caller that the engine names as awaiting: `async
    /// outer@source:1:2`.
    fileprivate var isAwaitingCaller: Bool { !isAsync && line != nil && function.hasPrefix("async ") }

    /// A Boolean value that indicates whether this hop is the continuation after a reply, and not the call itself.
    fileprivate var isContinuation: Bool { function.hasPrefix(Self.after) }

    /// The name of the call, on either side.
    fileprivate var callName: Substring {
        isContinuation ? function.dropFirst(Self.after.count) : function[...]
    }
}

extension [StackFrame] {
    /// Returns the frames of a handler's error with the name of the handler: the outermost function is the handler
    /// itself, which usually has no name.
    package func naming(handler name: String) -> [StackFrame] {
        guard let last, last.language == .javaScript, !last.isAsync, last.function.isEmpty, last.line != nil
        else { return self }
        var named = self
        // Shortened, and on one line, as in the hop of a call.
        named[count - 1].function = "handler " + StackFrame.call(ofHandler: name).function.drop { $0 != "\"" }
        return named
    }
}
