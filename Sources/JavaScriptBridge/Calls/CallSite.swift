/// A location in the host's Swift code, for traces: where a handler was registered, or a call was made.
struct CallSite: Sendable {
    /// The function, as `#function` names it.
    let function: String
    /// The file, as `#fileID` names it: never a path of the machine that compiled it.
    let fileID: String
    let line: Int

    var frame: StackFrame { .swift(function, fileID: fileID, line: line) }
}

extension BridgeError {
    /// Returns the error with the hop of a call behind its frames, and the caller.
    func traced(throughCallOf name: String, from site: CallSite) -> BridgeError {
        var error = self
        error.frames = (frames.naming(handler: name) + [.call(ofHandler: name), site.frame]).stitched.bounded
        return error
    }

    /// Returns the error with the handler that threw it, or did not catch it, behind its frames.
    func traced(throughHandlerAt site: CallSite) -> BridgeError {
        var error = self
        error.frames = (frames + [site.frame]).bounded
        return error
    }
}
