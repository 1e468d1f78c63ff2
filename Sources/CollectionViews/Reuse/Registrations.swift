public import Foundation

/// A registration of a class of cells, with the closure that gives a cell its content.
///
/// It is created once, outside of the data source's callbacks: a registration for each cell would reuse no cell.
public struct CellRegistration<CellType: Cell, Item> {
    /// A closure that gives a cell the content of an item.
    public typealias Handler = (_ cell: CellType, _ indexPath: IndexPath, _ item: Item) -> Void

    let scope = RegistrationScope()
    let handler: Handler

    /// Creates a registration.
    public init(handler: @escaping Handler) { self.handler = handler }
}

/// A registration of a class of supplementary views of one kind, with the closure that gives a view its content.
///
/// It is created once, outside of the data source's callbacks.
public struct SupplementaryRegistration<ViewType: ReusableView> {
    /// A closure that gives a view its content.
    public typealias Handler = (_ view: ViewType, _ elementKind: String, _ indexPath: IndexPath) -> Void

    let scope = RegistrationScope()
    let kind: String
    let handler: Handler

    /// Creates a registration.
    public init(elementKind: String, handler: @escaping Handler) {
        kind = elementKind
        self.handler = handler
    }
}

/// The identity of a registration, and whether it was created in a callback for a view.
struct RegistrationScope {
    /// A Boolean value that indicates whether a data source is being asked for a view.
    @TaskLocal static var isInProvider = false

    let identifier = "registration \(UUID().uuidString)"
    let isMadeInProvider = RegistrationScope.isInProvider

    func check() throws(CollectionViewError) {
        guard !isMadeInProvider else {
            throw CollectionViewError(
                .registrationInProvider,
                "a registration was created while a view was requested: create it once, before"
            )
        }
    }
}
