internal import BridgeJSON
internal import BridgeValues

/// A reader of the messages of a client: a header `Content-Length: N`, an empty line and N bytes of JSON.
///
/// Other headers are refused, so that a web page cannot hide a message in a request of HTTP.
struct MessageReader {
    /// The maximum size of the header in bytes.
    static let maximumHeaderBytes = 128
    /// The maximum size of a message in bytes.
    var maximumMessageBytes: Int
    private var bytes: [UInt8] = []
    private var bodyCount: Int?

    /// An error after which nothing of the connection can be read.
    struct Problem: Error, Equatable {
        let message: String
    }

    init(maximumMessageBytes: Int) { self.maximumMessageBytes = maximumMessageBytes }

    /// Adds bytes that have arrived.
    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Removes and returns the next message; `nil` if it has not arrived completely.
    mutating func next() throws(Problem) -> Value? {
        guard let count = try readHeader(), bytes.count >= count else { return nil }
        let body = bytes.prefix(count)
        bytes.removeFirst(count)
        bodyCount = nil
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Problem(message: "the message is not UTF-8")
        }
        do {
            let message = try JSONTextDecoder().decode(Value.self, from: text)
            guard message.objectValue != nil else { throw Problem(message: "the message is not an object") }
            return message
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(message: "the message is not JSON: \(error)")
        }
    }

    private mutating func readHeader() throws(Problem) -> Int? {
        if let bodyCount { return bodyCount }
        let end = Array("\r\n\r\n".utf8)
        let name = Array("Content-Length: ".utf8)
        let header = bytes.prefix(Self.maximumHeaderBytes)
        // Reported at the first wrong byte, without waiting for more.
        let isBegun = zip(header, name).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        let rest = header.dropFirst(name.count).prefix { $0 != UInt8(ascii: "\r") }
        guard isBegun, rest.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Problem(message: "a message begins with 'Content-Length: N'")
        }
        guard
            let endIndex = (0..<max(0, header.count - 3)).first(where: {
                header[$0..<($0 + 4)].elementsEqual(end)
            })
        else {
            guard header.count < Self.maximumHeaderBytes else {
                throw Problem(message: "the header is too long (limit \(Self.maximumHeaderBytes) bytes)")
            }
            return nil
        }
        let digits = header[..<endIndex].dropFirst(name.count)
        guard !digits.isEmpty, digits.count <= 10, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(String(decoding: digits, as: UTF8.self))
        else { throw Problem(message: "the header is not 'Content-Length: N' alone") }
        guard count <= maximumMessageBytes else {
            throw Problem(message: "a message of \(count) bytes is too long (limit \(maximumMessageBytes))")
        }
        bytes.removeFirst(endIndex + end.count)
        bodyCount = count
        return count
    }

    /// Returns a message with its header.
    static func frame(_ message: Value) -> [UInt8] {
        // A value of this module is always encodable.
        let text = (try? JSONTextEncoder(nonFiniteStrategy: .null).encode(message)) ?? "{}"
        return Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    }
}
