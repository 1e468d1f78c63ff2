import BridgeValues

/// The input of a user, as the browser gets it from a system.
extension BrowserPage {
    struct Keys: OptionSet, Sendable {
        let rawValue: Int64
        static let option = Keys(rawValue: 1)
        static let control = Keys(rawValue: 2)
        static let meta = Keys(rawValue: 4)
        static let shift = Keys(rawValue: 8)
    }

    private static let codes: [String: Int64] = [
        "Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35,
        "Home": 36,
        "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46, "F3": 114,
        "F10": 121,
    ]

    /// Presses and releases a key by its name, such as `ArrowDown` or `a`.
    func press(_ key: String, _ keys: Keys = []) async throws {
        let isCharacter = key.count == 1
        let letter = key.uppercased().unicodeScalars.first.map { Int64($0.value) } ?? 0
        var event: ValueObject = [
            "key": .string(key), "windowsVirtualKeyCode": .integer(Self.codes[key] ?? letter),
            "modifiers": .integer(keys.rawValue),
        ]
        event["type"] = "keyDown"
        if isCharacter, keys.isDisjoint(with: [.control, .meta, .option]) { event["text"] = .string(key) }
        try await call("Input.dispatchKeyEvent", event)
        event["type"] = "keyUp"
        event["text"] = nil
        try await call("Input.dispatchKeyEvent", event)
    }

    /// Enters a text where the focus is.
    func enter(_ text: String) async throws { try await call("Input.insertText", ["text": .string(text)]) }

    private func mouse(_ type: String, _ x: Double, _ y: Double, _ more: ValueObject = [:]) async throws {
        var event: ValueObject = ["type": .string(type), "x": .number(x), "y": .number(y)]
        for member in more { event[member.key] = member.value }
        try await call("Input.dispatchMouseEvent", event)
    }

    func click(x: Double, y: Double, count: Int64 = 1, button: String = "left", _ keys: Keys = [])
        async throws
    {
        let event: ValueObject = [
            "button": .string(button), "clickCount": .integer(count), "modifiers": .integer(keys.rawValue),
        ]
        try await mouse("mousePressed", x, y, event)
        try await mouse("mouseReleased", x, y, event)
    }

    func wheel(x: Double, y: Double, by distance: Double) async throws {
        try await mouse("mouseWheel", x, y, ["deltaX": 0, "deltaY": .number(distance)])
    }

    /// Drags along points.
    ///
    /// The last point is repeated: a browser tells a drag from a click by several movements.
    ///
    /// - Parameters:
    ///   - points: The points.
    ///   - condition: An expression of the page; the pressed pointer rests until it is true.
    ///   - isReleased: A Boolean value that indicates whether the button is released at the last point.
    /// - Throws: ``BrowserError``.
    func drag(
        _ points: [(x: Double, y: Double)],
        movesWhen condition: String = "true",
        isReleased: Bool = true
    ) async throws {
        guard let first = points.first, let last = points.last else { return }
        let held: ValueObject = ["button": "left", "buttons": 1, "clickCount": 1]
        try await mouse("mousePressed", first.x, first.y, held)
        try await wait(until: condition)
        for point in points.dropFirst() + [last, last] {
            try await mouse("mouseMoved", point.x, point.y, held)
        }
        if isReleased {
            try await release(x: last.x, y: last.y)
        }
    }

    /// Releases the button of the mouse.
    func release(x: Double, y: Double) async throws {
        try await mouse("mouseReleased", x, y, ["button": "left", "clickCount": 1])
    }
}
