/// How much a script may use before it is stopped.
public struct ExecutionLimits: Sendable, Hashable {
    /// How much processor time one turn may take, microtasks and nested calls included; `nil` means no limit.
    ///
    /// Stops endless loops, endless getters and endless chains of promises. The overrun is about 10 ms, and
    /// up to 0.7 s inside one regular expression or 2.5 s inside one built-in function such as a sort of
    /// millions, which the engine cannot interrupt (measured on 2.50.6). Waiting costs no processor time.
    public var processorTime: Duration?

    /// How deep a value may nest that crosses the border.
    ///
    /// Stops a crafted value from exhausting the native stack.
    public var maximumDepth = 512

    /// How many values, containers and leaves, may cross in one payload.
    ///
    /// Stops one payload from taking all memory.
    public var maximumNodes = 16_000_000

    /// Makes limits; without arguments those of a trusted script, which stop only what would never end.
    public init(processorTime: Duration? = .seconds(30)) { self.processorTime = processorTime }
}
