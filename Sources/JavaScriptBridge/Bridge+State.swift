internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// The current state in the life of the bridge.
    public var state: BridgeState { session.state.withLock { BridgeState($0.machine.state) } }

    /// The number of contexts that the bridge has lost, which is the number of the current one, counted from 0.
    ///
    /// ``reload(rerunningScripts:)`` increases it at the moment when it gives up the old context.
    public var epoch: UInt64 { session.state.withLock { $0.machine.epoch } }

    /// The states of the bridge: the current one, then each change, in order.
    ///
    /// The sequence ends when the bridge is closed, after ``BridgeState/dead``. It buffers the newest 64 states for a
    /// slower reader.
    public var states: AsyncStream<BridgeState> {
        let session = self.session
        return AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let subscription = session.observeState { continuation.yield($0) }
            let end = session.whenClosed { continuation.finish() }
            continuation.onTermination = { _ in
                subscription.cancel()
                end.cancel()
            }
        }
    }
}
