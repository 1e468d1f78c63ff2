import DataSources
import Foundation

// A list that announces its changes when it gets new items.

struct Grocery: Identifiable, Equatable {
    let id: Int
    var name: String
    var count: Int
}

let list = ListSource([
    Grocery(id: 1, name: "tea", count: 1),
    Grocery(id: 2, name: "bread", count: 2),
    Grocery(id: 3, name: "apples", count: 6),
    Grocery(id: 4, name: "soap", count: 1),
])

list.reloadBlock = { changeSet in
    guard case .some(let changes) = changeSet else { return print("  everything is new") }
    for change in changes {
        switch change {
        case .section(let type): print("  section \(words(for: type))")
        case .item(let type): print("  item \(words(for: type))")
        }
    }
}

func words(for type: ChangeType) -> String {
    switch type {
    case .insert(let path): "inserted at \(path.item)"
    case .delete(let path): "deleted at \(path.item)"
    case .move(let old, let new): "moved from \(old.item) to \(new.item)"
    case .update(let path): "updated at \(path.item)"
    }
}

@MainActor func show(_ title: String) {
    print("\(title): \(list.numberOfSections) section, \(list.numberOfItems(in: 0)) items")
    // Iterates over all items across sections, without knowing the counts.
    var path: IndexPath? = IndexPath(item: 0, section: 0)
    while let here = path, let item = list.item(at: here) {
        print("  \(item.count) × \(item.name)")
        path = list.indexPath(after: here)
    }
}

show("at first")

// Soap moves to the top, bread gets one more, apples are removed, milk is new. The list announces the fewest changes.
print("shopping")
var items = list.items
items.insert(items.remove(at: 3), at: 0)
items[2].count += 1
items.remove(at: 3)
items.append(Grocery(id: 5, name: "milk", count: 2))
try list.setItems(items)
show("then")

// An empty list has no section, and a path that does not exist has no item. Neither is an error.
print("all bought")
try list.setItems([])
print(
    "  sections: \(list.numberOfSections), an item: \(list.item(at: IndexPath(item: -1, section: 7)) == nil ? "none" : "?")"
)

// Two items with the same identity cannot be distinguished: the list throws and stays unchanged.
do {
    try list.setItems([items[0], items[0]])
} catch {
    print("refused: \(error)")
}
