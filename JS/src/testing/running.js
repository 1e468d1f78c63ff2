// Running of the tests that were registered, one at a time as the host asks for them.
import { endRegistration, root } from "./suites.js";
import { adopt } from "../engine/promises.js";
import { Error, Promise, StringPrototypeIncludes, StringPrototypeToWellFormed, makeSafeMap } from "../engine/primordials.js";
import { enterOrigin, noteOrigin } from "../engine/errors.js";
import { clearTimer, setUnreferencedTimer } from "../engine/timers.js";

const planned = makeSafeMap();
/** @type {any} */
let running;
/** @type {any} */
let awaited;

// Without a prototype: promises are resolved with failures, and a script may give all objects a `then`.
const failureOf = (/** @type {unknown} */ error) => ({ __proto__: null, error });

function fullName(/** @type {any} */ node) {
    let { name } = node;
    for (let suite = node.parent; suite !== root; suite = suite.parent) name = suite.name + " > " + name;
    // Swift's strings have no unpaired surrogates.
    return StringPrototypeToWellFormed?.(name) ?? name;
}

// Collects the tests of a suite. A test runs if it is not skipped, and if it or a suite around it is marked where any is.
function collect(
    /** @type {any} */ suite, /** @type {string} */ filter, /** @type {boolean} */ wantsOnly, /** @type {boolean} */ isOnly,
    /** @type {boolean} */ isSkipped, /** @type {any} */ list,
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

// Returns the names of the tests whose names contain a string, and their modes: "run", "skip" or "todo".
export function planTests(/** @type {string} */ filter) {
    // Objects without a prototype, since a script may have put setters on that of arrays.
    const list = { __proto__: null, names: { __proto__: null }, modes: { __proto__: null } };
    collect(root, filter, endRegistration(), false, false, list);
    return { __proto__: null, count: planned.size, names: list.names, modes: list.modes };
}

async function runAll(/** @type {any} */ hooks) {
    for (let node = hooks.first; node !== null; node = node.next) {
        const { value: run } = node;
        await run();
    }
}

// Runs the hooks of a suite once; each of its tests fails if they do.
function begin(/** @type {any} */ suite) {
    return suite.beginning ??= runAll(suite.beforeAll);
}

async function beginSuites(/** @type {any} */ suite) {
    if (suite === undefined) return;
    await beginSuites(suite.parent);
    await begin(suite);
}

async function runBeforeEach(/** @type {any} */ suite) {
    if (suite === undefined) return;
    await runBeforeEach(suite.parent);
    await runAll(suite.beforeEach);
}

async function runWhole(/** @type {any} */ test) {
    let failure;
    const note = (/** @type {unknown} */ error) => { failure ??= failureOf(error); };
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

// Runs what follows the last test of a suite, also if that test failed.
async function endSuites(/** @type {any} */ test) {
    let failure;
    for (let suite = test.parent; suite !== undefined; suite = suite.parent) {
        suite.left--;
        if (suite.left > 0 || suite.beginning === undefined) continue;
        try { await runAll(suite.afterAll); } catch (error) { failure ??= failureOf(error); }
    }
    return failure;
}

// Begins a test with the hooks around it. `awaitTest` returns the promise, which is rejected with the error of the test.
export function runTest(/** @type {number} */ number) {
    const test = planned.get(number);
    // So that the stack of an error, also of a timer that is due later, says which test has started the code.
    enterOrigin(noteOrigin("test " + number, false));
    const promise = new Promise((resolve, reject) => {
        const end = (/** @type {any} */ failure) => {
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
        const settled = (/** @type {any} */ failure) => {
            adopt(endSuites(test), (/** @type {any} */ later) => { end(failure ?? later); }, (/** @type {any} */ error) => { end(failureOf(error)); });
        };
        adopt(runWhole(test), settled, (/** @type {unknown} */ error) => { settled(failureOf(error)); });
    });
    // The host takes the outcome; until then it is not an unhandled rejection.
    adopt(promise, () => {}, () => {});
    awaited = promise;
}

export function awaitTest() {
    return awaited;
}

// Returns a promise that settles after the timers that are due now, whose errors are those of the test that began them.
export function settleTimers() {
    return new Promise((resolve) => { setUnreferencedTimer(() => { resolve(undefined); }, 0); });
}

// Ends a test that waits for something that never happens, because no work is left.
export function endTest(/** @type {number} */ number) {
    if (running?.number !== number) return;
    running.end(failureOf(new Error("the test never ends: its promise is not settled, and no work is left to settle it")));
}
