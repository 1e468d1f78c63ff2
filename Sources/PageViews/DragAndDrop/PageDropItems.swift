internal import CollectionViews

/// The items of a drag from outside: first the types that the browser shows, then the data of the drop.
struct PageDropItems {
    /// The items: one for each file, and one for all strings.
    let items: [DragItem]
    private let offer: PageDropOffer

    /// Makes items without data.
    init(_ offer: PageDropOffer) {
        self.offer = offer
        items = Self.makeItems(strings: offer.dataTypes, files: offer.files)
    }

    private static func makeItems(strings: [String], files: [String]) -> [DragItem] {
        let unloaded: ItemProvider.Loader = {
            $0(.failure(DroppedFileError("the browser shows the data of a drag after the drop only")))
        }
        var items = files.map { type in
            let provider = ItemProvider()
            provider.register(type.isEmpty ? unknownType : type, load: unloaded)
            return DragItem(itemProvider: provider)
        }
        if !strings.isEmpty {
            let provider = ItemProvider()
            for type in strings { provider.register(type, load: unloaded) }
            items.append(DragItem(itemProvider: provider))
        }
        return items
    }

    private static let unknownType = "application/octet-stream"

    /// Returns whether the data of a drop is that of these items.
    func fits(_ content: PageDropContent) -> Bool {
        content.files.map(\.type) == offer.files && content.texts.map(\.type) == offer.dataTypes
    }

    /// Returns the offer that fits the data of a drop, which Firefox shows incompletely before.
    static func offer(of content: PageDropContent) -> PageDropOffer {
        PageDropOffer(types: content.texts.map(\.type), files: content.files.map(\.type))
    }

    /// Gives the items their data.
    func fill(_ content: PageDropContent, from source: DroppedFileSource, on executor: PageExecutor) {
        for (item, file) in zip(items, content.files) {
            let type = file.type.isEmpty ? Self.unknownType : file.type
            let dropped = DroppedFile(
                name: file.name,
                type: type,
                size: file.size,
                handle: file.handle,
                source: source
            )
            item.localObject = dropped
            item.itemProvider.register(type, load: Self.loader(of: dropped, executor))
        }
        guard content.texts.count > 0, let last = items.last else { return }
        for text in content.texts {
            if let string = text.text {
                last.itemProvider.register(text.type) { $0(.success(Array(string.utf8))) }
            } else if let handle = text.handle, let size = text.size {
                let dropped = DroppedFile(
                    name: "",
                    type: text.type,
                    size: size,
                    handle: handle,
                    source: source
                )
                last.itemProvider.register(text.type, load: Self.loader(of: dropped, executor))
            }
        }
    }

    /// Returns a loader of all bytes, which completes on the isolation of the view.
    private static func loader(of file: DroppedFile, _ executor: PageExecutor) -> ItemProvider.Loader {
        { completion in
            // The completion belongs to the isolation of the view, and is called there.
            nonisolated(unsafe) let completion = completion
            Task {
                let result: Result<[UInt8], any Error>
                do { result = .success(try await file.load()) } catch { result = .failure(error) }
                executor.run { completion(result) }
            }
        }
    }
}
