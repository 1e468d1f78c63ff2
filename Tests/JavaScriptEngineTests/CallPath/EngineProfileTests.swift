internal import CJavaScriptCoreSPI
import Foundation
import TestSupport
import Testing

@testable import JavaScriptEngine

/// The known profiles of the engine's versions, compared with the loaded one.
@Suite struct EngineProfileTests {
    private typealias Layout = EngineProfile.Layout

    /// Setters for every number of a layout, by its name.
    private static let fields: [String: @Sendable (inout EngineProfile.Layout, Int) -> Void] = [
        "numbers.doubleOffset": { $0.numbers.doubleOffset &+= UInt64(bitPattern: Int64($1)) },
        "numbers.integerTag": { $0.numbers.integerTag &+= UInt64(bitPattern: Int64($1)) },
        "numbers.undefined": { $0.numbers.undefined &+= UInt64(bitPattern: Int64($1)) },
        "numbers.null": { $0.numbers.null &+= UInt64(bitPattern: Int64($1)) },
        "numbers.false": { $0.numbers.false &+= UInt64(bitPattern: Int64($1)) },
        "numbers.true": { $0.numbers.true &+= UInt64(bitPattern: Int64($1)) },
        "typeByte": { $0.typeByte += $1 },
        "stringType": { $0.stringType += $1 },
        "string.word": { $0.string.word += $1 },
        "string.ropeBit": { $0.string.ropeBit += $1 },
        "string.length": { $0.string.length += $1 },
        "string.characters": { $0.string.characters += $1 },
        "string.flags": { $0.string.flags += $1 },
        "string.narrowBit": { $0.string.narrowBit += $1 },
        "privateData": { $0.privateData += $1 },
        "frame.callee": { $0.frame.callee += $1 },
        "frame.count": { $0.frame.count += $1 },
        "frame.firstArgument": { $0.frame.firstArgument += $1 },
    ]

    private static func listedProfile() throws -> EngineProfile {
        let branch = EngineProfile.branch(of: Capabilities.current.engineVersion)
        return try #require(EngineProfile.listed.first { $0.branch == branch })
    }

    @Test(
        "VE5 a layout is refused without a crash if a field is off by one, or by a word",
        .enabled(if: CallPath.current.isFast),
        arguments: fields.keys.sorted()
    )
    func changedField(name: String) async {
        await #expect(processExitsWith: .success) { [name] in
            let layout = try #require(try Self.listedProfile().layout)
            let change = try #require(Self.fields[name])
            #expect(FastPath.fault(of: layout) == nil)
            for difference in [1, -1, 8, -8, 255, 1 << 40] {
                var changed = layout
                change(&changed, difference)
                #expect(FastPath.fault(of: changed) != nil, "\(name) \(difference)")
            }
        }
    }

    @Test("VE5 the test covers every field of a layout")
    func namesAll() throws {
        let layout = try #require(EngineProfile.listed.last?.layout)
        let text = String(decoding: try JSONEncoder().encode(layout), as: UTF8.self)
        let numbers = text.split(separator: ":").count { $0.first?.isNumber == true }
        #expect(numbers == Self.fields.count)
    }

    @Test(
        "VE13 the listed profile equals the one that the probe derives",
        .enabled(if: CallPath.current.isFast)
    )
    func derived() throws {
        let report = try EngineReport.derive()
        #expect(report.derived == (try Self.listedProfile()))
        #expect(report.isAsListed == true)
    }

    @Test("VE5 bits that are not a promise's state are refused", .enabled(if: CallPath.current.isFast))
    func promiseBits() throws {
        let promise = try #require(try Self.listedProfile().promise)
        try EngineReport.withProbe { probe in
            #expect(probe.accepts(promise: promise))
            #expect(probe.promise() == promise)
            for (word, shift) in [(0, 0), (1, 0), (3, 0), (4, 0), (2, 64), (-1, 2), (2, promise.shift + 1)] {
                #expect(!probe.accepts(promise: EngineProfile.BitField(word: word, shift: shift)))
            }
        }
    }

    @Test("VE5 a word that is not a promise's result is refused", .enabled(if: CallPath.current.isFast))
    func promiseResult() throws {
        let word = try #require(try Self.listedProfile().promiseResult)
        try EngineReport.withProbe { probe in
            #expect(probe.accepts(promiseResult: word))
            #expect(probe.promiseResult() == word)
            for other in [-1, 0, 1, 2, 4, 64] { #expect(!probe.accepts(promiseResult: other)) }
        }
    }

    @Test("VE6 the state of a promise is the current one, inside a turn", .needs(.promiseStatus))
    func promiseStates() throws {
        let context = try JSContext()
        try context.withTurn {
            let scripts: [(String, JSPromise.State)] = [
                ("new Promise(() => {})", .pending), ("Promise.resolve(5)", .fulfilled),
                ("Promise.reject(1)", .rejected), ("(async () => { await 1 })()", .pending),
                ("(async () => {})()", .fulfilled), ("(async () => { throw 1 })()", .rejected),
                ("Promise.all([new Promise(() => {})])", .pending), ("new Promise(r => r({}))", .fulfilled),
                ("new Promise((_, reject) => reject(1))", .rejected),
            ]
            for (script, state) in scripts {
                let promise = try JSPromise(context.evaluate(script))
                #expect(promise.state == state, "\(script)")
                try promise.catch { _ in nil }
                #expect(promise.state == state, "\(script), with a reaction")
            }
            let (promise, resolvers) = try JSPromise.withResolvers(in: context)
            #expect(promise.state == .pending)
            try resolvers.reject(with: CancellationError())
            #expect(promise.state == .rejected)
            try promise.catch { _ in nil }
        }
    }

    // MARK: - Names

    /// Returns the names that a branch of the engine adds to those of the preceding branch.
    private static func names(of branch: String) throws -> Set<String> {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Fixtures/Globals"
        )
        let text = try String(contentsOf: folder.appending(path: "\(branch).txt"), encoding: .utf8)
        return Set(text.split(separator: "\n").map(String.init))
    }

    @Test("VE11 the engine gives scripts the names that are listed for its version, and no others")
    func globals() throws {
        let script = """
            (() => {
                const seen = new Set();
                const names = [];
                const walk = (path, object) => {
                    if (seen.has(object)) return;
                    seen.add(object);
                    for (const key of Reflect.ownKeys(object)) {
                        const name = typeof key === "symbol" ? "[" + key.description + "]" : key;
                        const { value } = Reflect.getOwnPropertyDescriptor(object, key);
                        if (typeof object === "function" && (name === "name" || name === "length")) continue;
                        const holdsMore = (typeof value === "object" || typeof value === "function") && value !== null;
                        if (name !== "constructor" && name !== "prototype") names.push(path + name);
                        if (holdsMore) walk(path + name + ".", value);
                    }
                };
                walk("", globalThis);
                return names.sort().join("\\n");
            })()
            """
        let branch = try Self.listedProfile().branch
        let last = try #require(EngineProfile.listed.firstIndex { $0.branch == branch })
        let listed = try EngineProfile.listed[...last].reduce(into: Set<String>()) { names, profile in
            names.formUnion(try Self.names(of: profile.branch))
        }
        // A context without the package's additions, which are listed in JavaScriptBridge.docc/Globals.md.
        _ = Capabilities.current
        let context = try #require(JSGlobalContextCreate(nil))
        defer { JSGlobalContextRelease(context) }
        let value = EngineString.with(script) { JSEvaluateScript(context, $0, nil, nil, 1, nil) }
        let copy = try #require(JSValueToStringCopy(context, value, nil))
        defer { JSStringRelease(copy) }
        let text = try #require(EngineString.withUnits(of: copy, EngineString.narrow))
        let found = Set(text.split(separator: "\n").map(String.init))
        #expect(found.subtracting(listed).sorted() == [])
        #expect(listed.subtracting(found).sorted() == [])
    }
}
