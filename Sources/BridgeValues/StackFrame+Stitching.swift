extension [StackFrame] {
    /// The frames with an asynchronous part said once.
    ///
    /// A trace is put together from the stack of an error and the stacks of whoever asked for what ran, hop
    /// by hop. The same hop may be known from both sides, and a function that waits three times in a row has
    /// three hops of which the first has all callers. So:
    /// 1. a hop `after` a call is left out where the call itself stands there, or the same hop;
    /// 2. a hop `after` a call whose functions are the beginning of the next such hop is left out, except the
    ///    innermost;
    /// 3. callers that the engine itself names as awaiting (version 2.54) are left out before a hop `after` a call, whose
    ///    frames have them.
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

    /// The frames before the first hop, then each hop with its own.
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

    /// At most ``BridgeError/maximumFrameCount`` frames.
    package var bounded: [StackFrame] {
        guard count > BridgeError.maximumFrameCount else { return self }
        let outer = BridgeError.maximumFrameCount / 4
        let inner = BridgeError.maximumFrameCount - outer - 1
        // Some may have been left out before.
        let missing = self[inner..<count - outer].reduce(0) { $0 + ($1.leftOutCount ?? 1) }
        return prefix(inner) + [StackFrame(leftOutCount: missing)] + suffix(outer)
    }
}

extension ArraySlice<StackFrame> {
    /// Whether this hop is what ran after one that is there already.
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

    /// How many frames this one stands for; `nil` where it is one itself.
    fileprivate var leftOutCount: Int? {
        guard function.hasPrefix("("), function.hasSuffix(Self.leftOut) else { return nil }
        return Int(function.dropFirst().dropLast(Self.leftOut.count))
    }

    /// Whether this frame is a caller that the engine names as awaiting: `async outer@source:1:2`.
    fileprivate var isAwaitingCaller: Bool { !isAsync && line != nil && function.hasPrefix("async ") }

    /// Whether this hop is what ran after a call was answered, and not the call itself.
    fileprivate var isContinuation: Bool { function.hasPrefix(Self.after) }

    /// What was called, whichever side tells.
    fileprivate var callName: Substring {
        isContinuation ? function.dropFirst(Self.after.count) : function[...]
    }
}

extension [StackFrame] {
    /// The frames of a handler's error with the handler named: the outermost function is the handler itself, and most
    /// handlers are written without a name.
    package func naming(handler name: String) -> [StackFrame] {
        guard let last, last.language == .javaScript, !last.isAsync, last.function.isEmpty, last.line != nil
        else { return self }
        var named = self
        // Cut, and in one line, as in the hop of a call.
        named[count - 1].function = "handler " + StackFrame.call(ofHandler: name).function.drop { $0 != "\"" }
        return named
    }
}
