import JavaScriptBridge

extension BridgeConfiguration {
    /// Calls wait for ever: on a machine that is busy with other tests, a deadline by the real clock would be
    /// a timed test.
    static var patient: BridgeConfiguration {
        var configuration = BridgeConfiguration()
        configuration.defaultTimeout = nil
        return configuration
    }
}
