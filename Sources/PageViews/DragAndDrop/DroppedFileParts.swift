internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

/// The bytes of a dropped file, each part requested from the page when there is room for it.
public struct DroppedFileParts: AsyncSequence, Sendable {
    let file: DroppedFile

    /// Creates a reader that begins at the first byte.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file) }

    /// A reader of the parts; releasing it ends the reading.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let file: DroppedFile
        private var reader: BridgeStream<Value>.AsyncIterator?
        private var received = 0
        private var isOver = false

        fileprivate init(file: DroppedFile) { self.file = file }

        /// Returns the next part, or `nil` after the last byte.
        ///
        /// - Throws: ``DroppedFileError`` once: the page is gone, cannot read the file, or sends another number of bytes
        ///   than it announced.
        public mutating func next() async throws -> [UInt8]? {
            guard !isOver else { return nil }
            do {
                return try await read()
            } catch {
                end()
                throw problem(error)
            }
        }

        private mutating func read() async throws -> [UInt8]? {
            if reader == nil { reader = try await file.source.open(file.handle).makeAsyncIterator() }
            guard let item = try await reader?.next() else {
                end()
                guard received == file.size else {
                    throw DroppedFileError("\(file.described) ended after \(received) of \(file.size) bytes")
                }
                return nil
            }
            guard case .bytes(let part) = item else {
                throw DroppedFileError("the page sent something else than bytes for \(file.described)")
            }
            received += part.count
            guard received <= file.size else {
                throw DroppedFileError("the page sent more than the \(file.size) bytes of \(file.described)")
            }
            return [UInt8](part)
        }

        private mutating func end() {
            isOver = true
            reader = nil
        }

        private func problem(_ error: any Error) -> any Error {
            guard let error = error as? BridgeError else { return error }
            if error.code == .disconnected {
                return DroppedFileError(
                    "the page with \(file.described) is gone (\(received) of \(file.size) bytes were read)"
                )
            }
            return DroppedFileError(
                "\(file.described) cannot be read after \(received) of \(file.size) bytes: \(error.message)"
            )
        }
    }
}

/// The page that has dropped files, as long as it is connected.
struct DroppedFileSource: Sendable {
    /// The parts that the page may send ahead of the reader.
    static let window = 4

    /// A closure that opens the stream of the parts of a file.
    let open: @Sendable (_ handle: Int) async throws -> BridgeStream<Value>
    /// A closure that lets the page forget a file.
    let release: @Sendable (_ handle: Int) -> Void

    /// Creates the source of a bridge, which files that a program keeps do not retain.
    init(_ bridge: Bridge) {
        open = { [weak bridge] handle in
            guard let bridge else { throw BridgeError(.disconnected, "The page is gone.") }
            return try await bridge.openStream("page.readFile", with: handle, window: Self.window)
        }
        // A page that is gone has nothing to forget.
        release = { [weak bridge] handle in try? bridge?.notify("page.releaseFile", with: handle) }
    }
}
