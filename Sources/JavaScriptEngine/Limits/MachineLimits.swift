/// The limits of a virtual machine, and what every payload is checked against.
struct MachineLimits {
    /// The limits, as their owner has set them.
    private(set) var values: ExecutionLimits
    /// The number of changes of the limits, by which contexts detect that theirs are old.
    private(set) var version = 0
    // Computed once per change, because each value that passes is checked against them.
    private(set) var maximumDepth: Int
    private(set) var maximumNodes: Int
    private(set) var maximumPayloadBytes: Int

    init(_ values: ExecutionLimits) {
        self.values = values
        maximumDepth = values.usableDepth
        maximumNodes = values.maximumNodes
        maximumPayloadBytes = values.maximumPayloadBytes
    }

    /// Changes the limits without checking whether the change is permitted.
    mutating func replace(by values: ExecutionLimits) {
        let next = version + 1
        self = Self(values)
        version = next
    }
}
