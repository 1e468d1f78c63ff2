public import CollectionViews
internal import DataSources
public import Foundation

/// The titles of rows, to which typed letters lead: their first visible column.
extension TableContent {
    /// The maximum number of rows that are read for typed letters.
    static let maximumTitles = 100_000

    private var titleColumn: Int { separatesColumns ? 0 : columns.visible.first?.column ?? 0 }

    /// Returns the first visible column of a row.
    public func collectionView(_ collectionView: CollectionView, titleForItemAt indexPath: IndexPath)
        -> String?
    {
        let fields = fields(at: indexPath)
        return titleColumn < fields.count ? fields[titleColumn] : nil
    }

    /// Returns the next row whose title begins with the letters, of the rows after a path and then those before it.
    ///
    /// - Complexity: O(1): at most 100,000 rows are read.
    public func collectionView(
        _ collectionView: CollectionView,
        indexPathForItemWithTitlePrefix prefix: String,
        after indexPath: IndexPath?
    ) -> IndexPath? {
        let total = rows.total
        let column = titleColumn
        let wanted = prefix.lowercased()
        let start = indexPath.flatMap(ItemPath.init).map { rows.position(of: $0) + 1 } ?? 0
        for step in 0..<min(total, Self.maximumTitles) {
            let position = (start + step) % total
            guard let fields = try? source.row(rows.number(at: position)), column < fields.count,
                fields[column].lowercased().hasPrefix(wanted), let path = rows.path(at: position)
            else { continue }
            return path.indexPath
        }
        return nil
    }
}
