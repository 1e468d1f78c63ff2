/// A reader of command-line arguments, which classifies them as Unix programs do.
///
/// It accepts `--name`, `--name=VALUE`, `--name VALUE` and `-n`. A `-` is an operand, and after `--` every argument is.
struct ArgumentReader {
    enum Argument: Hashable {
        /// An option as written, without a value that was joined to it.
        case option(String)
        case operand(String)
    }

    private var rest: ArraySlice<String>
    private var joinedValue: (option: String, value: String)?
    private(set) var hasOptionsEnded = false
    private var valuedOptions: Set<String> = []

    init(_ arguments: some Sequence<String>) { rest = ArraySlice(arguments) }

    /// Returns the next argument, or `nil` at the end.
    ///
    /// - Throws: ``UsageError`` if the previous option has a value joined with `=` that was not read.
    mutating func next(about topic: HelpTopic) throws(UsageError) -> Argument? {
        try refuseValue(about: topic)
        guard let argument = rest.popFirst() else { return nil }
        if hasOptionsEnded || argument == "-" || !argument.hasPrefix("-") { return .operand(argument) }
        if argument == "--" {
            hasOptionsEnded = true
            return try next(about: topic)
        }
        guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else {
            return .option(argument)
        }
        let option = String(argument[..<equals])
        joinedValue = (option, String(argument[argument.index(after: equals)...]))
        return .option(option)
    }

    /// Checks that the current option has no value joined to it.
    ///
    /// - Throws: ``UsageError`` if it has one.
    func refuseValue(about topic: HelpTopic) throws(UsageError) {
        guard let (option, _) = joinedValue else { return }
        throw UsageError("the option '\(option)' takes no value", about: topic)
    }

    /// Returns the value that is joined to the current option with `=`; `nil` without one.
    mutating func optionalValue(of option: String, about topic: HelpTopic) throws(UsageError) -> String? {
        guard valuedOptions.insert(option).inserted else {
            throw UsageError("the option '\(option)' is given twice", about: topic)
        }
        defer { joinedValue = nil }
        return joinedValue?.value
    }

    /// Returns the code that follows `-e`: any string, even one that begins with a dash.
    mutating func code(about topic: HelpTopic) throws(UsageError) -> String {
        if let joined = joinedValue {
            joinedValue = nil
            return joined.value
        }
        guard let code = rest.popFirst() else {
            throw UsageError("the option '-e' needs a value: -e CODE", about: topic)
        }
        return code
    }

    /// Returns the value that is joined to the current option with `=`; `nil` if there is none.
    mutating func joinedValue(of option: String, about topic: HelpTopic) throws(UsageError) -> String? {
        guard let joined = joinedValue else { return nil }
        joinedValue = nil
        guard !joined.value.isEmpty else {
            throw UsageError("the value of '\(option)' is empty", about: topic)
        }
        return joined.value
    }

    /// Returns the value of the current option.
    ///
    /// A separate value must not begin with a dash, because it is far more likely that the value was forgotten. Such a
    /// value can be joined with `=`. A dash by itself is a value if `allowsDash` is set. Only a repeatable option may
    /// have several values: otherwise one of two files or limits would be ignored without a message.
    mutating func value(
        of option: String,
        named valueName: String,
        about topic: HelpTopic,
        allowsDash: Bool = false,
        isRepeatable: Bool = false
    ) throws(UsageError) -> String {
        guard valuedOptions.insert(option).inserted || isRepeatable else {
            throw UsageError("the option '\(option)' is given twice", about: topic)
        }
        let value: String
        if let joined = joinedValue {
            joinedValue = nil
            value = joined.value
        } else {
            guard let next = rest.first else {
                throw UsageError("the option '\(option)' needs a value: \(option) \(valueName)", about: topic)
            }
            guard !next.hasPrefix("-") || (allowsDash && next == "-") else {
                let message =
                    "the option '\(option)' needs a value, and '\(next)' looks like an option: \(option)=\(valueName)"
                throw UsageError(message, about: topic)
            }
            rest.removeFirst()
            value = next
        }
        guard !value.isEmpty else { throw UsageError("the value of '\(option)' is empty", about: topic) }
        return value
    }
}
