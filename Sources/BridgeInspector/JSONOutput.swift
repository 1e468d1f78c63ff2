/// A writer of large JSON texts, which passes them on in chunks.
struct JSONOutput {
    private var chunk: [UInt8] = []
    private let sink: ([UInt8]) throws -> Void

    private static let chunkSize = 64 * 1024

    init(_ sink: @escaping ([UInt8]) throws -> Void) {
        self.sink = sink
        chunk.reserveCapacity(Self.chunkSize + 1024)
    }

    /// Writes a part of the text as it is.
    mutating func raw(_ text: String) throws {
        chunk.append(contentsOf: text.utf8)
        try flushIfFull()
    }

    /// Writes an integer.
    mutating func integer(_ value: Int) throws {
        if value < 0 { chunk.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = chunk.count
        repeat {
            chunk.append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        chunk[start...].reverse()
        try flushIfFull()
    }

    /// Writes a string in quotes.
    mutating func string(_ text: String) throws {
        chunk.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: chunk += [0x5C, byte]
            case 0..<0x20:
                chunk.append(contentsOf: "\\u00".utf8)
                chunk.append(Self.digits[Int(byte >> 4)])
                chunk.append(Self.digits[Int(byte & 15)])
            default: chunk.append(byte)
            }
        }
        chunk.append(0x22)
        try flushIfFull()
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// Writes an array, each element by the closure.
    mutating func array<Elements: Sequence>(
        _ elements: Elements,
        _ write: (inout JSONOutput, Elements.Element) throws -> Void
    ) throws {
        chunk.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { chunk.append(UInt8(ascii: ",")) }
            isFirst = false
            try write(&self, element)
        }
        chunk.append(UInt8(ascii: "]"))
        try flushIfFull()
    }

    /// Passes on the rest of the text.
    mutating func end() throws {
        if !chunk.isEmpty { try sink(chunk) }
        chunk = []
    }

    private mutating func flushIfFull() throws {
        guard chunk.count >= Self.chunkSize else { return }
        try sink(chunk)
        chunk.removeAll(keepingCapacity: true)
    }
}
