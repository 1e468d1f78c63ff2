import Foundation
import Testing

@testable import JavaScriptEngine

@Suite struct CallPathTests {
    struct Choice: Sendable, CustomTestStringConvertible {
        let setting: String?
        let version: String
        var hasSymbol = true
        var fault: String?
        let isFast: Bool
        let reason: String

        var testDescription: String { "\(setting ?? "no setting"), \(version): \(reason)" }
    }

    static let choices = [
        Choice(setting: nil, version: "2.50.6", isFast: true, reason: "branch 2.50 has been tested"),
        Choice(setting: nil, version: "2.50.9", isFast: true, reason: "branch 2.50 has been tested"),
        Choice(setting: "auto", version: "2.52.6", isFast: true, reason: "branch 2.52 has been tested"),
        Choice(setting: "", version: "2.54.0", isFast: true, reason: "branch 2.54 has been tested"),
        Choice(setting: "off", version: "2.50.6", isFast: false, reason: "=off"),
        Choice(setting: nil, version: "2.56.0", isFast: false, reason: "version 2.56.0"),
        Choice(setting: nil, version: "2.5.0", isFast: false, reason: "version 2.5.0"),
        Choice(setting: nil, version: "2.500.6", isFast: false, reason: "version 2.500.6"),
        Choice(setting: "on", version: "2.56.0", isFast: true, reason: "=on"),
        Choice(setting: nil, version: "2.50.6", hasSymbol: false, isFast: false, reason: "export"),
        Choice(setting: "on", version: "2.50.6", hasSymbol: false, isFast: false, reason: "export"),
        Choice(setting: nil, version: "2.50.6", fault: "boxes", isFast: false, reason: "boxes"),
        Choice(setting: "on", version: "2.56.0", fault: "boxes", isFast: false, reason: "boxes"),
        Choice(setting: "yes", version: "2.50.6", isFast: false, reason: "yes is not on, off or auto"),
    ]

    private static func profile(for version: String, setting: String?) -> EngineProfile.Choice {
        EngineProfile.choose(version: version, buildID: "1f", written: nil, takesNewest: setting == "on")
    }

    @Test(
        "VE4 the fast path is used only if setting, branch, symbol and self-test allow it",
        arguments: choices
    )
    func choosing(choice: Choice) {
        let callPath = CallPath.choose(
            setting: choice.setting,
            choice: Self.profile(for: choice.version, setting: choice.setting),
            hasSymbol: choice.hasSymbol,
            selfTest: { _ in choice.fault }
        )
        #expect(callPath.isFast == choice.isFast)
        #expect(callPath.reason.contains(choice.reason), "\(callPath.reason)")
    }

    @Test("the self-test is not run if the fast path is excluded anyway")
    func testIsAskedLast() {
        for (setting, version) in [("off", "2.50.6"), (nil, "9.9.9")] as [(String?, String)] {
            _ = CallPath.choose(
                setting: setting,
                choice: Self.profile(for: version, setting: setting),
                hasSymbol: true
            ) { _ in
                Issue.record("it was run")
                return nil
            }
        }
    }

    @Test("VE13 a profile from a file is used for its build only, and never instead of a listed branch")
    func writtenProfile() throws {
        var profile = try #require(EngineProfile.listed.last)
        profile.branch = "2.56"
        let written = SavedEngineProfile(version: "2.56.1", buildID: "ab12", profile: profile)
        func choose(_ version: String, _ buildID: String?) -> EngineProfile? {
            EngineProfile.choose(version: version, buildID: buildID, written: written, takesNewest: false)
                .profile
        }
        #expect(choose("2.56.1", "ab12") == profile)
        #expect(choose("2.56.1", "ab13") == nil && choose("2.56.2", nil) == nil)
        #expect(choose("2.52.6", "ab12")?.branch == "2.52")
        let file = try JSONDecoder().decode(SavedEngineProfile.self, from: Data(try written.text.utf8))
        #expect(file == written)
    }

    @Test("the loaded engine satisfies the assumptions of the fast path, if the fast path is used")
    func selfTest() throws {
        guard CallPath.current.isFast else { return }
        let branch = EngineProfile.branch(of: Capabilities.current.engineVersion)
        let layout = try #require(EngineProfile.listed.first { $0.branch == branch }?.layout)
        #expect(FastPath.fault(of: layout) == nil)
    }

    @Test("numbers are encoded and decoded to the bit, and NaN as the engine's own")
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

    @Test("constants are distinguished from numbers and from each other")
    func constants() {
        let constants: [EncodedValue] = [.undefined, .null, .true, .false]
        #expect(Set(constants).count == 4)
        #expect(constants.map(\.isNil) == [true, true, false, false])
        #expect(constants.map(\.bool) == [nil, nil, true, false])
        #expect(constants.allSatisfy { $0.number == nil && !$0.isCell })
    }
}
