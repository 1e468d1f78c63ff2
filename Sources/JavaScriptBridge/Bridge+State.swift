internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// Where the bridge is in its life.
    public var state: BridgeState { session.state.withLock { BridgeState($0.machine.state) } }

    /// How many contexts the bridge has lost: the number of the present one, from 0.
    ///
    /// It rises at the moment in which ``reload(rerunningScripts:)`` gives the old context up.
    public var epoch: UInt64 { session.state.withLock { $0.machine.epoch } }

    /// The states of the bridge: the present one, then each change, in order.
    ///
    /// The sequence ends when the bridge is closed, after ``BridgeState/dead``. For a reader that is slower the
    /// newest 64 are kept.
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
