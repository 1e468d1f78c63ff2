import BridgeJSON
import BridgeValues
import Foundation
import Testing

/// Invalid texts, with one mistake each.
@Suite("JSON: refusals") struct JSONRefusalTests {
    private func date(_ text: String) -> Date? {
        try? JSONTextDecoder().decode(Date.self, from: "\"\(text)\"")
    }

    @Test(
        "A date with a part that is not a number is invalid",
        arguments: [
            "202x-01-02T03:04:05.006Z", "2024-0x-02T03:04:05.006Z", "2024-01-x2T03:04:05.006Z",
            "2024-01-02Tx3:04:05.006Z", "2024-01-02T03:0x:05.006Z", "2024-01-02T03:04:x5.006Z",
            "2024-01-02T03:04:05.0x6Z", "2024/01-02T03:04:05.006Z", "2024-01/02T03:04:05.006Z",
            "2024-01-02 03-04:05.006Z", "2024-01-02T03:04-05.006Z", "2024-13-02T03:04:05.006Z",

            "2024-01-02T03:04:05.006X", "2024-01-02T03:04:05.0061234567Z", "2024-01-02T03:04:05.Z",
            "2024-01-02T03:04:05Z; drop", "2024-01-02T03:04:05.006Z ", " 2024-01-02T03:04:05Z",
            "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-04-31T00:00:00Z", "2024-00-01T00:00:00Z",
            "2024-01-00T00:00:00Z", "2024-01-02T25:00:00Z", "2024-01-02T24:00:01Z", "2024-01-02T24:00:00.5Z",
            "2024-01-02T03:60:05Z", "2024-01-02T03:04:60Z", "2024-01-02T03:59:61Z", "2024-1-2T3:4:5Z",
            "2024-01-02T03:04:05", "2024-01-02T03:04Z", "2024-01-02", "12024-01-02T03:04:05Z",
            "2024-01-02T03:04:05+24:00", "2024-01-02T03:04:05+01:60", "2024-01-02T03:04:05+1:00",
            "2024-01-02T03:04:05+01:00:30", "2024-01-02T03:04:05+01:", "2024-01-02T03:04:05GMT",
            "-000000-01-02T03:04:05Z", "-000000-01-02T03:04:05.006Z", "+2024-01-02T03:04:05Z", "",
            "+00202x-01-02T03:04:05.006Z", "*002024-01-02T03:04:05.006Z",
        ]
    )
    func dates(text: String) {
        #expect(date(text) == nil, "\(text)")
        #expect(throws: BridgeError.self) { try ValueDecoder().decode(Date.self, from: .string(text)) }
    }

    @Test(
        "A date of ISO 8601 is parsed in each of its forms, by both decoders",
        arguments: [
            ("2024-01-02T03:04:05Z", 1_704_164_645), ("2024-01-02T03:04:05z", 1_704_164_645),
            ("2024-01-02T04:04:05+01:00", 1_704_164_645), ("2024-01-02T04:04:05+0100", 1_704_164_645),
            ("2024-01-02T04:04:05+01", 1_704_164_645), ("2024-01-01T21:34:05-05:30", 1_704_164_645),
            ("2024-01-02T03:04:05-00:00", 1_704_164_645), ("2024-01-02T03:04:05.5Z", 1_704_164_645.5),
            ("2024-01-02T03:04:05.006Z", 1_704_164_645.006),
            ("2024-01-02T04:04:05.006+01:00", 1_704_164_645.006),
            ("2024-01-02T03:04:05.123456Z", 1_704_164_645.123456),
            ("2024-01-02T03:04:05.123456789Z", 1_704_164_645.123456789),
            ("2024-01-01T24:00:00Z", 1_704_153_600), ("2024-01-01T24:00:00.000Z", 1_704_153_600),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("2016-12-31T15:59:60-08:00", 1_483_228_800),
            ("2024-02-29T00:00:00Z", 1_709_164_800), ("+002024-02-29T00:00:00Z", 1_709_164_800),
            // The proleptic Gregorian calendar applies to all years, as in scripts.
            ("1500-01-01T00:00:00Z", -14_831_769_600), ("1500-01-01T00:00:00.000Z", -14_831_769_600),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("-000001-01-01T00:00:00Z", -62_198_755_200),
        ] as [(String, Double)]
    )
    func dateForms(text: String, seconds: Double) throws {
        let expected = Date(timeIntervalSince1970: seconds)
        #expect(date(text) == expected)
        #expect(try ValueDecoder().decode(Date.self, from: .string(text)) == expected)
    }

    @Test("Dates at the ends of the range are parsed to the millisecond")
    func ends() {
        #expect(date("2024-02-29T23:59:59.999Z")?.timeIntervalSince1970 == 1_709_251_199.999)
        #expect(date("1969-12-31T23:59:59.999Z") == Date(timeIntervalSince1970: -0.001))
        #expect(date("+275760-09-13T00:00:00.000Z")?.timeIntervalSince1970 == 8_640_000_000_000)
        #expect(date("-271821-04-20T00:00:00.000Z")?.timeIntervalSince1970 == -8_640_000_000_000)
    }

    @Test("A decoder has the settings that were assigned")
    func settings() throws {
        var decoder = JSONTextDecoder()
        #expect(decoder.dateStrategy == .iso8601 && decoder.illFormedText == .replace)
        decoder.dateStrategy = .millisecondsSince1970
        #expect(try decoder.decode(Date.self, from: "1500") == Date(timeIntervalSince1970: 1.5))
        #expect(throws: BridgeError.self) { try JSONTextDecoder().decode(Date.self, from: "1500") }
        #expect(try decoder.decode(String.self, from: #""a\ud800""#) == "a\u{FFFD}")
        decoder.illFormedText = .fail
        #expect(throws: BridgeError.self) { try decoder.decode(String.self, from: #""a\ud800""#) }
        #expect(decoder.illFormedText == .fail && decoder.dateStrategy == .millisecondsSince1970)
    }

    @Test("A type that decodes a missing super member finds null", arguments: ["{}", #"{"a":null}"#])
    func absent(text: String) throws {
        struct Reader: Decodable {
            enum Key: String, CodingKey { case a, b }
            let isNil: Bool
            let hasSuper: Bool
            init(from decoder: any Decoder) throws {
                let object = try decoder.container(keyedBy: Key.self)
                isNil = try object.contains(.a) ? object.decodeNil(forKey: .a) : true
                hasSuper = (try? object.superDecoder().singleValueContainer().decodeNil()) ?? true
                #expect(decoder.userInfo.isEmpty)
            }
        }
        let value = try JSONTextDecoder().decode(Value.self, from: text)
        #expect(try ValueDecoder().decode(Reader.self, from: value).isNil)
        #expect(try JSONTextDecoder().decode(Reader.self, from: text).isNil)
        #expect(try ValueDecoder().decode(Reader.self, from: value).hasSuper)
    }

    @Test("Values that are not decimal numbers or bytes are refused with the expected type")
    func values() throws {
        #expect(try ValueDecoder().decode(Decimal.self, from: 12) == 12)
        #expect(try ValueDecoder().decode(Decimal.self, from: .double(0.5)) == Decimal(string: "0.5"))
        for wrong: Value in [true, .double(.nan), "x", [], .undefined] {
            let error = #expect(throws: BridgeError.self) {
                try ValueDecoder().decode(Decimal.self, from: wrong)
            }
            #expect(error?.code == .decodeFailed && error?.message.contains("decimal") == true)
        }
        for wrong: Value in [true, "AQID", [1, 2]] {
            let error = #expect(throws: BridgeError.self) {
                try ValueDecoder().decode(Data.self, from: wrong)
            }
            #expect(error?.message.contains("bytes") == true)
        }
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
                #expect(try list.decodeNil())
                #expect(try !list.decodeNil())
                _ = try list.decode(Int.self)
            }
        }
        _ = try ValueDecoder().decode(Pair.self, from: [1, .null, 3])
    }
}
