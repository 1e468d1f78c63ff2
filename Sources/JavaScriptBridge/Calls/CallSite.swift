/// A place in the Swift of the host, for traces: where a handler was registered, or a call was made.
struct CallSite: Sendable {
    /// The function, as `#function` names it.
    let function: String
    /// The file, as `#fileID` names it: never a path of the machine that compiled it.
    let fileID: String
    let line: Int

    var frame: StackFrame { .swift(function, fileID: fileID, line: line) }
}

extension BridgeError {
    /// The error with the hop of a call behind its frames, and who made the call.
    func traced(throughCallOf name: String, from site: CallSite) -> BridgeError {
        var error = self
        error.frames = (frames.naming(handler: name) + [.call(ofHandler: name), site.frame]).stitched.bounded
        return error
    }

    /// The error with the handler that threw it, or let it through, behind its frames.
    func traced(throughHandlerAt site: CallSite) -> BridgeError {
        var error = self
        error.frames = (frames + [site.frame]).bounded
        return error
    }
}
