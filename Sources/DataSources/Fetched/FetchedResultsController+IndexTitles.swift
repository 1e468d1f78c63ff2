extension FetchedResultsController {
    /// What stands for the sections in an index beside the list: the titles that occur, in the order of the
    /// sections, each once.
    public var sectionIndexTitles: [String] {
        var seen: Set<String> = []
        return sections?.compactMap(\.indexTitle).filter { seen.insert($0).inserted } ?? []
    }

    /// The title that stands for a section's name: what the delegate says if it is a
    /// ``FetchedResultsSectionTitling``, else the first letter as a capital.
    public func sectionIndexTitle(forSectionName name: String) -> String? {
        guard let titling else { return FetchedResultsSectionInfo.indexTitle(of: name) }
        return titling.controller(self, sectionIndexTitleForSectionName: name)
    }

    /// The section to go to for an index title at a place in ``sectionIndexTitles``: the first that has it.
    ///
    /// For a title that no section has it is the last section before the place where it would be; 0 where
    /// there is none.
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

    /// The titles of all sections, where somebody gives other ones than the first letters.
    func delegatedIndexTitles(_ content: FetchedContent) -> [String?]? {
        guard let titling else { return nil }
        return content.shownSections.map { section in
            let name = FetchedResultsSectionInfo.name(of: content.sectionValues(section))
            return titling.controller(self, sectionIndexTitleForSectionName: name)
        }
    }
}
