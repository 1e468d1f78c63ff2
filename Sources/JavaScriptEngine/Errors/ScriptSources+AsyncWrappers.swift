internal import BridgeValues

extension ScriptSources {
    /// The maximum number of source lines that one trace looks up.
    ///
    /// Each lookup takes O(n) in the text before it.
    private static let maximumLookups = 16

    /// Returns the frames without the second frame of each async function, so that a trace names every function once on
    /// every engine.
    ///
    /// Until its first `await`, version 2.50 of the engine runs an async function in two frames. The outer one makes no
    /// call: its position is the function's end, reported as a column of the line on which the parameters begin. That
    /// line contains the word `async`, and the column is not at a call. A recursive call is a call, so that its
    /// frame stays.
    ///
    /// - Parameter frames: The frames as the engine reports them, innermost first.
    /// - Returns: The frames without those. A frame whose source is not known stays.
    func withoutAsyncWrappers(_ frames: [StackFrame]) -> [StackFrame] {
        var result: [StackFrame] = []
        var lines: [StackFrame: [UInt16]] = [:]
        for frame in frames {
            if let inner = result.last, frame.mayWrap(inner), let column = frame.column {
                let key = StackFrame(function: "", sourceURL: frame.sourceURL, line: frame.line)
                if lines[key] == nil, lines.count < Self.maximumLookups { lines[key] = line(of: frame) ?? [] }
                if let line = lines[key], line.containsAsync, !line.hasCall(at: column - 1) {
                    // Only the outer frame of an arrow function has the name.
                    result[result.count - 1].function = frame.function
                    continue
                }
            }
            result.append(frame)
        }
        return result
    }

    private func line(of frame: StackFrame) -> [UInt16]? {
        guard let (source, index) = place(of: frame) else { return nil }
        return SourceLines(source.text).lines(from: index, through: index).first
    }
}

extension StackFrame {
    /// Returns whether this frame may be the outer one of the same async function.
    fileprivate func mayWrap(_ inner: StackFrame) -> Bool {
        guard language == .javaScript, !isAsync, !inner.isAsync, let line, let innerLine = inner.line else {
            return false
        }
        return sourceURL == inner.sourceURL && line <= innerLine
            && (function == inner.function || inner.function.isEmpty)
    }
}

extension [UInt16] {
    fileprivate var containsAsync: Bool {
        let word = Array("async".utf16)
        return indices.contains { self[$0...].starts(with: word) }
    }

    /// Returns whether a call's arguments begin at an index, which is where the engine reports the position of a call.
    fileprivate func hasCall(at index: Int) -> Bool {
        indices.contains(index)
            && (self[index] == UInt16(UInt8(ascii: "(")) || self[index] == UInt16(UInt8(ascii: "`")))
    }
}
