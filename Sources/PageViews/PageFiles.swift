internal import CPageFiles

/// The files of the page that shows a view: its markup, its style and its script, which contain no data.
public enum PageFiles {
    /// The files by their paths, for ``PageServerConfiguration/files``.
    public static let all: [String: PageFile] = Dictionary(
        uniqueKeysWithValues: (0..<page_file_count()).map { index in
            let file = page_file(index)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            return (
                String(cString: file.path),
                PageFile(contentType: String(cString: file.contentType), bytes: bytes)
            )
        }
    )
}
