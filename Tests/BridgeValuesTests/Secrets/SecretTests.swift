import BridgeJSON
import Foundation
import Testing

@testable import BridgeValues

@Suite struct SecretTests {
    struct Login: Codable, Equatable {
        enum Kind: String, Codable { case plain }
        struct Key: Codable, Equatable { var pin: Secret<Int>? }
        var user: String
        var passphrase38: Secret<String>
        var keys: [Key]
        var kind: Kind?
    }

    private let login = Login(
        user: "u",
        passphrase38: Secret("canary"),
        keys: [Login.Key(pin: Secret(4711))],
        kind: .plain
    )

    @Test("R38 a secret is in no description, dump, mirror or interpolation of its container")
    func descriptions() {
        var dumped = ""
        dump(login, to: &dumped)
        for text in ["\(login)", String(reflecting: login), dumped, "\(login.passphrase38)"] {
            #expect(!text.contains("canary") && !text.contains("4711"), "\(text)")
        }
        #expect("\(login.passphrase38)" == "[secret]")
    }

    @Test("R38 a secret crosses as its value")
    func crossing() throws {
        let value = try ValueEncoder().encode(login)
        #expect(value["passphrase38"] == "canary")
        #expect(try ValueDecoder().decode(Login.self, from: value) == login)
        #expect(try JSONDecoder().decode(Login.self, from: JSONEncoder().encode(login)) == login)
    }

    @Test("R38 an error about a secret has its path, and no part of it")
    func errors() throws {
        let value: Value = ["user": "u", "passphrase38": ["canary": 1], "keys": []]
        let error = #expect(throws: BridgeError.self) {
            _ = try ValueDecoder().decode(Login.self, from: value)
        }
        #expect(error?.message.contains("passphrase38") == true)
        #expect(error?.message.contains("canary") == false)
        let other: Value = ["user": "u", "passphrase38": "p", "keys": [["pin": "canary"]]]
        let second = #expect(throws: BridgeError.self) {
            _ = try ValueDecoder().decode(Login.self, from: other)
        }
        #expect(second.map { "\($0)" }?.contains("canary") == false)
        #expect(second?.message.contains("keys[0].pin") == true)
    }

    @Test("R38 secrets of a type are known before there is a value of it, and are replaced in every payload")
    func learning() {
        struct Order: Codable {
            struct Card: Codable { var number38: Secret<String> }
            var item: String
            var count: Int
            var cards: [Card]
            var code38: Secret<Int>?
            var parent: [Order]?
        }
        let members = SecretMembers.shared
        members.learn(Order.self)
        let payload: Value = [
            "item": "tea", "code38": 1, "cards": [["number38": "4000"]], "deep": [["code38": ["a": 1]]],
        ]
        #expect(
            members.redacted(payload)
                == [
                    "item": "tea", "code38": "[secret]", "cards": [["number38": "[secret]"]],
                    "deep": [["code38": "[secret]"]],
                ]
        )
        #expect(members.redacted(nil) == nil)
    }

    @Test("R38 secrets are replaced inside strings that are JSON, at any depth; other strings are unchanged")
    func texts() {
        struct Account: Codable { var token38: Secret<String> }
        let members = SecretMembers.shared
        members.learn(Account.self)
        func shown(_ text: String) -> Value? { members.redacted(["text": .string(text)])?["text"] }
        #expect(shown(#"{"token38":"canary","a":1}"#) == #"{"token38":"[secret]","a":1}"#)
        #expect(shown(#" [{"token\u00338":"canary"}]"#) == #"[{"token38":"[secret]"}]"#)
        #expect(shown(#"{"data":"{\"token38\":\"canary\"}"}"#) == #"{"data":"{\"token38\":\"[secret]\"}"}"#)
        #expect(shown(#"{"token38":"canary"#) == "[secret]")
        for text in ["", "{", "[ 1,  2 ]", #"{ "a" : 1e3 }"#, "token38", "[note] that is none"] {
            #expect(shown(text) == .string(text))
        }
    }

    @Test(
        "R38 the secrets of a type are found without a value: generics, classes, enumerations, recursive types"
    )
    func shapes() throws {
        struct Box<Inner: Codable>: Codable {
            var inner: Inner
            var boxes: [Box<Inner>]?
        }
        enum Choice<Inner: Codable>: Codable {
            case none
            case some(Inner)
            case pair(Inner, other: Int)
        }
        struct Open: Codable {
            var any: any Codable & Sendable
            init(from decoder: any Decoder) throws { any = try Int(from: decoder) }
            func encode(to encoder: any Encoder) throws {}
        }
        class Base { var inherited: Secret<String>? }
        final class Derived: Base { var own = 0 }
        indirect enum Expression: Codable {
            case number(Int)
            case sum(Expression, Expression)
            case text(String)
        }
        let members = SecretMembers.shared
        for type in [
            Secret<Int>.self, [Secret<Int>].self, Box<Secret<Int>>.self, Box<[String: Secret<Int>]?>.self,
            Choice<Secret<Int>>.self, Box<Choice<Secret<Int>>>.self, Derived.self, Derived?.self, Open.self,
            Login.self, [Int: Login].self, Box<Open>.self,
        ] as [Any.Type] {
            #expect(members.learn(type) != nil, "\(type)")
        }
        for type in [
            Int.self, String.self, [String: Date].self, URL.self, Data?.self, Box<Int>.self, Choice<Int>.self,
            Choice<[Box<String>]>.self, Expression.self, ClosedRange<Date>.self, Set<UUID>.self, Value.self,
            Box<Choice<Expression>>.self, TimeZone.self, Decimal.self, [[Int: [Box<Double>]]].self,
        ] as [Any.Type] {
            #expect(members.learn(type) == nil, "\(type)")
        }
    }

    @Test("R38 a payload is as declared if it has the properties of its type and no other members")
    func declared() throws {
        let shape = try #require(SecretMembers.shared.learn(Login.self))
        #expect(shape.isAsDeclared(["user": "u", "passphrase38": "p", "keys": []]))
        #expect(
            shape.isAsDeclared(["user": "u", "passphrase38": "p", "keys": [["pin": 1], [:]], "kind": .null])
        )
        for other: Value in [
            "p", ["user": "u", "keys": []], ["user": "u", "passphrase38": "p", "keys": [["PIN": 1]]],
            ["user": "u", "passphrase38": "p", "keys": [], "more": 1], ["user": "u", "pw": "p", "keys": []],
        ] {
            #expect(!shape.isAsDeclared(other), "\(other)")
        }
    }
}
