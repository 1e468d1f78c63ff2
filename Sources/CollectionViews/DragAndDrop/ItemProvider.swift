/// The data of a dragged item in forms of one MIME type each, which are loaded when they are needed.
public final class ItemProvider {
    /// A closure that loads the bytes of one form, and calls its completion once, now or later.
    public typealias Loader = (_ completion: @escaping (Result<[UInt8], any Error>) -> Void) -> Void

    /// An error for a form that a provider does not have.
    public struct UnknownType: Error, Sendable, Hashable, CustomStringConvertible {
        /// The requested type.
        public let type: String
        /// A sentence with the type.
        public var description: String { "the item has no form of the type \"\(type)\"" }
    }

    private var loaders: [(type: String, load: Loader)] = []

    /// Creates a provider without forms.
    public init() {}

    /// Creates a provider of plain text.
    public convenience init(text: String) {
        self.init()
        register("text/plain") { $0(.success(Array(text.utf8))) }
    }

    /// The MIME types of the forms, the best one first.
    public var registeredTypes: [String] { loaders.map(\.type) }

    /// Adds a form after the others; a second one of a type replaces the first.
    public func register(_ type: String, load: @escaping Loader) {
        loaders.removeAll { $0.type == type }
        loaders.append((type, load))
    }

    /// Returns whether there is a form of a type.
    public func hasItem(ofType type: String) -> Bool { loaders.contains { $0.type == type } }

    /// Loads the form of a type, and calls the completion once, now or later.
    ///
    /// A form that does not exist completes with ``UnknownType``.
    public func loadData(
        ofType type: String,
        completion: @escaping (Result<[UInt8], any Error>) -> Void
    ) {
        guard let loader = loaders.first(where: { $0.type == type }) else {
            return completion(.failure(UnknownType(type: type)))
        }
        loader.load(completion)
    }
}

/// One item of a drag.
public final class DragItem {
    /// The data of the item.
    public let itemProvider: ItemProvider
    /// A value for targets in the same process.
    public var localObject: Any?

    /// Creates an item.
    public init(itemProvider: ItemProvider, localObject: Any? = nil) {
        self.itemProvider = itemProvider
        self.localObject = localObject
    }
}
