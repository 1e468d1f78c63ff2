/// A drag as its target sees it: from another view, another process, or a page.
public final class DropSession {
    /// The items.
    public let items: [DragItem]
    /// The drag of this process to which the session belongs; `nil` for one that comes from outside.
    public private(set) weak var localDragSession: DragSession?
    /// The position of the drag in the content of the target; `nil` while the target is an item.
    public internal(set) var location: Point?
    /// The part of the items' data that was loaded, from 0 to 1.
    public var progress: Double { requested == 0 ? 1 : Double(loaded) / Double(requested) }
    private var requested = 0
    private var loaded = 0

    /// Creates the session of a drag that comes from outside.
    public init(items: [DragItem]) { self.items = items }

    init(_ session: DragSession) {
        items = session.items
        localDragSession = session
    }

    /// Returns whether an item has a form of a MIME type.
    public func canLoadObjects(ofType type: String) -> Bool {
        items.contains { $0.itemProvider.hasItem(ofType: type) }
    }

    /// Loads the forms of a MIME type of all items that have one, in the order of the items.
    ///
    /// The completion is called once, now or later, with the forms that could be loaded.
    public func loadObjects(ofType type: String, completion: @escaping ([[UInt8]]) -> Void) {
        let providers = items.map(\.itemProvider).filter { $0.hasItem(ofType: type) }
        var results = [[UInt8]?](repeating: nil, count: providers.count)
        var waiting = providers.count
        requested += waiting
        guard waiting > 0 else { return completion([]) }
        for (index, provider) in providers.enumerated() {
            var isLoaded = false
            provider.loadData(ofType: type) { result in
                guard !isLoaded else { return }
                isLoaded = true
                results[index] = try? result.get()
                self.loaded += 1
                waiting -= 1
                if waiting == 0 { completion(results.compactMap(\.self)) }
            }
        }
    }
}
