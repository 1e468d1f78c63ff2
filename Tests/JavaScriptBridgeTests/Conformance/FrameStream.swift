import Foundation
import JavaScriptBridge
import Synchronization

/// One end of a pair of connected streams of bytes, which carries frames: the number of UTF-16 units in four bytes, and
/// the units.
final class FrameStream: Sendable {
    private let handle: FileHandle
    private let state = Mutex((input: [UInt8](), output: [UInt8]()))

    private init(_ descriptor: Int32) {
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Creates two connected ends.
    static func makePair() -> (FrameStream, FrameStream) {
        var ends: [Int32] = [0, 0]
        precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0, "no pair of sockets")
        return (FrameStream(ends[0]), FrameStream(ends[1]))
    }

    /// A Boolean value that indicates whether something has arrived that was not read.
    var hasInput: Bool {
        exchange()
        return state.withLock { !$0.input.isEmpty }
    }

    /// A Boolean value that indicates whether frames wait until the other end has room.
    var hasOutput: Bool { state.withLock { !$0.output.isEmpty } }

    /// Creates a channel that writes to this end.
    func makeChannel() -> PeerChannel { PeerChannel { self.write(Array($0.utf16)) } }

    /// Passes on the frames that have arrived.
    func read(into channel: PeerChannel) {
        while let frame = next() { channel.receive(String(decoding: frame, as: UTF16.self)) }
    }

    func write(_ units: [UInt16]) {
        let count = UInt32(units.count)
        state.withLock { state in
            state.output += (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
            for unit in units { state.output += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
        }
        exchange()
    }

    /// Returns the next complete frame; `nil` if there is none.
    func next() -> [UInt16]? {
        exchange()
        return state.withLock { state in
            guard state.input.count >= 4 else { return nil }
            let count = (0..<4).reduce(0) { $0 | Int(state.input[$1]) << ($1 * 8) }
            guard state.input.count >= 4 + count * 2 else { return nil }
            defer { state.input.removeFirst(4 + count * 2) }
            return (0..<count).map {
                UInt16(state.input[4 + $0 * 2]) | UInt16(state.input[5 + $0 * 2]) << 8
            }
        }
    }

    /// Forgets what has arrived, because the other side was replaced.
    func reset() {
        exchange()
        state.withLock { $0 = ([], []) }
    }

    /// Reads what has arrived, and writes as much as the other end has room for.
    private func exchange() {
        state.withLock { state in
            let written = state.output.withUnsafeBytes {
                $0.isEmpty ? 0 : Foundation.write(handle.fileDescriptor, $0.baseAddress, $0.count)
            }
            state.output.removeFirst(max(0, written))
            var buffer = [UInt8](repeating: 0, count: 4096)
            while case let count = Foundation.read(handle.fileDescriptor, &buffer, buffer.count), count > 0 {
                state.input += buffer[..<count]
            }
        }
    }
}
