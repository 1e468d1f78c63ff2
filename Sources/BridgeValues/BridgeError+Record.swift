extension BridgeError {
    /// The maximum number of causes of an error that crosses the boundary: an extra last cause reports that others were
    /// dropped.
    ///
    /// An error is for people, and a chain of causes may be a cycle at its source.
    public static let maximumCauseCount = 32

    /// The maximum number of frames of an error that crosses the boundary.
    ///
    /// The innermost three quarters and the outermost quarter of them are retained, with a line between them that says
    /// how many are missing.
    public static let maximumFrameCount = 128

    /// The error that replaces the causes beyond ``maximumCauseCount``.
    package static let causesCut = BridgeError(
        .limitExceeded,
        "too many causes (limit \(maximumCauseCount))"
    )

    /// The error as the wire and scripts have it: `code`, `msg`, and, where there are any, `data`, `stack` and `cause`.
    ///
    /// A script may see it (R39), so frames of Swift have no file in it.
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
    /// Members that are missing or have another type are left out; an error always results.
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

    // A string that was cut in the middle of a character has half a surrogate pair; the rest of it is worth reading
    // (P66).
    private static func text(_ value: Value) -> String? {
        guard case .illFormedString(let units) = value else { return value.stringValue }
        return String(decoding: units, as: UTF16.self)
    }
}
