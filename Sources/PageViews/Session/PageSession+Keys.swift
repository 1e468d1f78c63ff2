internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation

extension PageSession {
    /// Applies a key: those of the terminal where a browser leaves them, and the usual ones of lists.
    func press(_ key: PageKey) throws {
        interaction.wantsLast = false
        if interaction.movement != nil { return try pressMoving(key) }
        if key.modifiers.contains(.option) { return try pressWithOption(key) }
        if key.modifiers.isCommand { return try pressCommand(key) }
        if let distance = distance(of: key.name) {
            return try key.modifiers.contains(.shift) ? extendRange(by: distance) : moveFocus(by: distance)
        }
        switch key.name {
        case "Home", "g": try moveToEdge(isLast: false, key)
        case "End", "G": try moveToEdge(isLast: true, key)
        case " ": try mark()
        case "Enter": try open()
        case "Escape": cancel()
        case "ArrowLeft", "[": try setFoldedAtFocus(true, key)
        case "ArrowRight", "]": try setFoldedAtFocus(false, key)
        case "n": try focusMatch(forward: true)
        case "N": try focusMatch(forward: false)
        case "m": try beginMovingByKeys()
        case "u": try select(.none)
        case "*": try select(.invert)
        case "Tab": try moveFocus(bySections: key.modifiers.contains(.shift) ? -1 : 1)
        default: try refuse(key)
        }
    }

    private func distance(of name: String) -> Int? {
        switch name {
        case "ArrowDown", "j": 1
        case "ArrowUp", "k": -1
        case "PageDown": pageLength
        case "PageUp": -pageLength
        default: nil
        }
    }

    private func pressWithOption(_ key: PageKey) throws {
        switch key.name {
        case "ArrowDown": try moveFocusedRow(by: 1)
        case "ArrowUp": try moveFocusedRow(by: -1)
        default: try refuse(key)
        }
    }

    private func pressCommand(_ key: PageKey) throws {
        switch key.name.lowercased() {
        case "a": try select(key.modifiers.contains(.shift) ? .none : .all)
        case "home": try focus(stop(from: 0, by: 1))
        case "end": try moveToEdge(isLast: true, key)
        case " ": try mark()
        // The focus moves alone with these, as in lists whose selection follows the focus.
        case "arrowdown": try moveFocus(by: 1)
        case "arrowup": try moveFocus(by: -1)
        default: try refuse(key)
        }
    }

    private func refuse(_ key: PageKey) throws {
        let modifiers: Set = [
            "Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Unidentified",
        ]
        guard !modifiers.contains(key.name) else { return }
        throw PageInputError("the key '\(key.name.prefix(40))' has no action here")
    }

    private func moveToEdge(isLast: Bool, _ key: PageKey) throws {
        if key.modifiers.contains(.shift), key.name.count > 1 {
            return try extendRange(by: isLast ? rows.itemCount : -rows.itemCount)
        }
        interaction.wantsLast = isLast && !content.isComplete
        try focus(isLast ? stop(from: view.numberOfSections - 1, by: -1) : stop(from: 0, by: 1))
    }

    private func open() throws {
        guard let path = focusedPath else { return }
        if path.item < 0 { return setFolded(false, section: Int(path.section)) }
        try view.performPrimaryAction(at: path.indexPath)
    }

    private func cancel() {
        interaction.range = nil
        if !content.search.isEmpty {
            search("")
        } else if !content.filter.isEmpty {
            content.filter = ""
        }
    }

    /// Moves the focus by typed letters.
    func type(_ letters: String) throws {
        guard !letters.isEmpty else { return }
        guard try view.focusItem(typing: letters, at: clock.now.seconds) != nil else {
            throw PageInputError("no row begins with '\(letters.prefix(40))'")
        }
        interaction.focusedSection = nil
    }

    // MARK: - Sections

    /// Folds or unfolds at the focus: an item of a tree, or else its section.
    private func setFoldedAtFocus(_ isFolded: Bool, _ key: PageKey) throws {
        guard let path = focusedPath else { return }
        if path.item >= 0, view.isItemExpanded(at: path.indexPath) != nil {
            try view.setItemExpanded(!isFolded, at: path.indexPath)
            return
        }
        guard content.isFolded(section: Int(path.section)) != nil else {
            // An arrow may have nothing to fold.
            if key.name.count > 1 { return }
            throw PageInputError("there are no sections to fold")
        }
        setFolded(isFolded, section: Int(path.section))
    }

    func setFolded(_ isFolded: Bool, section: Int) {
        guard content.isFolded(section: section) == !isFolded else { return }
        content.setFolded(isFolded, section: section)
        let isEmpty = view.numberOfItems(inSection: section) == 0
        try? focusByUser(ItemPath(section: section, item: isEmpty ? -1 : 0))
    }

    /// Scrolls to a section of an index title, and gives its first row the focus.
    func jump(to section: Int) throws {
        guard (0..<view.numberOfSections).contains(section), let path = stop(from: section, by: 1) else {
            throw PageInputError("there is no section \(section)")
        }
        try focusByUser(path)
        if path.item >= 0 { try view.scrollToItem(at: path.indexPath, at: .start) }
    }

    // MARK: - Search

    /// Searches, and moves the focus to the first match from the row where the search began.
    func search(_ text: String) {
        if content.search.isEmpty { interaction.searchStart = focusedPath }
        content.search = text
        interaction.wantsMatch = !text.isEmpty
        if interaction.wantsMatch { showMatch() }
    }

    func showMatch() {
        let start = interaction.searchStart.map { ItemPath(section: $0.section, item: max(0, $0.item)) }
        guard
            let match = content.match(from: start?.indexPath, forward: true, includingStart: true)
                .flatMap(ItemPath.init)
        else { return }
        interaction.wantsMatch = false
        try? focusByUser(match)
    }

    func focusMatch(forward: Bool) throws {
        guard !content.search.isEmpty else { throw PageInputError("there is no search") }
        interaction.wantsMatch = false
        let start = focusedPath.map { ItemPath(section: $0.section, item: max(0, $0.item)).indexPath }
        guard
            let match = content.match(from: start, forward: forward, includingStart: false)
                .flatMap(ItemPath.init)
        else {
            throw PageInputError(content.matches?.isComplete == true ? "no row matches" : "no match yet")
        }
        try focusByUser(match)
    }
}
