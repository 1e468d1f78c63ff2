extension StackFrame {
    private static let nativePlace = "[native code]"
    private static let asyncPlace = "[async]"
    /// The name of the package's own scripts: what traces leave out.
    package static let internalSourceURL = "jsbridge:internal"

    /// The frame as a script may see it: `function@source:line:column`, as engines write it.
    ///
    /// The file of a Swift function is the host's own business (R39).
    package var scriptText: String {
        if isAsync { return "\(function)@\(Self.asyncPlace)" }
        let place = [sourceURL, line.map(String.init), column.map(String.init)].compactMap { $0 }
        let isHidden = language == .swift || place.isEmpty
        return "\(function)@\(isHidden ? Self.nativePlace : place.joined(separator: ":"))"
    }

    /// Reads a stack as the engine writes it: `function@source:line:column` a line, innermost first.
    ///
    /// Frames of the package's own script are left out; native ones stay, without a place.
    ///
    /// - Parameters:
    ///   - stack: The text.
    ///   - hostFunctions: The functions of Swift by the name that the package's own script gave them.
    /// - Returns: The frames, innermost first.
    package static func parse(_ stack: String, hostFunctions: [String: StackFrame] = [:]) -> [StackFrame] {
        stack.split(separator: "\n").prefix(maximumLineCount).compactMap { line in
            // A backtrace numbers its lines: `#0 function() at source:line`.
            if line.first == "#", let frame = numbered(line) { return frame.visible(hostFunctions) }
            // What was called may have any name.
            if line.hasSuffix("@\(asyncPlace)") {
                return StackFrame(function: String(line.dropLast(asyncPlace.count + 1)), isAsync: true)
            }
            // Names of functions are identifiers; only what comes after may hold the sign again.
            guard let at = line.firstIndex(of: "@") else {
                // No frame of the engine's: a script has set the text.
                return line == internalSourceURL ? nil : StackFrame(function: String(line))
            }
            return StackFrame(
                function: String(line[..<at]),
                place: line[line.index(after: at)...],
                hasColumn: true
            ).visible(hostFunctions)
        }
    }

    // A script may set `Error.stackTraceLimit`, and a stack to any text.
    private static let maximumLineCount = 2000

    /// Functions of the engine that no script calls: they go on with an async function or run a reaction.
    ///
    /// The beginnings of their names; `02_errors.js` has the same.
    private static let engineFunctions = ["asyncF", "asyncG", "generatorResume", "promise"]

    private var isOfEngine: Bool { Self.engineFunctions.contains(where: function.hasPrefix) }

    /// The frame as traces show it: none of the package's own, unless it stands for a function of Swift.
    private func visible(_ hostFunctions: [String: StackFrame]) -> StackFrame? {
        // A native function without a name is the fast lane's way into Swift.
        if sourceURL == nil, function.isEmpty && line == nil || isOfEngine { return nil }
        guard sourceURL == Self.internalSourceURL || function == Self.internalSourceURL else { return self }
        return hostFunctions[function]
    }

    private static func numbered(_ line: Substring) -> StackFrame? {
        let number = line.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard !number.isEmpty, line[number.endIndex...].first == " " else { return nil }
        let rest = line[number.endIndex...].dropFirst()
        // The name may hold anything; the place does not.
        guard let end = rest.range(of: "() at ") else { return StackFrame(function: String(rest)) }
        return StackFrame(
            function: String(rest[..<end.lowerBound]),
            place: rest[end.upperBound...],
            hasColumn: false
        )
    }

    private init(function: String, place: Substring, hasColumn: Bool) {
        guard place != Self.nativePlace else {
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
            sourceURL: rest.isEmpty || rest == Self.nativePlace ? nil : String(rest),
            line: numbers.first,
            column: numbers.count > 1 ? numbers[1] : nil
        )
    }
}

extension Substring {
    /// The first place of a text in this one.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
