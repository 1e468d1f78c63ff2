extension FetchedResultsController {
    /// The titles of the sections for an index beside the list: each title once, in the order of the sections.
    public var sectionIndexTitles: [String] {
        var seen: Set<String> = []
        return sections?.compactMap(\.indexTitle).filter { seen.insert($0).inserted } ?? []
    }

    /// Returns the index title for a section's name, as given by ``sectionTitling`` or a delegate that is a
    /// ``FetchedResultsSectionTitling``, else the first letter as a capital.
    public func sectionIndexTitle(forSectionName name: String) -> String? {
        guard let titling else { return FetchedResultsSectionInfo.indexTitle(of: name) }
        return titling.controller(self, sectionIndexTitleForSectionName: name)
    }

    /// Returns the section for an index title at a position in ``sectionIndexTitles``: the first one with that title.
    ///
    /// If no section has the title, the result is the last section with the title before that position, or 0 if there
    /// is none.
    public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
        guard let sections, !sections.isEmpty else { return 0 }
        if let section = sections.firstIndex(where: { $0.indexTitle == title }) { return section }
        let titles = sectionIndexTitles
        guard index > 0, !titles.isEmpty else { return 0 }
        let before = titles[min(index, titles.count) - 1]
        return sections.lastIndex { $0.indexTitle == before } ?? 0
    }

    private var titling: (any FetchedResultsSectionTitling)? {
        sectionTitling ?? delegate as? any FetchedResultsSectionTitling
    }

    /// Returns the titles of all sections, if an object gives other titles than the first letters.
    func delegatedIndexTitles(_ content: FetchedContent) -> [String?]? {
        guard let titling else { return nil }
        return content.shownSections.map { section in
            let name = FetchedResultsSectionInfo.name(of: content.sectionValues(section))
            return titling.controller(self, sectionIndexTitleForSectionName: name)
        }
    }
}
