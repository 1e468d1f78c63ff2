// The tests and suites of a file, as `test` and `describe` register them.
import { append, makeList } from "../bridge/list.js";
import { textOf } from "../bridge/objects.js";
import { freezeWhole } from "../engine/freezing.js";
import { Error, ObjectDefineProperty, ObjectFreeze, TypeError } from "../engine/primordials.js";

const defaultTimeout = 5000;

function makeSuite(/** @type {string} */ name, /** @type {any} */ parent, /** @type {string} */ mode) {
    return {
        __proto__: null, name, parent, mode, children: makeList(), left: 0, hasBegun: false, beginning: undefined,
        beforeAll: makeList(), afterAll: makeList(), beforeEach: makeList(), afterEach: makeList(), isSuite: true,
    };
}

export const root = makeSuite("", undefined, "run");

/** @type {any} */
const state = { __proto__: null, current: root, isOver: false, hasOnly: false };

// Ends the registration: tests that are registered later would never run. Returns whether a test is marked as the only one.
export function endRegistration() {
    state.isOver = true;
    return state.hasOnly;
}

function checkOpen(/** @type {string} */ name) {
    if (state.isOver) throw new Error(name + "() is called when the file is loaded, not by a test");
}

function checkFunction(/** @type {string} */ caller, /** @type {any} */ run) {
    if (typeof run !== "function") throw new TypeError(caller + "() needs a function, not " + textOf(run));
}

function addTest(/** @type {string} */ mode, /** @type {any} */ name, /** @type {any} */ run, /** @type {any} */ timeout) {
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

function addSuite(/** @type {string} */ mode, /** @type {any} */ name, /** @type {any} */ run) {
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

function addHook(/** @type {string} */ kind, /** @type {any} */ run) {
    checkOpen(kind);
    checkFunction(kind, run);
    append(state.current[kind], run);
}

function withModes(/** @type {any} */ run, /** @type {any} */ modes) {
    for (const mode in modes) ObjectDefineProperty(run, mode, { __proto__: null, value: ObjectFreeze(modes[mode]), enumerable: true });
    return ObjectFreeze(run);
}

export const members = freezeWhole({
    __proto__: null,
    test: withModes(
        (/** @type {any} */ name, /** @type {any} */ run, /** @type {any} */ timeout) => { addTest("run", name, run, timeout); },
        {
            __proto__: null,
            skip: (/** @type {any} */ name, /** @type {any} */ run, /** @type {any} */ timeout) => { addTest("skip", name, run, timeout); },
            only: (/** @type {any} */ name, /** @type {any} */ run, /** @type {any} */ timeout) => { addTest("only", name, run, timeout); },
            todo: (/** @type {any} */ name) => { addTest("todo", name, undefined, undefined); },
        },
    ),
    describe: withModes((/** @type {any} */ name, /** @type {any} */ run) => { addSuite("run", name, run); }, {
        __proto__: null,
        skip: (/** @type {any} */ name, /** @type {any} */ run) => { addSuite("skip", name, run); },
        only: (/** @type {any} */ name, /** @type {any} */ run) => { addSuite("only", name, run); },
    }),
    beforeAll: (/** @type {any} */ run) => { addHook("beforeAll", run); },
    afterAll: (/** @type {any} */ run) => { addHook("afterAll", run); },
    beforeEach: (/** @type {any} */ run) => { addHook("beforeEach", run); },
    afterEach: (/** @type {any} */ run) => { addHook("afterEach", run); },
});
