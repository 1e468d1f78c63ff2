internal import BridgeProtocol

/// The delivery of batches to a script, which may be stopped in the middle of one.
struct BatchDelivery {
    /// The calls in the batch, and in the rest of one that the script has.
    private(set) var calls: [MessageID] = []
    /// A Boolean value that indicates whether the script was stopped in the middle of a batch.
    private(set) var hasRest = false
    /// A Boolean value that indicates whether the rest of that batch must be dropped.
    private(set) var dropsRest = false

    /// A Boolean value that indicates whether messages may be added: none of an earlier batch precedes them.
    var isOpen: Bool { !hasRest && !dropsRest }

    /// Adds a call.
    mutating func add(_ call: MessageID) { calls.append(call) }

    /// Begins a delivery.
    ///
    /// - Returns: The last call of the rest that is delivered now. Its calls were taken back when the script was
    ///   stopped.
    mutating func begin() -> MessageID? {
        defer { hasRest = false }
        return hasRest ? calls.last : nil
    }

    /// Ends a delivery of which the script has received everything.
    mutating func finish() { calls.removeAll(keepingCapacity: true) }

    /// Records that the script was stopped: the calls that it has not begun continue in another turn.
    ///
    /// - Parameter count: The number of these calls.
    /// - Returns: The last call that it has begun, if any is left.
    mutating func keepRest(_ count: Int) -> MessageID? {
        hasRest = true
        calls.removeFirst(max(0, calls.count - count))
        guard case .number(let number)? = calls.first else { return nil }
        return .number(number - 1)
    }

    /// Ends a delivery that failed, and returns its calls.
    mutating func fail() -> [MessageID] {
        defer { calls = [] }
        return calls
    }

    /// Gives up the batch, and the rest that the script may have.
    mutating func dropAll() {
        calls = []
        dropsRest = true
    }

    /// Records that the script has dropped its rest.
    mutating func didDropRest() { (dropsRest, hasRest) = (false, false) }
}
