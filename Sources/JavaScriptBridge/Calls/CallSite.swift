internal import BridgeJSON

/// A location in the host's Swift code, for traces: where a handler was registered, or a call was made.
struct CallSite: Sendable {
    /// The function, as `#function` names it.
    let function: String
    /// The file, as `#fileID` names it: never a path of the machine that compiled it.
    let fileID: String
    let line: Int

    /// A Boolean value that indicates whether errors name it: handlers of the protocol itself have no line.
    var isNamed: Bool { line > 0 }

    var frame: StackFrame { .swift(function, fileID: fileID, line: line) }
}

extension BridgeError {
    /// Returns the error with the hop of a call behind its frames, and the caller.
    func traced(throughCallOf name: String, from site: CallSite) -> BridgeError {
        var error = self
        error.frames = (frames.naming(handler: name) + [.call(ofHandler: name), site.frame]).stitched.bounded
        return error
    }

    /// Returns the error of a reply that does not match the caller's type, with the name of the handler.
    func ofReply(of name: String) -> BridgeError { within("the reply of \"\(name)\"") }

    /// Returns the error with the name of the value in which it was found.
    func within(_ value: String) -> BridgeError {
        var error = self
        error.message = "\(value): \(message)"
        return error
    }

    /// Returns the error with the handler that threw it, or did not catch it, behind its frames.
    func traced(throughHandlerAt site: CallSite) -> BridgeError {
        var error = self
        error.frames = (frames + [site.frame]).bounded
        return error
    }
}

extension MessagePayload {
    /// Decodes the reply of a call.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - name: The handler that was called.
    ///   - site: The caller, for the frames of an error; `nil` if the code that calls this adds them.
    ///   - decoder: The decoder of text.
    /// - Returns: The value.
    /// - Throws: ``BridgeError`` that names the handler, or any other error that the type throws.
    func decodeReply<Response: Decodable>(
        _ type: Response.Type = Response.self,
        of name: String,
        from site: CallSite? = nil,
        by decoder: JSONTextDecoder
    ) throws -> Response {
        do {
            return try decode(type, by: decoder)
        } catch let error as BridgeError {
            let error = error.ofReply(of: name)
            throw site.map { error.traced(throughCallOf: name, from: $0) } ?? error
        }
    }
}
