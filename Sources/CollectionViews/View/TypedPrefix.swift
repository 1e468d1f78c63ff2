internal import DataSources
internal import Foundation

/// The letters that the user has typed within a short time.
struct TypedPrefix {
    /// The time in seconds after which letters are a new beginning.
    static let interval = 1.0

    private var letters = ""
    private var last = -Double.infinity

    /// Adds letters, and returns the beginning of the title, and whether the present item may have it.
    mutating func type(_ new: String, at time: Double) -> (prefix: String, staysAtFocus: Bool) {
        let isContinued = time - last <= Self.interval
        last = time
        // One letter again and again goes through the items that begin with it.
        guard isContinued, !letters.isEmpty, letters != new else {
            letters = new
            return (new, false)
        }
        letters += new
        return (letters, true)
    }
}

extension String {
    func hasPrefix(ignoringCase prefix: String) -> Bool { lowercased().hasPrefix(prefix.lowercased()) }
}

extension CollectionViewDataSource {
    /// Returns the next item whose title begins with the letters, by a search of all titles.
    func searchedIndexPath(
        _ view: CollectionView,
        withTitlePrefix prefix: String,
        after indexPath: IndexPath?
    ) -> IndexPath? {
        let sections = numberOfSections(in: view)
        guard sections > 0 else { return nil }
        let start = indexPath ?? IndexPath(item: -1, section: 0)
        func first(_ section: Int, _ items: Range<Int>) -> IndexPath? {
            for item in items {
                let path = IndexPath(item: item, section: section)
                if collectionView(view, titleForItemAt: path)?.hasPrefix(ignoringCase: prefix) == true {
                    return path
                }
            }
            return nil
        }
        for step in 0...sections {
            let section = (start.section + step) % sections
            let count = collectionView(view, numberOfItemsInSection: section)
            let items =
                step == 0
                ? min(start.item + 1, count)..<count
                : step == sections ? 0..<min(start.item + 1, count) : 0..<count
            if let found = first(section, items) { return found }
        }
        return nil
    }
}
