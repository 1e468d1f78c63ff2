internal import CBridgeScript

/// The files of the page that shows a view: its markup, its style and its script, which contain no data.
public enum PageFiles {
    /// The files by their paths, for ``PageServerConfiguration/files``.
    public static var all: [String: PageFile] {
        [
            "/": file("text/html; charset=utf-8", bridge_page_html()),
            "/page.css": file("text/css; charset=utf-8", bridge_page_style()),
            "/page.js": file("text/javascript; charset=utf-8", bridge_page_script()),
        ]
    }

    private static func file(_ contentType: String, _ text: BridgeScriptText) -> PageFile {
        PageFile(
            contentType: contentType,
            bytes: Array(UnsafeBufferPointer(start: text.bytes, count: text.count))
        )
    }
}
