extension BridgeError {
    /// How many causes are kept when an error crosses the border; where there are more, a last one says so.
    ///
    /// An error is for people, and a chain may be a cycle at its source.
    public static let maximumCauseCount = 32

    /// How many frames are kept when an error crosses the border: the innermost three quarters and the
    /// outermost quarter of them, with a line between that says how many are missing.
    public static let maximumFrameCount = 128

    /// What stands in the place of the causes that are over ``maximumCauseCount``.
    package static let causesCut = BridgeError(
        .limitExceeded,
        "the chain of causes goes on: \(maximumCauseCount) of them are kept"
    )

    /// The error as it stands on the wire and as scripts make their own of it: `code`, `msg`, and `data`,
    /// `stack`, `cause` where there are any.
    ///
    /// A script may see it (R39), so frames of Swift stand in it without their file.
    package var record: Value { record(depth: 0) }

    private func record(depth: Int) -> Value {
        var members: ValueObject = ["code": .string(code.rawValue), "msg": .string(message)]
        if let data { members["data"] = data }
        if !frames.isEmpty {
            members["stack"] = .string(frames.bounded.map(\.scriptText).joined(separator: "\n"))
        }
        if let cause {
            members["cause"] =
                depth < Self.maximumCauseCount ? cause.record(depth: depth + 1) : Self.causesCut.record
        }
        return .object(members)
    }

    /// Reads an error from the wire.
    ///
    /// What is missing or of another type is left out; an error always results.
    package init(record: Value) { self.init(record: record, depth: 0) }

    private init(record: Value, depth: Int) {
        let cause = record["cause"]
        let code = Self.text(record["code"]).flatMap { $0.isEmpty ? nil : BridgeErrorCode(rawValue: $0) }
        self.init(
            code ?? .handlerFailed,
            Self.text(record["msg"]) ?? "an error without a message",
            data: record["data"] == .undefined ? nil : record["data"],
            frames: Self.text(record["stack"]).map { StackFrame.parse($0) } ?? []
        )
        guard !cause.isNil else { return }
        self.cause =
            depth < Self.maximumCauseCount ? BridgeError(record: cause, depth: depth + 1) : Self.causesCut
    }

    // A text that was cut in the middle of a character has half a surrogate pair; the rest of it is worth reading (P66).
    private static func text(_ value: Value) -> String? {
        guard case .illFormedString(let units) = value else { return value.stringValue }
        return String(decoding: units, as: UTF16.self)
    }
}
