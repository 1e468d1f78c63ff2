// Made from JS/src/testing by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    append, bytesOf, makeList, read, textOf,
} = bundles.bridge;
const {
    ArrayBufferIsView, ArrayIsArray, DatePrototypeGetTime, Error, MapPrototypeForEach, ObjectDefineProperty,
    ObjectFreeze, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectPrototypeToString, Promise,
    ReflectOwnKeys, RegExpPrototypeExec, RegExpPrototypeGetSource, SetPrototypeForEach, SetPrototypeHas,
    StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypeSlice, StringPrototypeToWellFormed, TypeError,
    TypedArrayPrototypeGetTag, adopt, builtins, clearTimer, enterOrigin, freezeWhole, isObject, makeSafeMap,
    noteOrigin, publishToHost, setUnreferencedTimer, show,
} = bundles.engine;
// testing/equality.js
function isSame(left, right) {
    if (left === right) return left !== 0 || 1 / left === 1 / right;
    return left !== left && right !== right;
}
function attempt(read, value) {
    try { return read(value); } catch { return undefined; }
}
function makePairs() {
    const byLeft = makeSafeMap();
    const order = { __proto__: null };
    let count = 0;
    return {
        __proto__: null,
        get count() { return count; },
        add(left, right) {
            let rights = byLeft.get(left);
            if (rights === undefined) byLeft.set(left, rights = makeSafeMap());
            if (rights.has(right)) return false;
            rights.set(right, true);
            order[count++] = { __proto__: null, rights, right };
            return true;
        },
        removeAfter(first) {
            while (count > first) {
                const { rights, right } = order[--count];
                rights.delete(right);
            }
        },
    };
}
function equalBytes(left, right) {
    const bytes = bytesOf(left), others = bytesOf(right);
    if (bytes === undefined || others === undefined || bytes.length !== others.length) return false;
    for (let index = 0; index < bytes.length; index++) if (bytes[index] !== others[index]) return false;
    return true;
}
function entriesOf(collection, isMap) {
    const entries = { __proto__: null, keys: { __proto__: null }, values: { __proto__: null }, count: 0 };
    const each = isMap ? MapPrototypeForEach : SetPrototypeForEach;
    each(collection, (value, key) => {
        entries.keys[entries.count] = key;
        entries.values[entries.count++] = value;
    });
    return entries;
}
function equalEntries(
    left, right, isMap, compare,
) {
    const entries = entriesOf(left, isMap), others = entriesOf(right, isMap), indexes = makeSafeMap();
    const isTaken = ({ __proto__: null }), isMatched = ({ __proto__: null });
    for (let index = 0; index < others.count; index++) indexes.set(others.keys[index], index);
    for (let index = 0; index < entries.count; index++) {
        const found = indexes.get(entries.keys[index]);
        if (found === undefined || isMap && !compare(entries.values[index], others.values[found])) continue;
        isTaken[found] = isMatched[index] = true;
    }
    for (let index = 0; index < entries.count; index++) {
        const key = entries.keys[index];
        if (isMatched[index]) continue;
        if (!isObject(key)) return false;
        const take = (other) => !isTaken[other] && isObject(others.keys[other]) && compare(key, others.keys[other])
            && (!isMap || compare(entries.values[index], others.values[other])) && (isTaken[other] = true);
        let isFound = take(index);
        for (let other = 0; !isFound && other < others.count; other++) isFound = take(other);
        if (!isFound) return false;
    }
    return true;
}
function equalContent(left, right, compare) {
    const time = attempt(DatePrototypeGetTime, left);
    if (time !== undefined) return isSame(time, attempt(DatePrototypeGetTime, right));
    const source = attempt(RegExpPrototypeGetSource, left);
    if (source !== undefined) return source === attempt(RegExpPrototypeGetSource, right) && left.flags === right.flags;
    const mapSize = attempt(builtins.mapSize, left), setSize = attempt(builtins.setSize, left);
    if (mapSize !== undefined) return mapSize === attempt(builtins.mapSize, right) && equalEntries(left, right, true, compare);
    if (setSize !== undefined) return setSize === attempt(builtins.setSize, right) && equalEntries(left, right, false, compare);
    const number = attempt(builtins.unboxNumber, left), text = attempt(builtins.unboxString, left);
    if (number !== undefined) return isSame(number, attempt(builtins.unboxNumber, right));
    if (text !== undefined) return text === attempt(builtins.unboxString, right);
    const boolean = attempt(builtins.unboxBoolean, left), integer = attempt(builtins.unboxBigInt, left);
    if (boolean !== undefined) return boolean === attempt(builtins.unboxBoolean, right);
    if (integer !== undefined) return integer === attempt(builtins.unboxBigInt, right);
    if (TypedArrayPrototypeGetTag(left) !== undefined || attempt(bytesOf, left) !== undefined) {
        return TypedArrayPrototypeGetTag(left) === TypedArrayPrototypeGetTag(right) && equalBytes(left, right);
    }
    return undefined;
}
function isEnumerable(object, key) {
    return ObjectGetOwnPropertyDescriptor(object, key)?.enumerable === true;
}
function hasMembers(left, right, isStrict, compare) {
    const keys = ReflectOwnKeys(left);
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        if (!isEnumerable(left, key)) continue;
        if (!isEnumerable(right, key)) {
            if (isStrict || left[key] !== undefined) return false;
        } else if (!compare(left[key], right[key])) return false;
    }
    return true;
}
function compareValues(
    left, right, isStrict, isPart,
    pairs,
) {
    if (isSame(left, right)) return true;
    if (!isObject(left) || !isObject(right) || typeof left === "function" || typeof right === "function") return false;
    const first = pairs.count;
    if (!pairs.add(left, right)) return true;
    const compare = (value, other) => compareValues(value, other, isStrict, isPart, pairs);
    const isEqual = compareObjects(left, right, isStrict, isPart, compare);
    if (!isEqual) pairs.removeAfter(first);
    return isEqual;
}
function compareObjects(
    left, right, isStrict, isPart,
    compare,
) {
    if (ArrayIsArray(left) !== ArrayIsArray(right)) return false;
    if (ObjectPrototypeToString(left) !== ObjectPrototypeToString(right)) return false;
    if (isStrict && ObjectGetPrototypeOf(left) !== ObjectGetPrototypeOf(right)) return false;
    const isError = builtins.isError ?? (() => false);
    if (isError(left) || isError(right)) {
        if (isError(left) !== isError(right) || left.name !== right.name || left.message !== right.message) return false;
    }
    if (ArrayIsArray(left) && left.length !== right.length) return false;
    const content = equalContent(left, right, compare);
    if (content !== undefined) return content;
    return hasMembers(right, left, isStrict, (value, other) => compare(other, value))
        && (isPart && !ArrayIsArray(left) || hasMembers(left, right, isStrict, compare));
}
const isEqual = (left, right) => compareValues(left, right, false, false, makePairs());
const isStrictlyEqual = (left, right) => compareValues(left, right, true, false, makePairs());
const hasPart = (left, part) => compareValues(left, part, false, true, makePairs());
// testing/failures.js
const maximumLines = 300;
const contextLines = 3, shownLines = 20;
function shown(value) {
    return show(value, { __proto__: null, depth: 6 });
}
function linesOf(text) {
    const lines = { __proto__: null, length: 0 };
    let rest = text;
    while (StringPrototypeIncludes(rest, "\n")) {
        const end = StringPrototypeIndexOf(rest, "\n");
        lines[lines.length++] = StringPrototypeSlice(rest, 0, end);
        rest = StringPrototypeSlice(rest, end + 1);
    }
    lines[lines.length++] = rest;
    return lines;
}
function commonLengths(left, right) {
    const table = { __proto__: null };
    const width = right.length + 1;
    for (let row = left.length; row >= 0; row--) {
        for (let column = right.length; column >= 0; column--) {
            const at = row * width + column;
            if (row === left.length || column === right.length) table[at] = 0;
            else if (left[row] === right[column]) table[at] = table[at + width + 1] + 1;
            else table[at] = table[at + width] > table[at + 1] ? table[at + width] : table[at + 1];
        }
    }
    return table;
}
function difference(expected, received) {
    const table = commonLengths(expected, received), width = received.length + 1;
    const list = makeList();
    let row = 0, column = 0;
    while (row < expected.length || column < received.length) {
        if (row < expected.length && column < received.length && expected[row] === received[column]) {
            append(list, "  " + expected[row++]);
            column++;
        } else if (column === received.length || row < expected.length && table[(row + 1) * width + column] >= table[row * width + column + 1]) {
            append(list, "- " + expected[row++]);
        } else append(list, "+ " + received[column++]);
    }
    let text = "";
    for (let node = list.first; node !== null; node = node.next) text += "\n" + node.value;
    return text;
}
function slice(lines, start, end) {
    const part = { __proto__: null, length: 0 };
    for (let index = start; index < end; index++) part[part.length++] = lines[index];
    return part;
}
const equalLines = (count) => count > 0 ? "\n  ... " + count + " equal line" + (count === 1 ? "" : "s") : "";
function shortDifference(expected, received) {
    const shorter = expected.length < received.length ? expected.length : received.length;
    let start = 0, end = 0;
    while (start < shorter && expected[start] === received[start]) start++;
    while (end < shorter - start && expected[expected.length - 1 - end] === received[received.length - 1 - end]) end++;
    start = start > contextLines ? start - contextLines : 0;
    end = end > contextLines ? end - contextLines : 0;
    const left = slice(expected, start, expected.length - end), right = slice(received, start, received.length - end);
    if (left.length > maximumLines || right.length > maximumLines) return undefined;
    return "- expected, + received" + equalLines(start) + difference(left, right) + equalLines(end);
}
function beginning(text, lines) {
    if (lines.length <= shownLines) return text;
    let shownText = lines[0];
    for (let index = 1; index < shownLines; index++) shownText += "\n" + lines[index];
    return shownText + "\n... " + (lines.length - shownLines) + " more lines";
}
function comparison(expected, received) {
    const left = typeof expected === "string" && StringPrototypeIncludes(expected, "\n") ? expected : shown(expected);
    const right = typeof received === "string" && StringPrototypeIncludes(received, "\n") ? received : shown(received);
    const lines = linesOf(left), others = linesOf(right);
    const isLong = lines.length > 1 || others.length > 1;
    const shortened = isLong && left !== right ? shortDifference(lines, others) : undefined;
    return shortened ?? "expected: " + beginning(left, lines) + "\nreceived: " + beginning(right, others);
}
// testing/expect.js
function isExpression(value) {
    try { return RegExpPrototypeGetSource(value) !== undefined && isObject(value); } catch { return false; }
}
function matches(text, expected) {
    return isExpression(expected) ? RegExpPrototypeExec(expected, text) !== null : StringPrototypeIncludes(text, expected);
}
function contains(list, value, isMember) {
    if (typeof list === "string") return typeof value === "string" && StringPrototypeIncludes(list, value);
    let isFound = false;
    if (ArrayIsArray(list) || ArrayBufferIsView(list)) {
        const items = (list);
        for (let index = 0; index < items.length; index++) isFound ||= isMember(items[index], value);
        return isFound;
    }
    try { SetPrototypeHas(list, value); } catch {
        throw new TypeError("a string, an array or a Set can contain a value; this is " + shown(list));
    }
    SetPrototypeForEach(list, (item) => { isFound ||= isMember(item, value); });
    return isFound;
}
function compared(left, right) {
    const isOrdered = (value) => typeof value === "number" || typeof value === "bigint";
    if (!isOrdered(left) || !isOrdered(right)) throw new TypeError("numbers are compared, not " + shown(left) + " and " + shown(right));
    return true;
}
function thrownBy(run) {
    if (typeof run !== "function") throw new TypeError("toThrow() needs a function that is called; this is " + shown(run));
    try { run(); } catch (error) { return { error }; }
    return undefined;
}
function isAsExpected(error, expected) {
    if (expected === undefined) return true;
    const message = isObject(error) ? read(error, "message") : textOf(error);
    if (typeof expected === "string" || isExpression(expected)) return matches(typeof message === "string" ? message : "", expected);
    if (typeof expected === "function") return error instanceof expected;
    return isObject(expected) && message === read(expected, "message");
}
function digitsOf(digits) {
    let difference = 0.5;
    for (let count = digits === undefined ? 2 : digits; count > 0; count--) difference /= 10;
    return difference;
}
const pass = (isMet, text) => ({ __proto__: null, isMet, text });
const matchers = {
    __proto__: null,
    toBe: (actual, expected) => pass(isSame(actual, expected), () => {
        const hint = isEqual(actual, expected) ? "\n(they have the same content: toEqual compares that)" : "";
        return comparison(expected, actual) + hint;
    }),
    toEqual: (actual, expected) => pass(isEqual(actual, expected), () => comparison(expected, actual)),
    toStrictEqual: (actual, expected) =>
        pass(isStrictlyEqual(actual, expected), () => comparison(expected, actual)),
    toMatchObject: (actual, expected) => pass(hasPart(actual, expected), () => comparison(expected, actual)),
    toBeDefined: (actual) => pass(actual !== undefined, () => "received: undefined"),
    toBeUndefined: (actual) => pass(actual === undefined, () => "received: " + shown(actual)),
    toBeNull: (actual) => pass(actual === null, () => "received: " + shown(actual)),
    toBeNaN: (actual) => pass(actual !== actual, () => "received: " + shown(actual)),
    toBeTruthy: (actual) => pass(!!actual, () => "received: " + shown(actual)),
    toBeFalsy: (actual) => pass(!actual, () => "received: " + shown(actual)),
    toBeInstanceOf: (actual, expected) =>
        pass(actual instanceof expected, () => "expected: an instance of " + textOf(read(expected, "name")) + "\nreceived: " + shown(actual)),
    toBeGreaterThan: (actual, other) =>
        pass(compared(actual, other) && actual > other, () => "expected: > " + shown(other) + "\nreceived: " + shown(actual)),
    toBeGreaterThanOrEqual: (actual, other) =>
        pass(compared(actual, other) && actual >= other, () => "expected: >= " + shown(other) + "\nreceived: " + shown(actual)),
    toBeLessThan: (actual, other) =>
        pass(compared(actual, other) && actual < other, () => "expected: < " + shown(other) + "\nreceived: " + shown(actual)),
    toBeLessThanOrEqual: (actual, other) =>
        pass(compared(actual, other) && actual <= other, () => "expected: <= " + shown(other) + "\nreceived: " + shown(actual)),
    toBeCloseTo: (actual, expected, digits) => {
        compared(actual, expected);
        const distance = actual > expected ? actual - expected : expected - actual;
        return pass(
            isSame(actual, expected) || distance < digitsOf(digits),
            () => "expected: " + shown(expected) + " +- " + digitsOf(digits) + "\nreceived: " + shown(actual),
        );
    },
    toContain: (actual, value) =>
        pass(contains(actual, value, (left, right) => left === right || isSame(left, right)), () => "expected: contains " + shown(value) + "\nreceived: " + shown(actual)),
    toContainEqual: (actual, value) =>
        pass(contains(actual, value, isEqual), () => "expected: contains " + shown(value) + "\nreceived: " + shown(actual)),
    toHaveLength: (actual, length) =>
        pass(actual?.length === length, () => "expected: length " + shown(length) + "\nreceived: length " + shown(actual?.length) + ", " + shown(actual)),
    toMatch: (actual, expected) => {
        if (typeof actual !== "string") throw new TypeError("toMatch() needs a string; this is " + shown(actual));
        return pass(matches(actual, expected), () => "expected: matches " + shown(expected) + "\nreceived: " + shown(actual));
    },
    toThrow: (actual, expected, isRejection) => {
        const thrown = isRejection === rejection ? { error: actual } : thrownBy(actual);
        const received = () => thrown === undefined ? "nothing was thrown" : "thrown: " + shown(thrown.error);
        return pass(
            thrown !== undefined && isAsExpected(thrown.error, expected),
            () => (expected === undefined ? "" : "expected: " + shown(expected) + "\n") + received(),
        );
    },
};
const rejection = { __proto__: null };
const key = { __proto__: null };
class Expectation {
    #actual;
    #isNot;
    #settlement;
    constructor(given, actual, isNot, settlement) {
        if (given !== key) throw new TypeError("Illegal constructor: expect() makes expectations");
        this.#actual = actual;
        this.#isNot = isNot;
        this.#settlement = settlement;
    }
    get not() { return new Expectation(key, this.#actual, !this.#isNot, this.#settlement); }
    get resolves() { return new Expectation(key, this.#actual, this.#isNot, "resolves"); }
    get rejects() { return new Expectation(key, this.#actual, this.#isNot, "rejects"); }
    static check(expectation, name, expected, detail) {
        const actual = expectation.#actual, isNot = expectation.#isNot, settlement = expectation.#settlement;
        const failure = new Error("");
        ObjectDefineProperty(failure, "name", { __proto__: null, value: "AssertionError", writable: true, configurable: true });
        const title = "expect(received)" + (settlement === undefined ? "" : "." + settlement) + (isNot ? ".not." : ".") + name + "()";
        const fail = (text) => {
            ObjectDefineProperty(failure, "message", { __proto__: null, value: title + "\n" + text, writable: true, configurable: true });
            return failure;
        };
        const apply = (value, note) => {
            const { isMet, text } = matchers[name](value, expected, note);
            if (isMet === isNot) throw fail(isNot ? "received: " + shown(value) : text());
        };
        if (settlement === undefined) return apply(actual, detail);
        return new Promise((resolve, reject) => {
            const wanted = settlement === "resolves";
            if (!isObject(actual) || typeof read(actual, "then") !== "function") return reject(fail("received: " + shown(actual) + ", which is not a promise"));
            const settle = (isResult) => (value) => {
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
        value: { [name](expected, detail) { return check(this, name, expected, detail); } }[name],
    });
}
freezeWhole(Expectation.prototype);
freezeWhole(Expectation);
function expect(actual) {
    return new Expectation(key, actual, false, undefined);
}
// testing/suites.js
const defaultTimeout = 5000;
function makeSuite(name, parent, mode) {
    return {
        __proto__: null, name, parent, mode, children: makeList(), left: 0, hasBegun: false, beginning: undefined,
        beforeAll: makeList(), afterAll: makeList(), beforeEach: makeList(), afterEach: makeList(), isSuite: true,
    };
}
const root = makeSuite("", undefined, "run");
const state = { __proto__: null, current: root, isOver: false, hasOnly: false };
function endRegistration() {
    state.isOver = true;
    return state.hasOnly;
}
function checkOpen(name) {
    if (state.isOver) throw new Error(name + "() is called when the file is loaded, not by a test");
}
function checkFunction(caller, run) {
    if (typeof run !== "function") throw new TypeError(caller + "() needs a function, not " + textOf(run));
}
function addTest(mode, name, run, timeout) {
    checkOpen("test");
    if (typeof name !== "string") throw new TypeError("the name of a test is a string, not " + textOf(name));
    if (mode !== "todo") checkFunction("test", run);
    if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0)) {
        throw new TypeError("the timeout of a test is a positive number of milliseconds, not " + textOf(timeout));
    }
    if (mode === "only") state.hasOnly = true;
    append(state.current.children, {
        __proto__: null, name, parent: state.current, mode, run, timeout: timeout ?? defaultTimeout, isSuite: false,
    });
}
function addSuite(mode, name, run) {
    checkOpen("describe");
    if (typeof name !== "string") throw new TypeError("the name of a suite is a string, not " + textOf(name));
    checkFunction("describe", run);
    if (mode === "only") state.hasOnly = true;
    const outer = state.current;
    state.current = makeSuite(name, outer, mode);
    append(outer.children, state.current);
    try {
        if (run() !== undefined) throw new TypeError("the function of describe() returns nothing: a suite is not asynchronous");
    } finally {
        state.current = outer;
    }
}
function addHook(kind, run) {
    checkOpen(kind);
    checkFunction(kind, run);
    append(state.current[kind], run);
}
function withModes(run, modes) {
    for (const mode in modes) ObjectDefineProperty(run, mode, { __proto__: null, value: ObjectFreeze(modes[mode]), enumerable: true });
    return ObjectFreeze(run);
}
const members = freezeWhole({
    __proto__: null,
    test: withModes(
        (name, run, timeout) => { addTest("run", name, run, timeout); },
        {
            __proto__: null,
            skip: (name, run, timeout) => { addTest("skip", name, run, timeout); },
            only: (name, run, timeout) => { addTest("only", name, run, timeout); },
            todo: (name) => { addTest("todo", name, undefined, undefined); },
        },
    ),
    describe: withModes((name, run) => { addSuite("run", name, run); }, {
        __proto__: null,
        skip: (name, run) => { addSuite("skip", name, run); },
        only: (name, run) => { addSuite("only", name, run); },
    }),
    beforeAll: (run) => { addHook("beforeAll", run); },
    afterAll: (run) => { addHook("afterAll", run); },
    beforeEach: (run) => { addHook("beforeEach", run); },
    afterEach: (run) => { addHook("afterEach", run); },
});
// testing/running.js
const planned = makeSafeMap();
let running;
let awaited;
const failureOf = (error) => ({ __proto__: null, error });
function fullName(node) {
    let { name } = node;
    for (let suite = node.parent; suite !== root; suite = suite.parent) name = suite.name + " > " + name;
    return StringPrototypeToWellFormed?.(name) ?? name;
}
function collect(
    suite, filter, wantsOnly, isOnly,
    isSkipped, list,
) {
    for (let node = suite.children.first; node !== null; node = node.next) {
        const { value } = node;
        const isMarked = isOnly || value.mode === "only", isLeftOut = isSkipped || value.mode === "skip";
        if (value.isSuite) {
            collect(value, filter, wantsOnly, isMarked, isLeftOut, list);
            continue;
        }
        const name = fullName(value);
        if (!StringPrototypeIncludes(name, filter)) continue;
        const mode = value.mode === "todo" ? "todo" : isLeftOut || wantsOnly && !isMarked ? "skip" : "run";
        planned.set(planned.size, value);
        list.names[planned.size - 1] = name;
        list.modes[planned.size - 1] = mode;
        if (mode !== "run") continue;
        for (let outer = value.parent; outer !== undefined; outer = outer.parent) outer.left++;
    }
}
function planTests(filter) {
    const list = { __proto__: null, names: { __proto__: null }, modes: { __proto__: null } };
    collect(root, filter, endRegistration(), false, false, list);
    return { __proto__: null, count: planned.size, names: list.names, modes: list.modes };
}
async function runAll(hooks) {
    for (let node = hooks.first; node !== null; node = node.next) {
        const { value: run } = node;
        await run();
    }
}
function begin(suite) {
    return suite.beginning ??= runAll(suite.beforeAll);
}
async function beginSuites(suite) {
    if (suite === undefined) return;
    await beginSuites(suite.parent);
    await begin(suite);
}
async function runBeforeEach(suite) {
    if (suite === undefined) return;
    await runBeforeEach(suite.parent);
    await runAll(suite.beforeEach);
}
async function runWhole(test) {
    let failure;
    const note = (error) => { failure ??= failureOf(error); };
    let hasBegun = false;
    try {
        await beginSuites(test.parent);
        hasBegun = true;
        await runBeforeEach(test.parent);
        const { run } = test;
        await run();
    } catch (error) {
        note(error);
    }
    for (let suite = test.parent; hasBegun && suite !== undefined; suite = suite.parent) {
        try { await runAll(suite.afterEach); } catch (error) { note(error); }
    }
    return failure;
}
async function endSuites(test) {
    let failure;
    for (let suite = test.parent; suite !== undefined; suite = suite.parent) {
        suite.left--;
        if (suite.left > 0 || suite.beginning === undefined) continue;
        try { await runAll(suite.afterAll); } catch (error) { failure ??= failureOf(error); }
    }
    return failure;
}
function runTest(number) {
    const test = planned.get(number);
    enterOrigin(noteOrigin("test " + number, false));
    const promise = new Promise((resolve, reject) => {
        const end = (failure) => {
            if (running?.number !== number) return;
            clearTimer(running.timer);
            running = undefined;
            if (failure === undefined) resolve(undefined);
            else reject(failure.error);
        };
        const timer = setUnreferencedTimer(() => {
            end(failureOf(new Error("the test took longer than its timeout of " + test.timeout + " ms")));
        }, test.timeout);
        running = { __proto__: null, number, timer, end };
        const settled = (failure) => {
            adopt(endSuites(test), (later) => { end(failure ?? later); }, (error) => { end(failureOf(error)); });
        };
        adopt(runWhole(test), settled, (error) => { settled(failureOf(error)); });
    });
    adopt(promise, () => {}, () => {});
    awaited = promise;
}
function awaitTest() {
    return awaited;
}
function settleTimers() {
    return new Promise((resolve) => { setUnreferencedTimer(() => { resolve(undefined); }, 0); });
}
function endTest(number) {
    if (running?.number !== number) return;
    running.end(failureOf(new Error("the test never ends: its promise is not settled, and no work is left to settle it")));
}
// testing/index.js
const testModule = freezeWhole({ __proto__: null, ...members, expect });
publishToHost({ __proto__: null, testModule: () => testModule, planTests, runTest, awaitTest, endTest, settleTimers });
})
