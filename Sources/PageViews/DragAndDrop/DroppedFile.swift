/// A file that was dropped on a page: its name and size, and its bytes, which stay in the browser until they are read.
///
/// It is the `localObject` of an item of the drop:
///
/// ```swift
/// func collectionView(_ collectionView: CollectionView, performDropWith coordinator: DropCoordinator) {
///     for item in coordinator.items {
///         guard let file = item.dragItem.localObject as? DroppedFile else { continue }
///         Task { for try await part in file.parts { write(part) } }
///     }
/// }
/// ```
///
/// The page is asked for each part, so that a file of any size costs the memory of a few parts.
public final class DroppedFile: Sendable {
    /// The maximum number of bytes that the forms of an item provider load together; longer files are read in parts.
    public static let maximumLoadedSize = 16 * 1_024 * 1_024

    /// The name without folders, as the page gives it: text from outside, not a path to write to.
    public let name: String
    /// The MIME type; `application/octet-stream` if the browser knows none.
    public let type: String
    /// The number of bytes.
    public let size: Int
    let handle: Int
    let source: DroppedFileSource

    init(name: String, type: String, size: Int, handle: Int, source: DroppedFileSource) {
        self.name = name
        self.type = type
        self.size = size
        self.handle = handle
        self.source = source
    }

    // The page need not keep what nothing can read.
    deinit { source.release(handle) }

    /// The bytes in their order, in parts of at most 48,000 bytes.
    ///
    /// They can be read again while the page is connected. Leaving the loop ends the reading on both sides.
    public var parts: DroppedFileParts { DroppedFileParts(file: self) }

    /// Returns all bytes of a file of at most ``maximumLoadedSize`` bytes.
    ///
    /// - Throws: ``DroppedFileError`` for a longer file, or one that cannot be read to its end.
    public func load() async throws -> [UInt8] {
        guard size <= Self.maximumLoadedSize else {
            throw DroppedFileError(
                "\(described) has \(size) bytes (limit of a file in memory: \(Self.maximumLoadedSize)); read its parts"
            )
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for try await part in parts { bytes += part }
        return bytes
    }

    /// The name for sentences.
    var described: String { name.isEmpty ? "the dropped \(type)" : "the file \"\(name)\"" }
}

/// The reason why a dropped file cannot be read.
public struct DroppedFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong.
    public let description: String
    init(_ description: String) { self.description = description }
}
