/// One function of a call stack, of either language, or the place where a chain of calls was asynchronous.
///
/// A trace reads from the innermost frame outwards and goes through every crossing:
/// ```
/// charge (shop.js:12:9)
/// async callHandler "charge"
/// buy(_:) (Shop/Checkout.swift:40) [Swift]
/// handler "buy" (Shop/Checkout.swift:31) [Swift]
/// async callHandler "buy"
/// onClick (page.js:3:5)
/// ```
public struct StackFrame: Sendable, Hashable {
    /// What a function is written in.
    public enum Language: String, Sendable, Hashable {
        /// A script, or a native function of the engine.
        case javaScript
        /// A function of the host; its place is where it was registered, or where it made a call.
        case swift
    }

    /// The function's name, empty where it has none; of an asynchronous hop what was called.
    public var function: String
    /// The source's name as given when it was loaded, or the Swift file as `#fileID` has it.
    public var sourceURL: String?
    /// The line, from 1.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?
    /// What the function is written in.
    public var language: Language
    /// Whether this is no function but the hop between what ran and what had asked for it earlier, such as
    /// `callHandler "buy"` or `setTimeout`: the frames after it are those of the asker.
    public var isAsync: Bool

    /// Makes a frame.
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

    /// A function of Swift, as `#function`, `#fileID` and `#line` name it.
    package static func swift(_ function: String, fileID: String, line: Int) -> StackFrame {
        StackFrame(function: function, sourceURL: fileID, line: line, language: .swift)
    }

    /// An asynchronous hop.
    package static func async(_ name: String) -> StackFrame { StackFrame(function: name, isAsync: true) }

    /// The hop of a call of a handler; a stack has a line for it, so its name has none of its own.
    package static func call(ofHandler name: String) -> StackFrame {
        let shown = name.count > maximumNameLength ? name.prefix(maximumNameLength) + "..." : name[...]
        return async("callHandler \"\(shown.split(whereSeparator: \.isNewline).joined(separator: " "))\"")
    }

    private static let maximumNameLength = 200
}

extension StackFrame: CustomStringConvertible {
    /// The frame as `function (source:line:column)`; `[Swift]` behind one of the host, `async` before a hop.
    public var description: String {
        if isAsync { return "async \(function)" }
        let place = [sourceURL, line.map(String.init), column.map(String.init)].compactMap { $0 }
        let name = function.isEmpty ? "<anonymous>" : function
        let text = place.isEmpty ? name : "\(name) (\(place.joined(separator: ":")))"
        return language == .swift ? "\(text) [Swift]" : text
    }
}
