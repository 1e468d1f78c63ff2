import BridgeProtocol
import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import Testing

private struct Trip: Codable, Sendable {
    var name: String
    var start: Date
}

@Suite(.noLeaks) struct InvalidDateTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        logsTo log: Recorder<String> = Recorder<String>()
    ) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.traceLevel = .messages
        configuration.traceSink = { log.add("\($0)") }
        configuration.logSink = { log.add("\($0)") }
        configuration.consoleSink = { log.add("\($0)") }
        return try Bridge(configuration: configuration)
    }

    @Test(
        "R8 an invalid date of a script is data that can be printed, and is refused where a type has a Date",
        arguments: transports
    )
    func fromScripts(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try makeBridge(transport, logsTo: log)
        let values = Recorder<Value>()
        try bridge.registerHandler("raw") { (value: Value) in
            values.add(value)
            // This ended the process before: Foundation's description of any date in it.
            if case .array(let dates) = value {
                for case .date(let date) in dates { _ = "\(date) \(date.hashValue)" }
            }
            return "\(value)"
        }
        try bridge.registerHandler("typed") { (trip: Trip) in "\(trip.start)" }
        try bridge.registerHandler("many") { (dates: [Date]) in dates.count }
        try bridge.registerHandler("one") { (date: Date) in "\(date)" }
        let errors = try await bridge.callHandler(
            "run",
            returning: Value.self,
            loading: """
                bridge.registerHandler("run", async () => {
                    const bad = new Date(NaN);
                    console.log(bad, [bad], { bad });
                    const text = async (name, data) => {
                        try { return await bridge.callHandler(name, data); } catch (error) { return error.code + " " + error.message; }
                    };
                    return [
                        await text("raw", [bad, new Date(8.64e15), new Date(-8.64e15)]), await text("typed", { name: "x", start: bad }),
                        await text("many", [new Date(0), bad]), await text("one", bad), await text("one", new Date(8.64e15)),
                        await text("one", "+300000-01-01T00:00:00Z"), await text("typed", { name: "x", start: 1e308 }),
                    ];
                });
                """
        )
        #expect(errors[0] == "[Invalid Date, +275760-09-13T00:00:00Z, -271821-04-20T00:00:00Z]")
        #expect(errors[1].stringValue?.hasPrefix("decodeFailed data.start: ") == true)
        #expect(errors[2].stringValue?.hasPrefix("decodeFailed data[1]: ") == true)
        #expect(errors[3].stringValue?.hasPrefix("decodeFailed data: ") == true)
        #expect(errors[4].stringValue?.hasPrefix("decodeFailed") == false)
        #expect(errors[5].stringValue?.hasPrefix("decodeFailed data: ") == true)
        #expect(errors[6].stringValue?.hasPrefix("decodeFailed data.start: ") == true)
        #expect(values.elements.first?[0] == .invalidDate)
        #expect(log.elements.contains("log: Invalid Date [ Invalid Date ] { bad: Invalid Date }"))
    }

    @Test(
        "R8 a date outside the range of JavaScript arrives in a script as an invalid one",
        arguments: transports
    )
    func fromSwift(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try makeBridge(transport)
        let seconds = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e308, 9e12]
        let dates = seconds.map { Value.date(Date(timeIntervalSince1970: $0)) }
        let times = try await bridge.callHandler(
            "times",
            with: Value.array(dates),
            returning: Value.self,
            loading: """
                bridge.registerHandler("times", dates => dates.map(date => date === null ? null : date.getTime()).map(String));
                """
        )
        for time in times.arrayValue ?? [] { #expect(time == "NaN" || time == "null") }
        let back = try await bridge.callHandler(
            "echo",
            with: Value.array(dates),
            returning: Value.self,
            loading: #"bridge.registerHandler("echo", dates => dates);"#
        )
        for date in back.arrayValue ?? [] { #expect(date == .invalidDate || date == .null) }
    }

    @Test(
        "in the direct transport, a call without a handler warns in the host's log, not on the script's console"
    )
    func misspelt() async throws {
        let lines = Recorder<String>()
        let logged = Recorder<BridgeLogLine>()
        var configuration = BridgeConfiguration.patient
        configuration.consoleSink = { lines.add($0.text) }
        configuration.logSink = { logged.add($0) }
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text("bridge.registerHandler('total', () => 1)", name: "t.js"))
        await #expect(throws: BridgeError.self) { try await bridge.callHandler("totl", returning: Int.self) }
        try bridge.notify("totl")
        #expect(try await bridge.callHandler("total", returning: Int.self) == 1)
        #expect(lines.elements.isEmpty)
        let warnings = logged.elements.filter { $0.level == .warning }.map(\.text)
        #expect(warnings.count == 2)
        #expect(warnings.allSatisfy { $0 == #"the script has no handler "totl". Did you mean "total"?"# })
    }

    @Test("R20 a call that was stopped at its limit reports the location in the script")
    func stopped() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.processorTime = .milliseconds(50)
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text(
                "function spin() {\n for (;;) {} }\nbridge.registerHandler('spin', () => spin());",
                name: "spin.js"
            )
        )
        let error = await #expect(throws: BridgeError.self) { try await bridge.callHandler("spin") }
        #expect(error?.code == .terminated)
        let frame = error?.frames.first
        #expect(frame?.function == "spin" && frame?.sourceURL == "spin.js" && frame?.line == 1)
    }
}

extension Bridge {
    /// Loads a script and calls a handler of it.
    fileprivate func callHandler<Result: Decodable & Sendable>(
        _ name: String,
        with data: Value = .null,
        returning type: Result.Type,
        loading script: String
    ) async throws -> Result {
        try await load(.text(script, name: "dates.js"))
        return try await callHandler(name, with: data, returning: type)
    }
}
