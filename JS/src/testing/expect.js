// `expect` and its matchers.
import { hasPart, isEqual, isSame, isStrictlyEqual } from "./equality.js";
import { comparison, shown } from "./failures.js";
import { read, textOf } from "../bridge/objects.js";
import { adopt } from "../engine/promises.js";
import { freezeWhole } from "../engine/freezing.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayBufferIsView, ArrayIsArray, Error, ObjectDefineProperty, Promise, RegExpPrototypeExec, RegExpPrototypeGetSource, SetPrototypeForEach,
    SetPrototypeHas, StringPrototypeIncludes, TypeError,
} from "../engine/primordials.js";

function isExpression(/** @type {any} */ value) {
    try { return RegExpPrototypeGetSource(value) !== undefined && isObject(value); } catch { return false; }
}

function matches(/** @type {string} */ text, /** @type {any} */ expected) {
    return isExpression(expected) ? RegExpPrototypeExec(expected, text) !== null : StringPrototypeIncludes(text, expected);
}

function contains(/** @type {any} */ list, /** @type {any} */ value, /** @type {(left: any, right: any) => boolean} */ isMember) {
    if (typeof list === "string") return typeof value === "string" && StringPrototypeIncludes(list, value);
    let isFound = false;
    if (ArrayIsArray(list) || ArrayBufferIsView(list)) {
        const items = /** @type {any} */ (list);
        for (let index = 0; index < items.length; index++) isFound ||= isMember(items[index], value);
        return isFound;
    }
    try { SetPrototypeHas(list, value); } catch {
        throw new TypeError("a string, an array or a Set can contain a value; this is " + shown(list));
    }
    SetPrototypeForEach(list, (/** @type {any} */ item) => { isFound ||= isMember(item, value); });
    return isFound;
}

function compared(/** @type {any} */ left, /** @type {any} */ right) {
    const isOrdered = (/** @type {any} */ value) => typeof value === "number" || typeof value === "bigint";
    if (!isOrdered(left) || !isOrdered(right)) throw new TypeError("numbers are compared, not " + shown(left) + " and " + shown(right));
    return true;
}

function thrownBy(/** @type {any} */ run) {
    if (typeof run !== "function") throw new TypeError("toThrow() needs a function that is called; this is " + shown(run));
    try { run(); } catch (error) { return { error }; }
    return undefined;
}

function isAsExpected(/** @type {any} */ error, /** @type {any} */ expected) {
    if (expected === undefined) return true;
    const message = isObject(error) ? read(error, "message") : textOf(error);
    if (typeof expected === "string" || isExpression(expected)) return matches(typeof message === "string" ? message : "", expected);
    if (typeof expected === "function") return error instanceof expected;
    return isObject(expected) && message === read(expected, "message");
}

function digitsOf(/** @type {any} */ digits) {
    let difference = 0.5;
    for (let count = digits === undefined ? 2 : digits; count > 0; count--) difference /= 10;
    return difference;
}

const pass = (/** @type {boolean} */ isMet, /** @type {() => string} */ text) => ({ __proto__: null, isMet, text });

/** @type {any} */
const matchers = {
    __proto__: null,
    toBe: (/** @type {any} */ actual, /** @type {any} */ expected) => pass(isSame(actual, expected), () => {
        const hint = isEqual(actual, expected) ? "\n(they have the same content: toEqual compares that)" : "";
        return comparison(expected, actual) + hint;
    }),
    toEqual: (/** @type {any} */ actual, /** @type {any} */ expected) => pass(isEqual(actual, expected), () => comparison(expected, actual)),
    toStrictEqual: (/** @type {any} */ actual, /** @type {any} */ expected) =>
        pass(isStrictlyEqual(actual, expected), () => comparison(expected, actual)),
    toMatchObject: (/** @type {any} */ actual, /** @type {any} */ expected) => pass(hasPart(actual, expected), () => comparison(expected, actual)),
    toBeDefined: (/** @type {any} */ actual) => pass(actual !== undefined, () => "received: undefined"),
    toBeUndefined: (/** @type {any} */ actual) => pass(actual === undefined, () => "received: " + shown(actual)),
    toBeNull: (/** @type {any} */ actual) => pass(actual === null, () => "received: " + shown(actual)),
    toBeNaN: (/** @type {any} */ actual) => pass(actual !== actual, () => "received: " + shown(actual)),
    toBeTruthy: (/** @type {any} */ actual) => pass(!!actual, () => "received: " + shown(actual)),
    toBeFalsy: (/** @type {any} */ actual) => pass(!actual, () => "received: " + shown(actual)),
    toBeInstanceOf: (/** @type {any} */ actual, /** @type {any} */ expected) =>
        pass(actual instanceof expected, () => "expected: an instance of " + textOf(read(expected, "name")) + "\nreceived: " + shown(actual)),
    toBeGreaterThan: (/** @type {any} */ actual, /** @type {any} */ other) =>
        pass(compared(actual, other) && actual > other, () => "expected: > " + shown(other) + "\nreceived: " + shown(actual)),
    toBeGreaterThanOrEqual: (/** @type {any} */ actual, /** @type {any} */ other) =>
        pass(compared(actual, other) && actual >= other, () => "expected: >= " + shown(other) + "\nreceived: " + shown(actual)),
    toBeLessThan: (/** @type {any} */ actual, /** @type {any} */ other) =>
        pass(compared(actual, other) && actual < other, () => "expected: < " + shown(other) + "\nreceived: " + shown(actual)),
    toBeLessThanOrEqual: (/** @type {any} */ actual, /** @type {any} */ other) =>
        pass(compared(actual, other) && actual <= other, () => "expected: <= " + shown(other) + "\nreceived: " + shown(actual)),
    toBeCloseTo: (/** @type {any} */ actual, /** @type {any} */ expected, /** @type {any} */ digits) => {
        compared(actual, expected);
        const distance = actual > expected ? actual - expected : expected - actual;
        return pass(
            isSame(actual, expected) || distance < digitsOf(digits),
            () => "expected: " + shown(expected) + " +- " + digitsOf(digits) + "\nreceived: " + shown(actual),
        );
    },
    toContain: (/** @type {any} */ actual, /** @type {any} */ value) =>
        pass(contains(actual, value, (left, right) => left === right || isSame(left, right)), () => "expected: contains " + shown(value) + "\nreceived: " + shown(actual)),
    toContainEqual: (/** @type {any} */ actual, /** @type {any} */ value) =>
        pass(contains(actual, value, isEqual), () => "expected: contains " + shown(value) + "\nreceived: " + shown(actual)),
    toHaveLength: (/** @type {any} */ actual, /** @type {any} */ length) =>
        pass(actual?.length === length, () => "expected: length " + shown(length) + "\nreceived: length " + shown(actual?.length) + ", " + shown(actual)),
    toMatch: (/** @type {any} */ actual, /** @type {any} */ expected) => {
        if (typeof actual !== "string") throw new TypeError("toMatch() needs a string; this is " + shown(actual));
        return pass(matches(actual, expected), () => "expected: matches " + shown(expected) + "\nreceived: " + shown(actual));
    },
    toThrow: (/** @type {any} */ actual, /** @type {any} */ expected, /** @type {any} */ isRejection) => {
        const thrown = isRejection === rejection ? { error: actual } : thrownBy(actual);
        const received = () => thrown === undefined ? "nothing was thrown" : "thrown: " + shown(thrown.error);
        return pass(
            thrown !== undefined && isAsExpected(thrown.error, expected),
            () => (expected === undefined ? "" : "expected: " + shown(expected) + "\n") + received(),
        );
    },
};

// Marks the error of a rejected promise for `toThrow`.
const rejection = { __proto__: null };
const key = { __proto__: null };

// An expectation about a value, or about the result or the error of a promise.
class Expectation {
    #actual;
    #isNot;
    #settlement;
    constructor(/** @type {any} */ given, /** @type {any} */ actual, /** @type {boolean} */ isNot, /** @type {any} */ settlement) {
        if (given !== key) throw new TypeError("Illegal constructor: expect() makes expectations");
        this.#actual = actual;
        this.#isNot = isNot;
        this.#settlement = settlement;
    }
    get not() { return new Expectation(key, this.#actual, !this.#isNot, this.#settlement); }
    get resolves() { return new Expectation(key, this.#actual, this.#isNot, "resolves"); }
    get rejects() { return new Expectation(key, this.#actual, this.#isNot, "rejects"); }
    static check(/** @type {any} */ expectation, /** @type {string} */ name, /** @type {any} */ expected, /** @type {any} */ detail) {
        const actual = expectation.#actual, isNot = expectation.#isNot, settlement = expectation.#settlement;
        // Made here, where its stack shows the expectation, and given its text later.
        const failure = new Error("");
        ObjectDefineProperty(failure, "name", { __proto__: null, value: "AssertionError", writable: true, configurable: true });
        const title = "expect(received)" + (settlement === undefined ? "" : "." + settlement) + (isNot ? ".not." : ".") + name + "()";
        const fail = (/** @type {string} */ text) => {
            ObjectDefineProperty(failure, "message", { __proto__: null, value: title + "\n" + text, writable: true, configurable: true });
            return failure;
        };
        const apply = (/** @type {any} */ value, /** @type {any} */ note) => {
            const { isMet, text } = matchers[name](value, expected, note);
            if (isMet === isNot) throw fail(isNot ? "received: " + shown(value) : text());
        };
        if (settlement === undefined) return apply(actual, detail);
        return new Promise((resolve, reject) => {
            const wanted = settlement === "resolves";
            if (!isObject(actual) || typeof read(actual, "then") !== "function") return reject(fail("received: " + shown(actual) + ", which is not a promise"));
            const settle = (/** @type {boolean} */ isResult) => (/** @type {any} */ value) => {
                if (isResult !== wanted) {
                    reject(fail((isResult ? "the promise was resolved with " : "the promise was rejected with ") + shown(value)));
                    return;
                }
                try { resolve(apply(value, name === "toThrow" && !isResult ? rejection : detail)); } catch (error) { reject(error); }
            };
            adopt(actual, settle(true), settle(false));
        });
    }
}
const { check } = Expectation;
for (const name in matchers) {
    ObjectDefineProperty(Expectation.prototype, name, {
        __proto__: null,
        value: { [name](/** @type {any} */ expected, /** @type {any} */ detail) { return check(this, name, expected, detail); } }[name],
    });
}
freezeWhole(Expectation.prototype);
freezeWhole(Expectation);

export function expect(/** @type {any} */ actual) {
    return new Expectation(key, actual, false, undefined);
}
