internal import DataSources
internal import Foundation

/// The index titles of one version of a view, with the sections to which they lead, for renderers that show them in each
/// frame.
package struct SectionTitleCache {
    private var known: (version: Int, titles: [(title: String, section: Int)])?

    package init() {}

    /// Returns the titles.
    ///
    /// - Complexity: O(1); O(s) in the sections after a reload or a batch.
    package mutating func titles(of view: CollectionView) -> [(title: String, section: Int)] {
        if let known, known.version == view.version { return known.titles }
        let titles = view.indexTitles.enumerated().compactMap { index, title in
            view.indexPath(forIndexTitle: title, at: index).map { (title: title, section: $0.section) }
        }
        known = (view.version, titles)
        return titles
    }
}
