// Evaluates modules in the order of ECMA-262, 16.2.1.6.1.3: `index`, `ancestor`, `order` and `pendingCount` are its
// DFSIndex, DFSAncestorIndex, AsyncEvaluationOrder and PendingAsyncDependencies. The engine's own loader differs from it:
// it forgets errors, and does not wait for a module whose evaluation is pending.
import { push } from "../engine/objects.js";
import { ArrayPrototypeSort, MathMin, PromisePrototypeThen, ReflectApply, makeSafeMap } from "../engine/primordials.js";
import { enterOwner } from "../engine/registrations.js";
import { isReloadable } from "./edges.js";
import { entryOfModule, evaluated, evaluating, linked, unfinished, waiting } from "./entries.js";
import { loader } from "./native.js";

let lastOrder = 0;
const isDone = -1;
// True while modules are evaluated. What starts meanwhile, in microtasks that one of them runs, begins after it.
let isBusy = false;
/** @type {(() => void)[]} */
let later = [];

// Evaluates an entry and all that it imports. Calls `finish`, or `fail` with the error, now or later.
export function evaluate(
    /** @type {any} */ entry, /** @type {() => void} */ finish, /** @type {(error: unknown) => void} */ fail,
) {
    if (isBusy) {
        push(later, () => { evaluate(entry, finish, fail); });
        return;
    }
    const root = entry.state > evaluating && entry.cycleRoot !== undefined ? entry.cycleRoot : entry;
    push(root.listeners, { __proto__: null, finish, fail });
    if (root.state !== linked) {
        if (root.state === evaluated) notify(root);
        return;
    }
    isBusy = true;
    const stack = { __proto__: null, entries: [], count: 0 };
    try {
        evaluateGraph(root, stack);
        isBusy = false;
    } catch (error) {
        isBusy = false;
        for (let index = 0; index < stack.count; index++) failEntry(/** @type {any} */ (stack.entries[index]), error);
    }
    if (root.state === evaluated) notify(root);
    const started = later;
    later = [];
    for (let index = 0; index < started.length; index++) started[index]();
}

// Calls the listeners of an entry that is evaluated.
function notify(/** @type {any} */ entry) {
    const { listeners, failure } = entry;
    entry.listeners = [];
    for (let index = 0; index < listeners.length; index++) {
        if (failure === undefined) listeners[index].finish();
        else listeners[index].fail(failure.value);
    }
}

function finishEntry(/** @type {any} */ entry) {
    entry.state = evaluated;
    entry.order = isDone;
    unfinished.delete(entry);
}

function failEntry(/** @type {any} */ entry, /** @type {unknown} */ error) {
    entry.failure = { __proto__: null, value: error };
    finishEntry(entry);
}

// ---------------------------------------------------------------- in order

// `stack` has the entries that are being evaluated and may be part of a cycle.
function evaluateGraph(/** @type {any} */ root, /** @type {any} */ stack) {
    let count = 0;
    const enter = (/** @type {any} */ entry, /** @type {any} */ outer) => {
        entry.state = evaluating;
        entry.index = entry.ancestor = count++;
        set(stack, entry);
        return { __proto__: null, entry, next: 0, outer };
    };
    let frame = enter(root, null);
    while (frame !== null) {
        const { entry } = frame;
        if (frame.next < entry.dependencies.length) {
            const dependency = entry.dependencies[frame.next];
            if (dependency.state === linked) {
                frame = enter(dependency, frame);
                continue;
            }
            frame.next += 1;
            take(entry, dependency);
            continue;
        }
        run(entry);
        if (entry.ancestor === entry.index) leaveCycle(entry, stack);
        // The outer frame looks at it again, now that it is evaluated.
        frame = frame.outer;
    }
}

function set(/** @type {any} */ stack, /** @type {any} */ entry) {
    if (stack.count === stack.entries.length) push(stack.entries, entry);
    else stack.entries[stack.count] = entry;
    stack.count += 1;
}

// Takes the state of an entry over by one that imports it.
function take(/** @type {any} */ entry, /** @type {any} */ dependency) {
    if (dependency.state === evaluating) {
        entry.ancestor = MathMin(entry.ancestor, dependency.ancestor);
    } else {
        if (dependency.failure !== undefined) throw dependency.failure.value;
        dependency = dependency.cycleRoot;
        if (dependency.failure !== undefined) throw dependency.failure.value;
    }
    if (dependency.order <= 0) return;
    entry.pendingCount += 1;
    push(dependency.parents, entry);
}

// The order in which modules have begun.
let lastSequence = 0;

function run(/** @type {any} */ entry) {
    lastSequence += 1;
    entry.sequence = lastSequence;
    if (entry.pendingCount === 0 && !entry.isAsync) {
        loader.evaluate(entry.key, entry.module, undefined);
        return;
    }
    lastOrder += 1;
    entry.order = lastOrder;
    if (entry.pendingCount === 0) runAsync(entry);
}

// The entries from the first one of a cycle on are evaluated together.
function leaveCycle(/** @type {any} */ root, /** @type {any} */ stack) {
    let entry;
    do {
        stack.count -= 1;
        entry = stack.entries[stack.count];
        entry.cycleRoot = root;
        if (entry.order > 0) entry.state = waiting;
        else finishEntry(entry);
    } while (entry !== root);
}

// ---------------------------------------------------------------- top-level await

// Runs the code of a module that has a top-level `await`.
function runAsync(/** @type {any} */ entry) {
    // Its dependencies have been evaluated here.
    PromisePrototypeThen(
        loader.asyncModuleEvaluation(entry, undefined, []),
        () => { finishAsync(entry); },
        (/** @type {unknown} */ error) => { failAsync(entry, error); },
    );
}

function finishAsync(/** @type {any} */ entry) {
    // A termination, or another module of its cycle, may have failed it.
    if (entry.state === evaluated) return;
    finishEntry(entry);
    const list = releasedParents(entry);
    notify(entry);
    for (let index = 0; index < list.length; index++) {
        const parent = list[index];
        if (parent.state === evaluated) continue;
        if (parent.isAsync) {
            runAsync(parent);
            continue;
        }
        try {
            loader.evaluate(parent.key, parent.module, undefined);
        } catch (error) {
            failAsync(parent, error);
            continue;
        }
        finishEntry(parent);
        notify(parent);
    }
}

// Returns the entries that waited for this one alone, and those that wait for them, in the order of their evaluation.
function releasedParents(/** @type {any} */ first) {
    /** @type {any[]} */
    const list = [];
    const seen = makeSafeMap();
    /** @type {any} */
    let rest = { __proto__: null, entry: first, rest: null };
    while (rest !== null) {
        const { parents } = rest.entry;
        rest = rest.rest;
        for (let index = 0; index < parents.length; index++) {
            const parent = parents[index];
            if (seen.has(parent) || parent.state === evaluated || parent.cycleRoot.failure !== undefined) continue;
            parent.pendingCount -= 1;
            if (parent.pendingCount > 0) continue;
            seen.set(parent, true);
            push(list, parent);
            if (!parent.isAsync) rest = { __proto__: null, entry: parent, rest };
        }
    }
    return ArrayPrototypeSort(list, (/** @type {any} */ left, /** @type {any} */ right) => left.order - right.order);
}

function failAsync(/** @type {any} */ first, /** @type {unknown} */ error) {
    /** @type {any} */
    let list = { __proto__: null, entry: first, rest: null };
    while (list !== null) {
        const { entry } = list;
        list = list.rest;
        if (entry.state === evaluated) continue;
        failEntry(entry, error);
        for (let index = 0; index < entry.parents.length; index++) {
            list = { __proto__: null, entry: entry.parents[index], rest: list };
        }
        notify(entry);
    }
}

// ---------------------------------------------------------------- terminations

// Fails an entry whose evaluation was terminated.
export function endEvaluation(/** @type {any} */ entry, /** @type {unknown} */ error) {
    entry.listeners = [];
    failEntry(entry, error);
}

export function forgetEvaluations() {
    isBusy = false;
    later = [];
    enterOwner(undefined);
}

// ---------------------------------------------------------------- reloads

// Ends the evaluation of an entry that another one replaces. Who waits for it gets the other one.
export function endReplaced(/** @type {any} */ entry) {
    entry.isReplaced = true;
    if (entry.state === evaluated) return;
    finishEntry(entry);
    notify(entry);
}

// Fails an entry that a reload has created, wherever its evaluation is.
export function failCreated(/** @type {any} */ entry, /** @type {unknown} */ error) {
    if (entry.state === evaluated) return;
    failEntry(entry, error);
    notify(entry);
}

// The engine evaluates each part of a module by this function, those after an `await` too.
if (isReloadable) {
    const { evaluate: evaluateInEngine } = loader;
    loader.evaluate = (
        /** @type {any} */ key, /** @type {any} */ module, /** @type {unknown} */ fetcher, /** @type {unknown} */ value,
        /** @type {unknown} */ mode,
    ) => {
        const outer = enterOwner(entryOfModule(module));
        try {
            return ReflectApply(evaluateInEngine, loader, [key, module, fetcher, value, mode]);
        } finally {
            enterOwner(outer);
        }
    };
}
