import Foundation
import Testing

/// The matchers of `bridge:test`.
@Suite struct MatcherTests {
    /// Expectations that are met; each must fail with `not`, and each of the other list must fail without.
    private static let met = [
        "expect(NaN).toBe(NaN)", "expect('a').toBe('a')",
        "expect({ a: [1, { b: 2n }] }).toEqual({ a: [1, { b: 2n }] })",
        "expect({ a: undefined }).toEqual({})", "expect([new Date(1), /a/g]).toEqual([new Date(1), /a/g])",
        "expect(new Map([['a', { b: 1 }], [{ c: 1 }, 2]])).toEqual(new Map([[{ c: 1 }, 2], ['a', { b: 1 }]]))",
        "expect(new Set([1, [2]])).toEqual(new Set([[2], 1]))",
        "expect(new Set([{ a: 1 }, one])).toEqual(new Set([one, { a: 1 }]))",
        // In one order each member is compared once; all pairs would be 100 million.
        "expect(objects(10_000)).toEqual(objects(10_000))",
        "expect(new Error('a')).toEqual(new Error('a'))",
        "expect(new Uint8Array([1, 2])).toEqual(new Uint8Array([1, 2]))",
        "expect(new C(1)).toEqual({ x: 1 })",
        "expect(new C(1)).toStrictEqual(new C(1))", "expect({ [s]: 1 }).toEqual({ [s]: 1 })",
        "expect(cycle()).toEqual(cycle())",
        // 2^26 paths, 26 objects.
        "expect(shared(26, 1)).toEqual(shared(26, 1))",
        "expect(Object(1)).toEqual(Object(1))",
        "expect({ a: 1, b: { c: 2, d: 3 } }).toMatchObject({ b: { c: 2 } })",
        "expect([{ a: 1, b: 2 }]).toMatchObject([{ a: 1 }])", "expect(0).toBeDefined()",
        "expect(undefined).toBeUndefined()",
        "expect(null).toBeNull()", "expect(NaN).toBeNaN()", "expect('x').toBeTruthy()",
        "expect('').toBeFalsy()",
        "expect(new C(1)).toBeInstanceOf(C)", "expect(2).toBeGreaterThan(1)",
        "expect(2n).toBeGreaterThanOrEqual(2)",
        "expect(1).toBeLessThan(2n)", "expect(2).toBeLessThanOrEqual(2)",
        "expect(0.1 + 0.2).toBeCloseTo(0.3)",
        "expect(1.004).toBeCloseTo(1)", "expect(Infinity).toBeCloseTo(Infinity)",
        "expect('abc').toContain('b')",
        "expect([1, NaN]).toContain(NaN)", "expect(new Set(['a'])).toContain('a')",
        "expect([{ a: 1 }]).toContainEqual({ a: 1 })",
        "expect([1, 2]).toHaveLength(2)", "expect('abc').toMatch(/^a/)", "expect('abc').toMatch('bc')",
        "expect(() => { throw new RangeError('far'); }).toThrow()",
        "expect(() => { throw new RangeError('far'); }).toThrow(RangeError)",
        "expect(() => { throw new Error('far away'); }).toThrow('far')",
        "expect(() => { throw new Error('far'); }).toThrow(/^far$/)",
        "expect(() => { throw new Error('far'); }).toThrow(new Error('far'))",
        "expect(() => { throw 'text'; }).toThrow('ex')",
    ]

    private static let unmet = [
        "expect(shared(26, 1)).toEqual(shared(26, 2))",
        // A pair that is not equal in one place is not taken for equal in another one.
        "expect([new Set([one, two]), one]).toEqual([new Set([two, { a: 1 }]), two])",
        "expect(0).toBe(-0)", "expect({}).toBe({})", "expect([1, 2]).toEqual([1])",
        "expect([1]).toEqual({ 0: 1 })",
        "expect({ a: 1 }).toEqual({ a: 1, b: 2 })", "expect({ a: 1, b: 2 }).toEqual({ a: 1 })",
        "expect('1').toEqual(1)",
        "expect({ a: undefined }).toStrictEqual({})", "expect(new C(1)).toStrictEqual({ x: 1 })",
        "expect(new Set([{ a: 1 }, { a: 1 }])).toEqual(new Set([{ a: 1 }, { b: 2 }]))",
        "expect(new Map([[{ a: 1 }, 1], [{ a: 1 }, 1]])).toEqual(new Map([[{ a: 1 }, 1], [{ b: 1 }, 1]]))",
        "expect(new Map([[1, 2]])).toEqual(new Map([[1, 3]]))", "expect(new Set([1])).toEqual(new Set([2]))",
        "expect(new Date(1)).toEqual(new Date(2))", "expect(/a/g).toEqual(/a/i)",
        "expect(new Error('a')).toEqual(new Error('b'))",
        "expect(new Uint8Array([1])).toEqual(new Int8Array([1]))", "expect({ a: 1 }).toMatchObject({ b: 1 })",
        "expect([1, 2]).toMatchObject([1])", "expect(null).toEqual(undefined)", "expect(() => {}).toThrow()",
        "expect(() => { throw new Error('a'); }).toThrow(TypeError)", "expect(1.006).toBeCloseTo(1)",
        "expect(1).toBeGreaterThan(1)",
        "expect('a').toBeGreaterThan(1)", "expect(1).toThrow()", "expect(5).toContain(5)",
        "expect(5).toMatch(/5/)",
        "await expect(Promise.resolve(1)).resolves.toBe(2)",
        "await expect(Promise.resolve(1)).rejects.toThrow()",
        "await expect(Promise.reject(1)).resolves.toBe(1)", "await expect(1).resolves.toBe(1)",
        "await expect(Promise.reject(new Error('a'))).rejects.toThrow('b')",
    ]

    private static let settled = [
        "await expect(Promise.resolve([1])).resolves.toEqual([1])",
        "await expect(Promise.reject(new Error('a'))).rejects.toThrow('a')",
        "await expect(Promise.reject('a')).rejects.toBe('a')",
        "await expect({ then(f) { f(1); } }).resolves.not.toBe(2)",
    ]

    @Test("matchers are met, fail, and are inverted by not")
    func matchers() async throws {
        var text = """
            import { test, expect } from "bridge:test";
            const s = Symbol("s");
            class C { constructor(x) { this.x = x; } }
            const one = { a: 1 }, two = { a: 2 };
            const objects = count => new Set(Array.from({ length: count }, (_, index) => ({ index })));
            const shared = (depth, leaf) => {
                let node = { leaf };
                for (let level = 0; level < depth; level++) node = { left: node, right: node };
                return node;
            };
            const cycle = () => { const object = { a: 1 }; object.self = object; return object; };

            """
        var expected: [String] = []
        func add(_ body: String, _ outcome: String) {
            text += "test(\(String(reflecting: body)), async () => { \(body); });\n"
            expected.append("\(outcome) \(body)")
        }
        for body in Self.met + Self.settled { add(body, "ok") }
        for body in Self.met { add(body.replacingLast(").to", with: ").not.to"), "FAIL") }
        for body in Self.unmet { add(body, "FAIL") }
        let workplace = try Workplace()
        let path = try workplace.write(text, to: "matchers.test.js")
        let result = await workplace.run(["test", path])
        let found = result.output.split(separator: "\n").filter {
            $0.hasPrefix("  ok ") || $0.hasPrefix("  FAIL ")
        }
        for (line, other) in zip(found, expected) {
            #expect(
                line.split(separator: " ", maxSplits: 1).joined().contains(
                    other.split(separator: " ", maxSplits: 1)[1]
                )
            )
            #expect(line.hasPrefix("  \(other.prefix { $0 != " " }) "), "\(other)")
        }
        #expect(found.count == expected.count)
    }

    @Test("R12 tests run and matchers work whatever a script did to the built-in objects")
    func tampering() async throws {
        let workplace = try Workplace()
        let path = try workplace.write(
            """
            import { test, expect, beforeEach } from "bridge:test";
            beforeEach(() => {});
            test("before", () => {});
            const define = Object.defineProperty, own = Object.getOwnPropertyDescriptor, keysOf = Reflect.ownKeys;
            const values = { map: [new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]])], set: [new Set([1]), new Set([1])], date: [new Date(1), new Date(1)] };
            const rejected = async () => { throw new Error("far"); };
            for (const owner of [Object, Array, Function, String, Number, Boolean, RegExp, Map, Set, WeakMap, Promise, JSON, Symbol, Reflect,
                Error, TypeError, Math, Date]) {
                for (const target of [owner, owner.prototype]) {
                    if (target === undefined) continue;
                    const keys = keysOf(target);
                    for (let at = 0; at < keys.length; at++) {
                        const descriptor = own(target, keys[at]);
                        if (!descriptor.configurable || keys[at] === "constructor" || typeof descriptor.value !== "function") continue;
                        // The loops of this script need them.
                        if (keys[at] === Symbol.iterator) continue;
                        define(target, keys[at], { value: () => { throw 7; }, writable: true, configurable: true });
                    }
                }
            }
            test("equal", () => {
                expect([values.map[0], values.set[0], values.date[0], "a"]).toEqual([values.map[1], values.set[1], values.date[1], "a"]);
                expect("abc").toMatch("b");
                expect([1, 2]).toContain(2);
                expect(() => { throw new Error("far"); }).toThrow("far");
            });
            test("rejects", async () => { await expect(rejected()).rejects.toThrow("far"); });
            test("fails", () => { expect({ a: 1 }).toBe(2); });
            """,
            to: "a.test.js"
        )
        let result = await workplace.run(["test", path])
        for line in [
            "  ok    before", "  ok    equal", "  ok    rejects", "  FAIL  fails",
            "expected: 2\n        received: { a: 1 }",
        ] {
            #expect(result.output.contains(line), "\(result.output)")
        }
    }

    @Test("a long difference shows the lines around it, and texts that differ everywhere their first lines")
    func longDifference() async throws {
        let workplace = try Workplace()
        let path = try workplace.write(
            """
            import { test, expect } from 'bridge:test';
            const lines = (count, line) => Array.from({ length: count }, (_, index) => line + index).join("\\n");
            test('middle', () => { expect(lines(2000, "a") + "\\nb\\n" + lines(2000, "c")).toBe(lines(2000, "a") + "\\n" + lines(2000, "c")); });
            test('all', () => { expect(lines(2000, "a")).toBe(lines(2000, "b")); });
            """,
            to: "a.test.js"
        )
        let result = await workplace.run(["test", path])
        let expected = [
            "- expected, + received", "  ... 1997 equal lines", "  a1997", "  a1998", "  a1999", "+ b",
            "  c0", "  c1",
            "  c2", "  ... 1997 equal lines",
        ]
        #expect(result.output.contains(expected.joined(separator: "\n        ")), "\(result.output)")
        #expect(
            result.output.contains("b19\n        ... 1980 more lines\n        received: a0"),
            "\(result.output)"
        )
        #expect(result.output.split(separator: "\n").count < 80)
    }

    @Test("a difference shows the lines that are missing and those that are too many")
    func difference() async throws {
        let workplace = try Workplace()
        let path = try workplace.write(
            "import { test, expect } from 'bridge:test'; test('a', () => { expect('a\\nb\\nc').toBe('a\\nx\\nc\\nd'); });",
            to: "a.test.js"
        )
        let result = await workplace.run(["test", path])
        #expect(
            result.output.contains(
                "- expected, + received\n          a\n        - x\n        + b\n          c\n        - d\n"
            ),
            "\(result.output)"
        )
    }
}

extension String {
    fileprivate func replacingLast(_ text: String, with other: String) -> String {
        guard let range = range(of: text, options: .backwards) else { return self }
        return replacingCharacters(in: range, with: other)
    }
}
