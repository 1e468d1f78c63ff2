/// The rounds in which a controller delivers changes, of which none begins inside another.
struct DeliveryRounds {
    /// A Boolean value that indicates whether a delivery is in progress.
    private(set) var isDelivering = false
    private var isRequested = false

    /// Begins a delivery.
    mutating func beginDelivery() { isDelivering = true }

    /// Ends the delivery.
    mutating func endDelivery() { isDelivering = false }

    /// Requests another round if a delivery is in progress.
    ///
    /// - Returns: Whether one is, so that the caller must not begin a round.
    mutating func requestIfDelivering() -> Bool {
        if isDelivering { isRequested = true }
        return isDelivering
    }

    /// Begins a round, which answers the requests so far.
    mutating func beginRound() { isRequested = false }

    /// A Boolean value that indicates whether a delivery of the last round has requested another one.
    var needsRound: Bool { isRequested }
}
