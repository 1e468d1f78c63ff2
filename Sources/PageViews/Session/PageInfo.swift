internal import BridgeValues
internal import CollectionViews

/// The part of an update beside the rows, which is sent as a whole when anything in it has changed.
struct PageInfo: Hashable {
    /// The maximum number of index titles; of more, some are left out at equal distances.
    static let maximumIndexTitles = 200

    /// The maximum number of bytes of the titles of all columns, as JSON.
    static let maximumHeader = 1 << 20

    var title = ""
    var status = ""
    var isComplete = true
    var rowCount = 0
    var header: [StyledText] = []
    var role = "listbox"
    var selectedCount = 0
    var sort: ViewSort?
    var indexTitles: [ViewIndexTitle] = []
    var filter = ""
    var search = ""
    var matches: ViewMatches?
    var flags: [String] = []

    /// Returns some of many titles, at equal distances.
    static func limited(_ titles: [ViewIndexTitle]) -> [ViewIndexTitle] {
        let some =
            titles.count <= maximumIndexTitles
            ? titles : (0..<maximumIndexTitles).map { titles[$0 * titles.count / maximumIndexTitles] }
        return some.map { ViewIndexTitle(TextLimit.cut(sentence: $0.title), section: $0.section) }
    }

    /// The form in which the page receives it.
    var value: Value {
        var object = ValueObject()
        object["title"] = .string(title)
        object["status"] = .string(status)
        object["isComplete"] = .bool(isComplete)
        object["rowCount"] = .integer(Int64(isComplete ? rowCount : -1))
        object["columnCount"] = .integer(Int64(max(1, header.count)))
        object["role"] = .string(role)
        object["selectedCount"] = .integer(Int64(selectedCount))
        if !header.isEmpty { object["header"] = .array(header.map(PageEncoder.value)) }
        if let sort {
            object["sort"] = .array([
                .integer(Int64(sort.column)), .string(sort.isDescending ? "descending" : "ascending"),
            ])
        }
        object["indexTitles"] = .array(
            indexTitles.map { .array([.string($0.title), .integer(Int64($0.section))]) }
        )
        object["filter"] = .string(filter)
        object["search"] = .string(search)
        if let matches {
            object["matches"] = .array([.integer(Int64(matches.count)), .bool(matches.isComplete)])
        }
        for flag in flags { object[flag] = .bool(true) }
        return .object(object)
    }
}
