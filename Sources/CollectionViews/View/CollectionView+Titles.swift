internal import DataSources
public import Foundation

/// Index titles, which lead to sections, and typed letters, which lead to items.
extension CollectionView {
    /// The titles of the jump strip: those of the data source, or the first characters of its sections' titles.
    public var indexTitles: [String] {
        guard let dataSource else { return [] }
        return calling {
            if let titles = dataSource.indexTitles(for: self) { return titles }
            var seen: Set<String> = []
            return sectionTitles(of: dataSource).compactMap { $0.title.first.map { $0.uppercased() } }
                .filter { seen.insert($0).inserted }
        }
    }

    /// Returns the path to which an index title leads, or `nil` if the view is empty.
    ///
    /// If the data source does not say it, it is the first section whose title is not before the index title, or else
    /// the last section with a title. A section without items leads to the next item.
    ///
    /// - Complexity: O(s) in the sections if the data source does not say it.
    public func indexPath(forIndexTitle title: String, at index: Int) -> IndexPath? {
        guard let dataSource, numberOfSections > 0 else { return nil }
        let path = calling { dataSource.collectionView(self, indexPathForIndexTitle: title, at: index) }
        if let path, let shown = presentationIndexPath(forDataSourceIndexPath: path) { return shown }
        let titles = calling { sectionTitles(of: dataSource) }
        guard let last = titles.last else { return nil }
        let key = title.lowercased()
        let section = (titles.first { $0.title.lowercased() >= key } ?? last).section
        let sections = Array(section..<numberOfSections) + (0..<section).reversed()
        return sections.first { numberOfItems(inSection: $0) > 0 }.map { IndexPath(item: 0, section: $0) }
    }

    /// Scrolls to the path of an index title, and returns it.
    ///
    /// - Throws: ``CollectionViewError`` if the data source returned a path that does not exist.
    @discardableResult
    public func scrollToIndexTitle(_ title: String, at index: Int) throws -> IndexPath? {
        guard let path = indexPath(forIndexTitle: title, at: index) else { return nil }
        try scrollToItem(at: path, at: .start)
        return path
    }

    /// Returns the sections that have a title.
    private func sectionTitles(
        of source: any CollectionViewDataSource
    ) -> [(section: Int, title: String)] {
        (0..<(counts?.count ?? 0)).compactMap { section in
            source.collectionView(self, titleForSection: section).map { (section, $0) }
        }
    }

    // MARK: - Typed letters

    /// Moves the focus to the next item whose title begins with the typed letters, and returns its path.
    ///
    /// Letters that are typed within a second of each other are one beginning, with which the focused item may still
    /// begin. A letter that is typed again leads to the next item. The search continues at the start of the content.
    ///
    /// - Parameters:
    ///   - letters: The typed characters.
    ///   - time: The time in seconds, on any clock.
    /// - Returns: The path, or `nil` if no title begins so, or the delegate forbids the focus.
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    @discardableResult
    public func focusItem(typing letters: String, at time: Double) throws -> IndexPath? {
        try requireIdle("focusItem(typing:at:)")
        guard let dataSource, !letters.isEmpty else { return nil }
        let (prefix, staysAtFocus) = interaction.typed.type(letters, at: time)
        let start = focusedIndexPath.flatMap { dataSourceIndexPath(forPresentationIndexPath: $0) }
        let found = calling { () -> IndexPath? in
            if staysAtFocus, let start,
                dataSource.collectionView(self, titleForItemAt: start)?.hasPrefix(ignoringCase: prefix)
                    == true
            {
                return start
            }
            return dataSource.collectionView(self, indexPathForItemWithTitlePrefix: prefix, after: start)
        }
        // Updates that callbacks request are applied at the end, because they change the path of the item.
        defer { performQueuedUpdates() }
        guard let found, let path = presentationIndexPath(forDataSourceIndexPath: found),
            focus(try existing(path))
        else { return nil }
        try scrollToItem(at: path, at: .nearest)
        return focusedIndexPath
    }
}

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
