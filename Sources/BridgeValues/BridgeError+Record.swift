extension BridgeError {
    /// How deep causes are followed across the border: an error is for people, and a chain may be a cycle at
    /// its source.
    package static let maximumCauseDepth = 8

    /// The error as it stands on the wire and as scripts make their own of it: `code`, `msg`, and `data`,
    /// `stack`, `cause` where there are any.
    package var record: Value { record(depth: 0) }

    private func record(depth: Int) -> Value {
        var members: ValueObject = ["code": .string(code.rawValue), "msg": .string(message)]
        if let data { members["data"] = data }
        if !frames.isEmpty { members["stack"] = .string(frames.map(\.wireText).joined(separator: "\n")) }
        if let cause, depth < Self.maximumCauseDepth { members["cause"] = cause.record(depth: depth + 1) }
        return .object(members)
    }

    /// Reads an error from the wire.
    ///
    /// What is missing or of another type is left out; an error always results.
    package init(record: Value) { self.init(record: record, depth: 0) }

    private init(record: Value, depth: Int) {
        let cause = record["cause"]
        let code = record["code"].stringValue.flatMap { $0.isEmpty ? nil : BridgeErrorCode(rawValue: $0) }
        self.init(
            code ?? .handlerFailed,
            record["msg"].stringValue ?? "an error without a message",
            data: record["data"] == .undefined ? nil : record["data"],
            cause: cause.isNil || depth >= Self.maximumCauseDepth
                ? nil : BridgeError(record: cause, depth: depth + 1),
            frames: record["stack"].stringValue.map(StackFrame.parse) ?? []
        )
    }
}

extension StackFrame {
    /// The frame as engines write it: `function@source:line:column`.
    var wireText: String {
        let place = [sourceURL, line.map(String.init), column.map(String.init)].compactMap { $0 }
        return "\(function)@\(place.isEmpty ? "[native code]" : place.joined(separator: ":"))"
    }

    /// Reads a stack as the engine writes it: `function@source:line:column` a line, innermost first.
    ///
    /// Frames of the package's own script are left out; native ones stay, without a place.
    package static func parse(_ stack: String) -> [StackFrame] {
        stack.split(separator: "\n").compactMap { line in
            guard !line.contains("jsbridge:internal") else { return nil }
            // A backtrace numbers its lines: `#0 function() at source:line`.
            if line.first == "#" { return numbered(line) }
            guard let at = line.lastIndex(of: "@") else { return StackFrame(function: String(line)) }
            return StackFrame(
                function: String(line[..<at]),
                place: line[line.index(after: at)...],
                hasColumn: true
            )
        }
    }

    private static func numbered(_ line: Substring) -> StackFrame? {
        guard let space = line.firstIndex(of: " ") else { return nil }
        let rest = line[line.index(after: space)...]
        let parts = rest.split(separator: "() at ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return StackFrame(function: String(rest)) }
        return StackFrame(function: String(parts[0]), place: parts[1], hasColumn: false)
    }

    private init(function: String, place: Substring, hasColumn: Bool) {
        guard place != "[native code]" else {
            self.init(function: function)
            return
        }
        var rest = place
        var numbers: [Int] = []
        for _ in 0..<(hasColumn ? 2 : 1) {
            guard let colon = rest.lastIndex(of: ":"), let number = Int(rest[rest.index(after: colon)...])
            else { break }
            numbers.insert(number, at: 0)
            rest = rest[..<colon]
        }
        self.init(
            function: function,
            sourceURL: rest.isEmpty || rest == "[native code]" ? nil : String(rest),
            line: numbers.first,
            column: numbers.count > 1 ? numbers[1] : nil
        )
    }
}
