/// A function of a call stack, in either language, or an asynchronous hop in a chain of calls.
///
/// A trace reads from the innermost frame outwards, through every call between the languages:
/// ```
/// charge (shop.js:12:9)
/// async callHandler "charge"
/// buy(_:) (Shop/Checkout.swift:40) [Swift]
/// handler "buy" (Shop/Checkout.swift:31) [Swift]
/// async callHandler "buy"
/// onClick (page.js:3:5)
/// ```
public struct StackFrame: Sendable, Hashable {
    /// The language of a function.
    public enum Language: String, Sendable, Hashable {
        /// A script, or a native function of the engine.
        case javaScript
        /// A function of the host; its position is where it was registered, or where it made a call.
        case swift
    }

    /// The function's name, empty if it has none; for an asynchronous hop, the name of the call.
    public var function: String
    /// The source URL that was given when the script was loaded, or the Swift file as `#fileID`.
    public var sourceURL: String?
    /// The line, from 1.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?
    /// The language of the function.
    public var language: Language
    /// A Boolean value that indicates whether this is an asynchronous hop instead of a function: the frames after it
    /// are those of the caller.
    ///
    /// The name of a hop is, for example, `callHandler "buy"` or `setTimeout`.
    public var isAsync: Bool

    /// Creates a frame.
    public init(
        function: String,
        sourceURL: String? = nil,
        line: Int? = nil,
        column: Int? = nil,
        language: Language = .javaScript,
        isAsync: Bool = false
    ) {
        self.function = function
        self.sourceURL = sourceURL
        self.line = line
        self.column = column
        self.language = language
        self.isAsync = isAsync
    }

    /// Creates the frame of a Swift function from `#function`, `#fileID` and `#line`.
    package static func swift(_ function: String, fileID: String, line: Int) -> StackFrame {
        StackFrame(function: function, sourceURL: fileID, line: line, language: .swift)
    }

    /// Creates an asynchronous hop.
    package static func async(_ name: String) -> StackFrame { StackFrame(function: name, isAsync: true) }

    /// Creates the hop of a call of a handler; its name is on one line, as a stack has one line for each frame.
    package static func call(ofHandler name: String) -> StackFrame {
        // Mostly a short ASCII name, which needs no characters.
        if name.utf8.count <= maximumNameLength, name.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) {
            return async("callHandler \"\(name)\"")
        }
        let shown = name.count > maximumNameLength ? name.prefix(maximumNameLength) + "..." : name[...]
        return async("callHandler \"\(shown.split(whereSeparator: \.isNewline).joined(separator: " "))\"")
    }

    private static let maximumNameLength = 200
}

extension StackFrame: CustomStringConvertible {
    /// The frame as `function (source:line:column)`, with `[Swift]` after one of the host, and `async` before a hop.
    public var description: String {
        if isAsync { return "async \(function)" }
        let place = [sourceURL, line.map(String.init), column.map(String.init)].compactMap { $0 }
        let name = function.isEmpty ? "<anonymous>" : function
        let text = place.isEmpty ? name : "\(name) (\(place.joined(separator: ":")))"
        return language == .swift ? "\(text) [Swift]" : text
    }
}
