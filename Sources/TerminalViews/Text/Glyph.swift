/// The content of a cell: a code point, the number of a cluster in ``TerminalText``, or the rest of a wide character.
struct Glyph: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(ascii byte: UInt8) { rawValue = UInt32(byte) }
    init(_ scalar: Unicode.Scalar) { rawValue = scalar.value }
    init(cluster number: UInt32) { rawValue = Self.clusterBit | number }

    static let space = Glyph(rawValue: 0x20)
    /// The cells of a wide character after its first one.
    static let continuation = Glyph(rawValue: .max)
    private static let clusterBit: UInt32 = 1 << 31

    var isASCII: Bool { rawValue < 0x80 }
    /// The code point, or `nil` for a cluster and for the rest of a wide character.
    var scalar: Unicode.Scalar? { Unicode.Scalar(rawValue) }
    /// The number of the cluster, or `nil` for others.
    var clusterNumber: UInt32? {
        self != .continuation && rawValue & Self.clusterBit != 0 ? rawValue & ~Self.clusterBit : nil
    }
}
