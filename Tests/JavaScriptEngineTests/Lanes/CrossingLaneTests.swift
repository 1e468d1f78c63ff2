import Testing

@testable import JavaScriptEngine

@Suite struct CrossingLaneTests {
    struct Choice: Sendable, CustomTestStringConvertible {
        let setting: String?
        let version: String
        let hasSymbol: Bool
        let fault: String?
        let isFast: Bool
        let reason: String

        var testDescription: String { reason }
    }

    static let choices = [
        Choice(
            setting: nil,
            version: "2.50.6",
            hasSymbol: true,
            fault: nil,
            isFast: true,
            reason: "has been tested"
        ),
        Choice(
            setting: "auto",
            version: "2.50.6",
            hasSymbol: true,
            fault: nil,
            isFast: true,
            reason: "has been"
        ),
        Choice(setting: "off", version: "2.50.6", hasSymbol: true, fault: nil, isFast: false, reason: "=off"),
        Choice(setting: nil, version: "2.52.0", hasSymbol: true, fault: nil, isFast: false, reason: "2.52.0"),
        Choice(setting: "on", version: "2.52.0", hasSymbol: true, fault: nil, isFast: true, reason: "=on"),
        Choice(
            setting: nil,
            version: "2.50.6",
            hasSymbol: false,
            fault: nil,
            isFast: false,
            reason: "export"
        ),
        Choice(
            setting: "on",
            version: "2.50.6",
            hasSymbol: false,
            fault: nil,
            isFast: false,
            reason: "export"
        ),
        Choice(
            setting: nil,
            version: "2.50.6",
            hasSymbol: true,
            fault: "boxes",
            isFast: false,
            reason: "boxes"
        ),
        Choice(
            setting: "on",
            version: "2.50.6",
            hasSymbol: true,
            fault: "boxes",
            isFast: false,
            reason: "boxes"
        ),
        Choice(
            setting: "yes",
            version: "2.50.6",
            hasSymbol: true,
            fault: nil,
            isFast: false,
            reason: "yes is none"
        ),
    ]

    @Test(
        "the fast lane serves only where setting, version, symbol and self-test allow it",
        arguments: choices
    )
    func choosing(choice: Choice) {
        let lane = CrossingLane.choose(
            setting: choice.setting,
            version: choice.version,
            hasSymbol: choice.hasSymbol,
            selfTest: { choice.fault }
        )
        #expect(lane.isFast == choice.isFast)
        #expect(lane.reason.contains(choice.reason), "\(lane.reason)")
    }

    @Test("the self-test is not run where the lane could not serve anyway")
    func testIsAskedLast() {
        _ = CrossingLane.choose(setting: "off", version: "2.50.6", hasSymbol: true) {
            Issue.record("it was run")
            return nil
        }
        _ = CrossingLane.choose(setting: nil, version: "9.9.9", hasSymbol: true) {
            Issue.record("it was run")
            return nil
        }
    }

    @Test("the engine that is loaded is as the fast lane assumes, wherever the lane serves")
    func selfTest() {
        guard CrossingLane.current.isFast else { return }
        #expect(FastLane.selfTest() == nil)
    }

    @Test("numbers are encoded as they are read, to the bit, and NaN as the engine's own")
    func numbers() {
        var numbers: [Double] = [0, -0.0, 1, -1, 0.1, 2_147_483_647, -2_147_483_648, 4_294_967_296]
        numbers += [
            2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, .infinity, -.infinity,
            .leastNonzeroMagnitude,
        ]
        for number in numbers {
            #expect(EncodedValue(number: number).number?.bitPattern == number.bitPattern)
            #expect(EncodedValue(number: number).wholeNumber == Int(exactly: number))
            #expect(EncodedValue(number: number).bool == nil)
            #expect(!EncodedValue(number: number).isNil && !EncodedValue(number: number).isCell)
        }
        let nan = EncodedValue(number: Double(nan: 0x123, signaling: false))
        #expect(nan == EncodedValue(number: .nan))
        #expect(nan.number?.isNaN == true && nan.wholeNumber == nil)
        #expect(EncodedValue(number: 7).smallInteger == 7 && EncodedValue(number: -0.0).smallInteger == nil)
        #expect(EncodedValue(number: 9_007_199_254_740_992).wholeNumber == nil)
    }

    @Test("constants are told apart from numbers and from each other")
    func constants() {
        let constants: [EncodedValue] = [.undefined, .null, .true, .false]
        #expect(Set(constants).count == 4)
        #expect(constants.map(\.isNil) == [true, true, false, false])
        #expect(constants.map(\.bool) == [nil, nil, true, false])
        #expect(constants.allSatisfy { $0.number == nil && !$0.isCell })
    }
}
