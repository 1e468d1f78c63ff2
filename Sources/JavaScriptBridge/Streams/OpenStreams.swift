internal import BridgeProtocol

/// The open streams of a session, by the ids under which the machine knows them.
struct OpenStreams {
    var readers: [InboundStreamID: StreamReader] = [:]
    var producers: [OutboundStreamID: StreamProducer] = [:]
}
