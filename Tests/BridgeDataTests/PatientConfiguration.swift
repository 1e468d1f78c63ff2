import JavaScriptBridge

extension BridgeConfiguration {
    /// A configuration whose calls wait forever: on a machine that is busy with other tests, a deadline by the real
    /// clock would make the test depend on time.
    static var patient: BridgeConfiguration {
        var configuration = BridgeConfiguration()
        configuration.defaultTimeout = nil
        return configuration
    }
}
