extension [StackFrame] {
    /// The frames with an asynchronous part said once.
    ///
    /// A trace is put together from the stack of an error and the stacks of whoever asked for what ran, hop
    /// by hop. The same hop may be known from both sides, and a function that waits three times in a row has
    /// three hops of which the first has all callers. So:
    /// 1. a hop whose frames stand there already is left out;
    /// 2. a hop `after` a call whose functions are the beginning of the next such hop is left out, except the
    ///    innermost.
    package var stitched: [StackFrame] {
        guard contains(where: \.isAsync) else { return self }
        var segments: [ArraySlice<StackFrame>] = []
        for part in hops {
            guard part.first?.isAsync == true else {
                segments.append(part)
                continue
            }
            let frames = part.dropFirst()
            let isKnown = segments.contains {
                $0.first?.isAsync == true && $0.dropFirst().elementsEqual(frames)
                    && $0.first?.callName == part.first?.callName
            }
            if !isKnown { segments.append(part) }
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
        let missing = StackFrame(function: "(\(count - inner - outer) frames are left out)")
        return prefix(inner) + [missing] + suffix(outer)
    }
}

extension StackFrame {
    private static let after = "after "

    /// Whether this hop is what ran after a call was answered, and not the call itself.
    fileprivate var isContinuation: Bool { function.hasPrefix(Self.after) }

    /// What was called, whichever side tells.
    fileprivate var callName: Substring {
        isContinuation ? function.dropFirst(Self.after.count) : function[...]
    }
}
