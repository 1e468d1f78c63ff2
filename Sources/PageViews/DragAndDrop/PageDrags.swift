internal import CollectionViews

/// The drags that began on the pages of one host and are in progress, by their names.
///
/// A page names a drag in one of its MIME types, which is all that another page sees of it before the drop.
// @unchecked Sendable because only closures of the host's executor use it.
final class PageDrags: @unchecked Sendable {
    /// The MIME type that names a drag is this, the name, and the suffix.
    static let prefix = "application/x-jsbridge-drag."
    static let suffix = "+json"

    private var sessions: [String: DragSession] = [:]

    /// Returns the drag of a name.
    subscript(name: String) -> DragSession? {
        get { sessions[name] }
        set { sessions[name] = newValue }
    }

    /// Returns the name that a MIME type has, or `nil`.
    static func name(ofType type: String) -> String? {
        guard type.hasPrefix(prefix), type.hasSuffix(suffix), type.utf8.count <= 128 else { return nil }
        let name = String(type.dropFirst(prefix.count).dropLast(suffix.count))
        return isName(name) ? name : nil
    }

    /// Returns whether a page may name its drags so: nothing that another page can guess.
    static func isName(_ name: String) -> Bool {
        name.utf8.count == 32
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
