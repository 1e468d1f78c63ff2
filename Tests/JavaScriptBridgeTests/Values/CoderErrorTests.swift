import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// The errors that types throw about values, in both transports and in all directions.
@Suite(.noLeaks) struct CoderErrorTests {
    struct Person: Codable {
        var age: Int

        func encode(to encoder: any Encoder) throws {
            guard age >= 0 else {
                let path = encoder.codingPath + [CodingKeys.age]
                let context = EncodingError.Context(codingPath: path, debugDescription: "it must be positive")
                throw EncodingError.invalidValue(age, context)
            }
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(age, forKey: .age)
        }
    }

    struct Family: Codable { var list: [Person] }

    private func makeBridge(_ transport: BridgeConfiguration.Transport) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("echo", v => v);
                bridge.registerHandler("call", async ({ name, data }) => {
                    try { return await bridge.callHandler(name, data); }
                    catch (error) { return error.code + " " + error.message; }
                });
                bridge.registerHandler("kind", v => typeof v.a + " " + v.a);
                """,
                name: "echo.js"
            )
        )
        return bridge
    }

    @Test(
        "P70 an error of an encoder is encodeFailed, and has the key path and the type's message",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func encoding(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let family = Family(list: [Person(age: 1), Person(age: -1)])
        for turn in 0..<3 {
            let error = await #expect(throws: BridgeError.self) {
                try await bridge.callHandler("echo", with: family, returning: Value.self)
            }
            #expect(error?.code == .encodeFailed, "\(turn)")
            #expect(error?.message == "data.list[1].age: it must be positive", "\(turn)")
            let silent = await #expect(throws: BridgeError.self) {
                try await bridge.callHandler("echo", with: family)
            }
            #expect(silent?.code == .encodeFailed)
            #expect(silent?.message == "data.list[1].age: it must be positive", "\(turn)")
        }
        try bridge.registerHandler("now") { (_: Int) in family }
        try bridge.registerHandler("later") { (_: Int) async in family }
        for name in ["now", "later", "now"] {
            let seen: String = try await bridge.callHandler(
                "call",
                with: ["name": .string(name), "data": 1] as Value
            )
            #expect(seen == "encodeFailed data.list[1].age: it must be positive", "\(name)")
        }
    }

    enum Level: Int, Codable { case low = 1 }
    enum Word: String, Codable { case one }

    @Test(
        "R39 no type name reaches a script that sends an unknown case of an enumeration",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func names(transport: BridgeConfiguration.Transport) async throws {
        struct Levels: Decodable { var level: Level }
        let bridge = try await makeBridge(transport)
        try bridge.registerHandler("level") { (_: Levels) in 1 }
        try bridge.registerHandler("levels") { (_: [Level]) in 1 }
        try bridge.registerHandler("word") { (_: Word) in 1 }
        try bridge.registerHandler("range") { (_: Range<Int>) in 1 }
        for (name, data, text) in [
            ("level", ["level": 7], "data.level: 7 is not one of the allowed values"),
            ("levels", [1, 5], "data[1]: 5 is not one of the allowed values"),
            ("word", "z", "data: z is not one of the allowed values"),
            ("range", [3, 1], "data: a range cannot have a lowerBound (3) greater than upperBound (1)"),
        ] as [(String, Value, String)] {
            let seen: String = try await bridge.callHandler(
                "call",
                with: ["name": .string(name), "data": data] as Value
            )
            #expect(seen == "decodeFailed " + text)
        }
    }

    struct Wide: Codable, Equatable, Sendable {
        var a: Int128
        var b: UInt128?
        var c: [Int128] = []
        var d: [String: UInt128] = [:]
    }

    @Test(
        "P68 128-bit integers cross exactly, the first time and later, as BigInt where numbers end",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func wide(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        try bridge.registerHandler("wide") { (wide: Wide) in wide }
        let values = [
            Wide(a: 5, b: nil), Wide(a: .max, b: .max, c: [.min, 0, 7], d: ["x": .max, "y": 1]),
            Wide(a: .min, b: 0, c: [-1]), Wide(a: 1 << 60, b: 1 << 100),
        ]
        for _ in 0..<3 {
            for value in values {
                #expect(try await bridge.callHandler("echo", with: value, returning: Wide.self) == value)
                #expect(
                    try await bridge.callHandler(
                        "call",
                        with: ["name": "wide", "data": try ValueEncoder().encode(value)] as Value,
                        returning: Wide.self
                    ) == value
                )
            }
        }
        #expect(try await bridge.callHandler("echo", with: Int128.min, returning: Int128.self) == .min)
        #expect(try await bridge.callHandler("kind", with: values[0]) == "number 5")
        #expect(try await bridge.callHandler("kind", with: values[1]) == "bigint \(Int128.max)")
        let small = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("echo", with: ["a": -1], returning: [String: UInt128].self)
        }
        #expect(small?.code == .decodeFailed)
    }

    indirect enum Tree: Codable, Sendable {
        case leaf(Int)
        case list([Tree])
        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Int.self) {
                self = .leaf(number)
            } else {
                self = .list(try value.decode([Tree].self))
            }
        }
        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .leaf(let number): try value.encode(number)
            case .list(let list): try value.encode(list)
            }
        }
    }

    @Test(
        "P67 a value that nests deeper than the limit is limitExceeded, however deep and however its type encodes it",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func depth(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        for (depth, isSent) in [(100, true), (513, false), (3_000, false), (10_000, false)] {
            var tree = Tree.leaf(1)
            for _ in 0..<depth { tree = .list([tree]) }
            let sent = tree
            do {
                try await bridge.callHandler("echo", with: sent)
                #expect(isSent, "\(depth)")
            } catch let error as BridgeError {
                #expect(error.code == .limitExceeded && !isSent, "\(depth)")
            }
            // Release it level by level: the compiler's own code does so recursively.
            while case .list(let list) = tree { tree = list[0] }
        }
    }
}
