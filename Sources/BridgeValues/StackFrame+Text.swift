extension StackFrame {
    private static let nativePlace = "[native code]"
    private static let asyncPlace = "[async]"
    /// The name of the package's own scripts, which traces omit.
    package static let internalSourceURL = "jsbridge:internal"

    /// The frame as a script may see it: `function@source:line:column`, as engines write it.
    ///
    /// The file of a Swift function is hidden from scripts (R39).
    package var scriptText: String {
        if isAsync { return "\(function)@\(Self.asyncPlace)" }
        let place = [sourceURL, line.map(String.init), column.map(String.init)].compactMap { $0 }
        let isHidden = language == .swift || place.isEmpty
        return "\(function)@\(isHidden ? Self.nativePlace : place.joined(separator: ":"))"
    }

    /// Parses a stack as the engine writes it: `function@source:line:column` on each line, innermost first.
    ///
    /// Frames of the package's own script are omitted; native ones are kept, without a position.
    ///
    /// - Parameters:
    ///   - stack: The text.
    ///   - hostFunctions: The Swift functions by the name that the package's own script gave them.
    /// - Returns: The frames, innermost first.
    package static func parse(_ stack: String, hostFunctions: [String: StackFrame] = [:]) -> [StackFrame] {
        var stack = stack
        // By bytes: reading characters takes five times as long, and every error that crosses the boundary is parsed.
        return stack.withUTF8 { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).prefix(maximumLineCount).compactMap { line in
                frame(of: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, hostFunctions)
            }
        }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static func frame(of line: Bytes, _ hostFunctions: [String: StackFrame]) -> StackFrame? {
        // A backtrace numbers its lines: `#0 function() at source:line`.
        if line.first == UInt8(ascii: "#"), let frame = numbered(line) { return frame.visible(hostFunctions) }
        // The name of a call may contain anything.
        if line.hasSuffix("@\(asyncPlace)") {
            return StackFrame(function: String(line.dropLast(asyncPlace.utf8.count + 1)), isAsync: true)
        }
        // Function names are identifiers; only the rest may contain another `@`.
        guard let at = line.firstIndex(of: UInt8(ascii: "@")) else {
            // Not a frame of the engine: a script has set the text.
            return line == internalSourceURL ? nil : StackFrame(function: String(line))
        }
        return StackFrame(function: String(line[..<at]), place: line[(at + 1)...], hasColumn: true)
            .visible(hostFunctions)
    }

    // A script may set `Error.stackTraceLimit`, and a stack to any text.
    private static let maximumLineCount = 2000

    /// The prefixes of the engine's internal functions, which resume an async function or run a reaction.
    ///
    /// `JS/src/engine/errors.js` has the same list.
    private static let engineFunctions = [
        "asyncF", "asyncG", "asyncModuleEvaluation", "generatorResume", "promise",
    ]

    private var isOfEngine: Bool { Self.engineFunctions.contains(where: function.hasPrefix) }

    /// Returns the frame as traces show it; `nil` for one of the package's own, unless it represents a Swift function.
    private func visible(_ hostFunctions: [String: StackFrame]) -> StackFrame? {
        // A native function without a name is the fast path's entry into Swift.
        if sourceURL == nil, function.isEmpty && line == nil || isOfEngine { return nil }
        guard sourceURL == Self.internalSourceURL || function == Self.internalSourceURL else { return self }
        // Callbacks of the scripts have no name either.
        return function.isEmpty ? nil : hostFunctions[function]
    }

    private static func numbered(_ line: Bytes) -> StackFrame? {
        let number = line.dropFirst().prefix(while: isDigit)
        guard !number.isEmpty, line[number.endIndex...].first == UInt8(ascii: " ") else { return nil }
        let rest = line[number.endIndex...].dropFirst()
        // The name may contain anything; the position cannot.
        let separator = "() at "
        guard let start = rest.indices.first(where: { rest[$0...].starts(with: separator.utf8) }) else {
            return StackFrame(function: String(rest))
        }
        return StackFrame(
            function: String(rest[..<start]),
            place: rest[(start + separator.utf8.count)...],
            hasColumn: false
        )
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private init(function: String, place: Bytes, hasColumn: Bool) {
        guard place != Self.nativePlace else {
            self.init(function: function)
            return
        }
        var rest = place
        var numbers: [Int] = []
        for _ in 0..<(hasColumn ? 2 : 1) {
            guard let colon = rest.lastIndex(of: UInt8(ascii: ":")),
                let number = Int(String(rest[(colon + 1)...]))
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

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate static func == (bytes: Self, text: String) -> Bool { bytes.elementsEqual(text.utf8) }
    fileprivate static func != (bytes: Self, text: String) -> Bool { !(bytes == text) }
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count) == text }
}

extension String {
    /// Creates a string from a part of another one's UTF-8.
    fileprivate init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) { self.init(decoding: bytes, as: UTF8.self) }
}
