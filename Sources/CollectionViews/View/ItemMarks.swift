internal import DataSources

/// The rules for selections of the user; a program may select any items.
struct SelectionRules {
    /// The permissions to select one item or several, outside of editing and during it.
    var allows = (one: true, several: false)
    var allowsDuringEditing = (one: false, several: false)
    var isEditing = false
    /// A Boolean value that indicates whether an item that gets the focus by the user is selected.
    var followsFocus = false
    /// The permissions to move the focus, outside of editing and during it.
    var allowsFocus = true
    var allowsFocusDuringEditing = true
    /// A Boolean value that indicates whether the focus returns to the item that had it last.
    var remembersFocus = false

    /// The rules that apply now.
    var present: (one: Bool, several: Bool) { isEditing ? allowsDuringEditing : allows }
    /// A Boolean value that indicates whether the user may move the focus now.
    var presentAllowsFocus: Bool { isEditing ? allowsFocusDuringEditing : allowsFocus }
}

/// The selection and the focus of a view, which follow their rows.
struct ItemMarks {
    /// The identity of a marked row in its data source, or `nil` if the source gives none.
    typealias Identity = String?

    /// The selected rows or, with ``selectsAllExcept``, the unselected ones.
    var rows: [ItemPath: Identity] = [:]
    /// A Boolean value that indicates whether all rows are selected except those of ``rows``.
    var selectsAllExcept = false
    /// The rules for selections of the user.
    var rules = SelectionRules()
    /// A Boolean value that indicates whether the row with the focus has a cell also outside the window.
    var keepsFocusedCell = false
    /// The row that has the focus.
    var focus: (path: ItemPath, identity: Identity)? { didSet { lastFocus = focus ?? lastFocus } }
    /// The row that had the focus last.
    private(set) var lastFocus: (path: ItemPath, identity: Identity)?

    var isEmpty: Bool { rows.isEmpty && !selectsAllExcept && lastFocus == nil }

    func isSelected(_ path: ItemPath) -> Bool { (rows[path] != nil) != selectsAllExcept }

    /// Moves the marks to the new paths of their rows; marks of deleted rows are removed.
    mutating func follow(_ tracking: PathTracking) { mapPaths { path, _ in tracking.newPath(of: path) } }

    mutating func mapPaths(_ newPath: (ItemPath, Identity) -> ItemPath?) {
        var mapped: [ItemPath: Identity] = [:]
        for (path, identity) in rows {
            if let new = newPath(path, identity) { mapped.updateValue(identity, forKey: new) }
        }
        rows = mapped
        lastFocus = lastFocus.flatMap { old in newPath(old.path, old.identity).map { ($0, old.identity) } }
        focus = focus.flatMap { old in newPath(old.path, old.identity).map { ($0, old.identity) } }
    }
}
