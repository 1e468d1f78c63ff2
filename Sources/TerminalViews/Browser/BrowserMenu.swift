internal import CollectionViews
internal import DataSources

/// The menu of a row, which covers the rows until an action is chosen.
struct BrowserMenu {
    let title: String
    /// The row.
    let path: ItemPath
    let items: [ViewMenuItem]
    /// The number of the chosen action.
    private(set) var selection = 0
    /// The first visible line.
    private(set) var top = 0

    init(title: String, path: ItemPath, items: [ViewMenuItem]) {
        self.title = title
        self.path = path
        self.items = items
    }

    /// The effect of a key.
    enum Outcome: Hashable {
        case open
        case closed
        case chosen(Int)
    }

    /// Applies a key: an action of the rows, or the number of an item.
    mutating func apply(_ action: BrowserAction?, digit: Int?, height: Int) -> Outcome {
        if let digit, items.indices.contains(digit - 1) {
            selection = digit - 1
            return items[selection].isDisabled ? .open : .chosen(selection)
        }
        switch action {
        case .down: selection += 1
        case .up: selection -= 1
        case .pageDown, .halfPageDown: selection += height
        case .pageUp, .halfPageUp: selection -= height
        case .first: selection = 0
        case .last: selection = items.count - 1
        case .open: return items[selection].isDisabled ? .open : .chosen(selection)
        case .quit, .cancel, .menu: return .closed
        default: break
        }
        selection = max(0, min(selection, items.count - 1))
        top = max(0, min(max(top, selection - height + 1), selection))
        return .open
    }
}

extension KeyPress {
    /// The digit of a key without modifiers; `nil` for other keys.
    var digit: Int? {
        guard case .character(let character) = key, modifiers.isEmpty, character.isASCII else { return nil }
        return character.wholeNumberValue
    }
}
