/// The number of the current epoch, and the ids that belong to it.
struct SessionEpoch: Sendable {
    private let randomBits: @Sendable () -> UInt64
    /// The number of contexts that the session has lost.
    private(set) var number: UInt64 = 0
    /// The identification of this epoch in the ids of the peer.
    ///
    /// It has other bits than that in the ids of this side, so that knowing one does not reveal the other.
    private(set) var peerText: String
    /// The ids of this side.
    private(set) var identifiers: IdentifierCodec

    init(_ form: IdentifierForm, randomBits: @escaping @Sendable () -> UInt64) {
        self.randomBits = randomBits
        let text = "0_" + randomBits().hexadecimal
        peerText = "0_" + randomBits().hexadecimal
        identifiers = IdentifierCodec(form: form, epochText: text)
    }

    /// Begins the next epoch.
    mutating func advance() {
        number += 1
        let text = "\(number)_" + randomBits().hexadecimal
        peerText = "\(number)_" + randomBits().hexadecimal
        identifiers = IdentifierCodec(form: identifiers.form, epochText: text)
    }
}
