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

extension CollectionView {
    /// Returns a cell for an item, with the content that the registration gives it.
    ///
    /// - Throws: ``CollectionViewError`` if the registration was created in a callback for a view.
    public func dequeueConfiguredReusableCell<CellType: Cell, Item>(
        using registration: CellRegistration<CellType, Item>,
        for indexPath: IndexPath,
        item: Item
    ) throws -> CellType {
        try registration.scope.check()
        let identifier = registration.scope.identifier
        if !queues.isRegistered(ReuseQueues.Key(category: .cell, kind: "", identifier: identifier)) {
            register(CellType.self, forCellWithReuseIdentifier: identifier)
        }
        let dequeued = try dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
        guard let cell = dequeued as? CellType else {
            preconditionFailure("the queue of \(CellType.self) has a view of another class")
        }
        registration.handler(cell, indexPath, item)
        return cell
    }

    /// Returns a supplementary view, with the content that the registration gives it.
    ///
    /// - Throws: ``CollectionViewError`` if the registration was created in a callback for a view.
    public func dequeueConfiguredReusableSupplementary<ViewType: ReusableView>(
        using registration: SupplementaryRegistration<ViewType>,
        for indexPath: IndexPath
    ) throws -> ViewType {
        try registration.scope.check()
        let (kind, identifier) = (registration.kind, registration.scope.identifier)
        let key = ReuseQueues.Key(category: .supplementaryView, kind: kind, identifier: identifier)
        if !queues.isRegistered(key) {
            register(ViewType.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
        }
        let dequeued = try dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: identifier,
            for: indexPath
        )
        guard let view = dequeued as? ViewType else {
            preconditionFailure("the queue of \(ViewType.self) has a view of another class")
        }
        registration.handler(view, kind, indexPath)
        return view
    }
}
