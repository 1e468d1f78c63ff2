import BridgeValues
import Foundation
import Synchronization

/// Firefox, which answers the methods of Chromium's protocol by those of WebDriver BiDi (TE6).
///
/// So the tests of pages are the same in both browsers. A method without a counterpart is an error.
final class Firefox: Browser {
    /// The methods that BiDi does without.
    private static let unneeded: Set<String> = [
        "Emulation.setFocusEmulationEnabled", "HeapProfiler.collectGarbage", "HeapProfiler.enable",
        "Log.enable", "Page.enable", "Performance.enable", "Runtime.enable",
    ]

    private let messages: HeadlessBrowser
    /// The page that gets keys.
    private let active = Mutex<String?>(nil)

    /// Starts the browser.
    ///
    /// - Throws: ``BrowserError`` if it is not installed, or cannot be started.
    init() async throws {
        guard let program = FirefoxProcess.program else { throw BrowserError("no Firefox is installed") }
        messages = try HeadlessBrowser { try FirefoxProcess(program: program, received: $0, ended: $1) }
        try await messages.call("session.new", ["capabilities": [:]])
        try await messages.call("session.subscribe", ["events": ["log.entryAdded"]])
    }

    func takeEvents(session: String) -> [BrowserEvent] {
        messages.takeEvents(session: session).map { event in
            BrowserEvent(
                method: "Log.entryAdded",
                session: session,
                parameters: ["entry": .object(event.parameters)]
            )
        }
    }

    func call(_ method: String, _ parameters: ValueObject, session: String?) async throws -> ValueObject {
        if Self.unneeded.contains(method) { return [:] }
        switch method {
        case "Target.createTarget": return ["targetId": .string(try await createPage())]
        case "Target.attachToTarget": return ["sessionId": parameters["targetId"] ?? .undefined]
        case "Target.closeTarget":
            let context = parameters["targetId"]?.stringValue ?? ""
            active.withLock { if $0 == context { $0 = nil } }
            return try await messages.call("browsingContext.close", ["context": .string(context)])
        default: break
        }
        guard let session else { throw BrowserError("\(method) needs a page") }
        return try await call(method, parameters, in: session)
    }

    /// Calls a method for a page.
    private func call(_ method: String, _ parameters: ValueObject, in context: String) async throws
        -> ValueObject
    {
        let page: Value = .string(context)
        switch method {
        case "Page.navigate":
            return try await messages.call(
                "browsingContext.navigate",
                ["context": page, "url": parameters["url"] ?? "", "wait": "interactive"]
            )
        case "Page.reload":
            return try await messages.call(
                "browsingContext.reload",
                ["context": page, "wait": "interactive"]
            )
        case "Page.bringToFront":
            try await activate(context)
            return [:]
        case "Page.addScriptToEvaluateOnNewDocument":
            let script = "() => { \(parameters["source"]?.stringValue ?? "") }"
            return try await messages.call(
                "script.addPreloadScript",
                ["functionDeclaration": .string(script), "contexts": [page]]
            )
        case "Page.captureScreenshot":
            return try await messages.call("browsingContext.captureScreenshot", ["context": page])
        case "Runtime.evaluate":
            return try await evaluate(parameters["expression"]?.stringValue ?? "", in: context)
        case "Emulation.setDeviceMetricsOverride":
            return try await setSize(
                parameters["width"] ?? 0,
                parameters["height"] ?? 0,
                scale: parameters["deviceScaleFactor"] ?? 1,
                of: context
            )
        case "Emulation.setEmulatedMedia":
            try await setMedia(parameters["features"]?.array ?? [], in: context)
            return [:]
        case "Input.dispatchKeyEvent":
            try await dispatchKey(parameters, in: context)
            return [:]
        case "Input.dispatchMouseEvent":
            try await dispatchMouse(parameters, in: context)
            return [:]
        default: throw BrowserError("Firefox has no counterpart of \(method)")
        }
    }

    // MARK: - Pages

    private func createPage() async throws -> String {
        // Pages in windows are all visible, unlike those in tabs.
        let created = try await messages.call("browsingContext.create", ["type": "window"])
        guard let context = created["context"]?.stringValue else {
            throw BrowserError("a page was not created")
        }
        active.withLock { $0 = context }
        _ = try await setSize(1_000, 700, scale: 1, of: context)
        try await setMedia([], in: context)
        return context
    }

    private func setSize(_ width: Value, _ height: Value, scale: Value, of context: String) async throws
        -> ValueObject
    {
        try await messages.call(
            "browsingContext.setViewport",
            [
                "context": .string(context), "viewport": ["width": width, "height": height],
                "devicePixelRatio": scale,
            ]
        )
    }

    /// Gives a page the focus of the system, without which it gets no keys.
    private func activate(_ context: String) async throws {
        guard active.withLock({ $0 }) != context else { return }
        try await messages.call("browsingContext.activate", ["context": .string(context)])
        active.withLock { $0 = context }
    }

    // MARK: - Scripts

    private func evaluate(_ expression: String, in context: String) async throws -> ValueObject {
        let result = try await messages.call(
            "script.evaluate",
            [
                "expression": .string(expression), "awaitPromise": true,
                "target": ["context": .string(context)],
            ]
        )
        if let exception = result["exceptionDetails"] { return ["exceptionDetails": exception] }
        return ["result": ["value": Self.plain(result["result"] ?? .undefined)]]
    }

    /// Returns the value that BiDi describes with types.
    private static func plain(_ described: Value) -> Value {
        guard case .object(let object) = described else { return described }
        let value = object["value"] ?? .undefined
        return switch object["type"]?.stringValue {
        case "null": .null
        case "array": .array(value.array.map(plain))
        case "object":
            .object(ValueObject(value.array.map { (key: $0[0].stringValue ?? "", value: plain($0[1])) }))
        case "string", "number", "boolean": value
        default: .undefined
        }
    }

    // MARK: - Looks

    /// The preferences of features of the medium, the numbers of their values, and that of no emulation.
    private static let preferences: [String: (name: String, numbers: [String: Int], usual: Int)] = [
        "prefers-color-scheme": (
            "layout.css.prefers-color-scheme.content-override", ["dark": 0, "light": 1], 1
        ),
        "prefers-reduced-motion": ("ui.prefersReducedMotion", ["reduce": 1, "no-preference": 0], 0),
        "forced-colors": ("browser.display.document_color_use", ["active": 2, "none": 1], 1),
    ]

    /// Sets the preferences of the browser, and waits until the page has them.
    private func setMedia(_ features: [Value], in context: String) async throws {
        var script = ""
        var conditions = ["true"]
        for (feature, preference) in Self.preferences {
            let wanted = features.first { $0["name"].stringValue == feature }?["value"].stringValue
            let number = wanted.flatMap { preference.numbers[$0] } ?? preference.usual
            script += "Services.prefs.setIntPref('\(preference.name)', \(number));"
            if let wanted { conditions.append("matchMedia('(\(feature): \(wanted))').matches") }
        }
        let tree = try await messages.call("browsingContext.getTree", ["moz:scope": "chrome"])
        guard let window = tree["contexts"]?[0]["context"].stringValue else {
            throw BrowserError("Firefox has no window")
        }
        _ = try await evaluate(script, in: window)
        _ = try await evaluate(
            "(async () => { while (!(\(conditions.joined(separator: " && ")))) await new Promise(requestAnimationFrame); })()",
            in: context
        )
    }

    // MARK: - Input

    /// The keys of WebDriver by those of the web.
    private static let keys: [String: String] = [
        "Backspace": "\u{E003}", "Tab": "\u{E004}", "Enter": "\u{E007}", "Escape": "\u{E00C}",
        "PageUp": "\u{E00E}", "PageDown": "\u{E00F}", "End": "\u{E010}", "Home": "\u{E011}",
        "ArrowLeft": "\u{E012}", "ArrowUp": "\u{E013}", "ArrowRight": "\u{E014}", "ArrowDown": "\u{E015}",
        "Delete": "\u{E017}", "F3": "\u{E033}", "F10": "\u{E03A}",
    ]
    private static let modifiers: [(keys: BrowserPage.Keys, key: Value)] = [
        (.option, "\u{E00A}"), (.control, "\u{E009}"), (.meta, "\u{E03D}"), (.shift, "\u{E008}"),
    ]

    private func perform(_ source: ValueObject, _ actions: [Value], in context: String) async throws {
        var source = source
        source["actions"] = .array(actions)
        try await messages.call(
            "input.performActions",
            ["context": .string(context), "actions": [.object(source)]]
        )
    }

    /// Returns the actions that press or release the modifiers of an event.
    private static func modifierActions(_ type: String, of event: ValueObject) -> [Value] {
        let keys = BrowserPage.Keys(rawValue: Int64(event["modifiers"]?.integer ?? 0))
        return modifiers.filter { keys.contains($0.keys) }.map { ["type": .string(type), "value": $0.key] }
    }

    private func dispatchKey(_ event: ValueObject, in context: String) async throws {
        try await activate(context)
        let name = event["key"]?.stringValue ?? ""
        let type = event["type"]?.stringValue ?? ""
        let key: Value = ["type": .string(type), "value": .string(Self.keys[name] ?? name)]
        let modifiers = Self.modifierActions(type, of: event)
        let actions = type == "keyDown" ? modifiers + [key] : [key] + modifiers
        try await perform(["type": "key", "id": "keyboard"], actions, in: context)
    }

    private func dispatchMouse(_ event: ValueObject, in context: String) async throws {
        try await activate(context)
        let (x, y) = (Int64(event["x"]?.number ?? 0), Int64(event["y"]?.number ?? 0))
        let button: Value = event["button"] == "right" ? 2 : 0
        let move: Value = ["type": "pointerMove", "x": .integer(x), "y": .integer(y)]
        let pointer: ValueObject = ["type": "pointer", "id": "mouse"]
        let keyboard: ValueObject = ["type": "key", "id": "keyboard"]
        switch event["type"]?.stringValue {
        case "mousePressed":
            let modifiers = Self.modifierActions("keyDown", of: event)
            if !modifiers.isEmpty { try await perform(keyboard, modifiers, in: context) }
            let press: Value = ["type": "pointerDown", "button": button]
            try await perform(pointer, [move, press], in: context)
        case "mouseReleased":
            let release: Value = ["type": "pointerUp", "button": button]
            try await perform(pointer, [move, release], in: context)
            let modifiers = Self.modifierActions("keyUp", of: event)
            if !modifiers.isEmpty { try await perform(keyboard, modifiers, in: context) }
        case "mouseMoved": try await perform(pointer, [move], in: context)
        default:
            let distance = Int64(event["deltaY"]?.number ?? 0)
            let scroll: Value = [
                "type": "scroll", "x": .integer(x), "y": .integer(y), "deltaX": 0,
                "deltaY": .integer(distance),
            ]
            try await perform(["type": "wheel", "id": "wheel"], [scroll], in: context)
        }
    }
}
