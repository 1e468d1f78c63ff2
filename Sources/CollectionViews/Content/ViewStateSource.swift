internal import DataSources
internal import Foundation

/// The identities of a view's data source, with the counts of the view.
final class ViewStateSource: RestorableSource {
    private let view: CollectionView
    let restorationSchema: String

    /// Creates a source whose schema is by default the type of the source whose identities are saved.
    init(_ view: CollectionView, schema: String?) {
        self.view = view
        restorationSchema = schema ?? view.dataSource.map { "\(type(of: $0))" } ?? ""
    }

    private var association: (any DataSourceModelAssociation)? {
        view.dataSource as? any DataSourceModelAssociation
    }

    var numberOfSections: Int { view.numberOfSections }
    func numberOfItems(in section: Int) -> Int { view.numberOfItems(inSection: section) }

    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        association?.modelIdentifierForElement(at: indexPath, in: view)
    }

    func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        association?.indexPathForElement(withModelIdentifier: identifier, in: view)
    }
}
