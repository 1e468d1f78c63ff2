import BridgeValues
import Foundation

/// A page of a browser.
struct BrowserPage: Sendable {
    let browser: any Browser
    let target: String
    let session: String

    @discardableResult
    func call(_ method: String, _ parameters: ValueObject = [:]) async throws -> ValueObject {
        try await browser.call(method, parameters, session: session)
    }

    /// Loads an address.
    ///
    /// It does not wait for the page's own work: ``wait(until:)`` does.
    func load(_ address: String) async throws {
        let result = try await call("Page.navigate", ["url": .string(address)])
        if let error = result["errorText"]?.stringValue { throw BrowserError("\(address): \(error)") }
    }

    func reload() async throws { try await call("Page.reload") }

    func close() async throws {
        try await browser.call("Target.closeTarget", ["targetId": .string(target)], session: nil)
    }

    /// Returns the value of an expression, or of the promise that it is.
    @discardableResult
    func evaluate(_ expression: String) async throws -> Value {
        let result = try await call(
            "Runtime.evaluate",
            ["expression": .string(expression), "awaitPromise": true, "returnByValue": true]
        )
        if let exception = result["exceptionDetails"] { throw BrowserError("\(expression): \(exception)") }
        guard case .object(let object)? = result["result"] else { return .undefined }
        return object["value"] ?? .undefined
    }

    /// Waits until an expression is true, for 20 seconds at most.
    ///
    /// Errors of an expression are those of a page that is
    /// not there yet.
    func wait(until expression: String) async throws {
        let end = ContinuousClock.now + .seconds(20)
        var last: Value = .undefined
        while ContinuousClock.now < end {
            // In an animation frame of the page, so that the poll does not take its time.
            let polled =
                "new Promise(done => requestAnimationFrame(() => { try { done(\(expression)) } catch (error) { done(String(error)) } }))"
            last = (try? await evaluate(polled)) ?? .undefined
            if last == .bool(true) { return }
        }
        throw BrowserError("\(expression) is \(last), not true, after 20 seconds")
    }

    /// Returns the messages of errors of the page so far: exceptions, refused loads, `console.error`.
    func takeErrors() -> [String] {
        browser.takeEvents(session: session).compactMap { event in
            switch event.method {
            case "Runtime.exceptionThrown": return "\(Value.object(event.parameters))"
            case "Log.entryAdded":
                guard case .object(let entry)? = event.parameters["entry"],
                    entry["level"]?.stringValue == "error"
                else { return nil }
                return entry["text"]?.stringValue
            case "Runtime.consoleAPICalled":
                guard event.parameters["type"]?.stringValue == "error" else { return nil }
                return "\(Value.object(event.parameters))"
            default: return nil
            }
        }
    }

    // MARK: - Looks

    /// Returns a picture as PNG.
    func screenshot() async throws -> Data {
        let result = try await call("Page.captureScreenshot", ["format": "png"])
        guard let text = result["data"]?.stringValue, let data = Data(base64Encoded: text) else {
            throw BrowserError("the browser made no picture")
        }
        return data
    }

    /// Sets features of the medium, such as `prefers-color-scheme`.
    func setMedia(_ features: [String: String]) async throws {
        let list = features.sorted { $0.key < $1.key }.map { feature in
            Value.object(["name": .string(feature.key), "value": .string(feature.value)])
        }
        try await call("Emulation.setEmulatedMedia", ["features": .array(list)])
    }

    func setSize(width: Int, height: Int, scale: Double = 1) async throws {
        try await call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(Int64(width)), "height": .integer(Int64(height)),
                "deviceScaleFactor": .number(scale), "mobile": false,
            ]
        )
    }

    /// Returns the processor time of the page's main thread so far, in milliseconds, by kinds of work; also the heap.
    ///
    /// Call `measure()` once before.
    func metrics() async throws -> [String: Double] {
        guard case .array(let list)? = try await call("Performance.getMetrics")["metrics"] else { return [:] }
        var metrics: [String: Double] = [:]
        for case .object(let metric) in list {
            guard let name = metric["name"]?.stringValue else { continue }
            switch metric["value"] {
            case .integer(let number)?: metrics[name] = Double(number)
            case .double(let number)?: metrics[name] = number
            default: break
            }
        }
        return metrics
    }

    /// Begins to measure in thread time, which other processes of the machine do not change.
    func measure() async throws { try await call("Performance.enable", ["timeDomain": "threadTicks"]) }

    func collectGarbage() async throws {
        try await call("HeapProfiler.enable")
        try await call("HeapProfiler.collectGarbage")
    }
}
