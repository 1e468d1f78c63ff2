internal import BridgeValues

/// The forms of a drag over a page, as the browser shows them before the drop: types and no data.
struct PageDropOffer: Sendable, Hashable {
    /// The maximum number of types and of files that are looked at.
    static let maximumCount = 256
    /// The maximum number of UTF-8 bytes of a type.
    static let maximumType = 200

    /// The MIME types of the strings.
    let types: [String]
    /// The MIME types of the files; empty strings where the browser does not know them.
    let files: [String]

    /// The name of the drag, if it began on a page of a server like this one.
    var name: String? { types.lazy.compactMap(PageDrags.name).first }
    /// The types that data can have.
    var dataTypes: [String] { types.filter { PageDrags.name(ofType: $0) == nil && $0 != "Files" } }

    /// Creates an offer of known types.
    init(types: [String], files: [String]) {
        self.types = types
        self.files = files
    }

    /// Reads two arrays of types.
    ///
    /// - Throws: ``PageInputError`` with a sentence for other values.
    init(types: Value, files: Value) throws(PageInputError) {
        self.types = try Self.read(types)
        self.files = try Self.read(files)
    }

    private static func read(_ value: Value) throws(PageInputError) -> [String] {
        guard case .array(let values) = value else {
            throw PageInputError("the types of a drag are \(PageInput.shown(value))")
        }
        guard values.count <= maximumCount else {
            throw PageInputError("a drag has \(values.count) types or files (limit \(maximumCount))")
        }
        var list: [String] = []
        for value in values {
            guard case .string(let type) = value, type.utf8.count <= maximumType else {
                throw PageInputError("a type of a drag is \(PageInput.shown(value))")
            }
            list.append(type)
        }
        return list
    }
}

/// The data of a drop: strings and files, of which the long ones stay in the page.
struct PageDropContent: Decodable, Sendable {
    struct Text: Decodable, Sendable {
        let type: String
        /// The string; `nil` for a long one, which is read as a file.
        let text: String?
        let handle: Int?
        let size: Int?
    }
    struct File: Decodable, Sendable {
        let name: String
        let type: String
        let size: Int
        let handle: Int
    }
    let texts: [Text]
    let files: [File]

    /// Checks the numbers of a page.
    ///
    /// - Throws: ``PageInputError`` for a file that is longer than a limit, or that has an impossible size.
    func check(maximumFileSize: Int) throws(PageInputError) {
        guard texts.count <= PageDropOffer.maximumCount, files.count <= PageDropOffer.maximumCount else {
            throw PageInputError(
                "\(max(texts.count, files.count)) files or types were dropped together (limit \(PageDropOffer.maximumCount)); nothing was dropped"
            )
        }
        let sizes =
            files.map { ("the file \"\($0.name.prefix(80))\"", $0.size) }
            + texts.map { ("the text of type \($0.type.prefix(80))", $0.size ?? 0) }
        for (what, size) in sizes {
            guard size >= 0 else { throw PageInputError("\(what) has \(size) bytes; nothing was dropped") }
            guard size <= maximumFileSize else {
                throw PageInputError(
                    "\(what) has \(size) bytes (limit \(maximumFileSize)); nothing was dropped"
                )
            }
        }
    }
}
