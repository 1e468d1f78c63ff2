package import BridgeValues

/// The plain form of an error: `{code, msg, data?, stack?, cause?}`, the same on the wire and in process.
///
/// Reading is tolerant, since a script may have written the record: what is missing or of the wrong type is
/// left out, and causes end after ``maximumCauses``.
package enum ErrorRecord {
    /// How many causes of causes a record may have.
    package static let maximumCauses = 16

    /// Makes the record of an error.
    package static func value(of error: BridgeError) -> Value {
        var causes: [BridgeError] = []
        var next: BridgeError? = error
        while let current = next, causes.count <= maximumCauses {
            causes.append(current)
            next = current.cause
        }
        var record: Value?
        for error in causes.reversed() {
            var object: ValueObject = [
                "code": .string(error.code.rawValue),
                "msg": .string(error.message),
            ]
            if let data = error.data, data != .undefined { object["data"] = data }
            if !error.frames.isEmpty {
                object["stack"] = .string(error.frames.map(\.description).joined(separator: "\n"))
            }
            if let cause = record { object["cause"] = cause }
            record = .object(object)
        }
        return record ?? .null
    }

    /// Reads a record.
    ///
    /// Whatever it is, the result is an error.
    package static func error(from record: Value) -> BridgeError {
        var chain: [BridgeError] = []
        var next = record
        while chain.count <= maximumCauses {
            guard case .object(let object) = next else { break }
            let code = text(object["code"]).flatMap { $0.isEmpty ? nil : BridgeErrorCode(rawValue: $0) }
            chain.append(
                BridgeError(
                    code ?? .handlerFailed,
                    text(object["msg"]) ?? "",
                    data: object["data"],
                    frames: StackFrame.frames(inStack: text(object["stack"]) ?? "")
                )
            )
            next = object["cause"] ?? .undefined
        }
        guard var result = chain.popLast() else {
            return BridgeError(
                .handlerFailed,
                "The other side sent an error that is no record: \(record.kind)."
            )
        }
        while var outer = chain.popLast() {
            outer.cause = result
            result = outer
        }
        return result
    }

    private static func text(_ value: Value?) -> String? {
        switch value {
        case .string(let text): text
        case .illFormedString(let units): String(decoding: units, as: UTF16.self)
        default: nil
        }
    }
}

extension StackFrame {
    /// Reads the lines of a stack: the engine's (`name@source:line:column`) and our own (`name
    /// (source:line:column)`).
    ///
    /// A line of neither form becomes a frame that has it as its function. At most 100 lines are read.
    package static func frames(inStack text: String) -> [StackFrame] {
        text.split(separator: "\n").prefix(100).map { frame(inLine: $0) }
    }

    private static func frame(inLine line: Substring) -> StackFrame {
        var function = line
        var place: Substring?
        if let at = line.firstIndex(of: "@") {
            function = line[..<at]
            place = line[line.index(after: at)...]
        } else if line.hasSuffix(")"), let open = line.lastIndex(of: "(") {
            function = line[..<open]
            if function.last == " " { function.removeLast() }
            place = line[line.index(after: open)...].dropLast()
        }
        if function == "<anonymous>" { function = "" }
        guard let place, place != "[native code]" else {
            return StackFrame(function: String(function), sourceURL: place.map(String.init))
        }
        let parts = place.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let line = Int(parts[parts.count - 2]),
            let column = Int(parts[parts.count - 1])
        else { return StackFrame(function: String(function), sourceURL: String(place)) }
        let source = parts.dropLast(2).joined(separator: ":")
        return StackFrame(
            function: String(function),
            sourceURL: source.isEmpty ? nil : source,
            line: line,
            column: column
        )
    }
}
