// The behavior of AbortController and AbortSignal (engine/abort.js).
import { AbortSignal } from "../engine/abort.js";
import { DOMException, EventTarget } from "../engine/events.js";
import { Given, needArguments, needNew } from "../engine/interfaces.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayIsArray, ArrayPrototype, ObjectGetPrototypeOf, ObjectHasOwn, ReflectApply, ReflectConstruct, SymbolIterator,
    TypeError, WeakRef, WeakRefPrototypeDeref,
} from "../engine/primordials.js";
import { addReader } from "../engine/shown_members.js";
import { clearTimer, setUnreferencedTimer } from "../engine/timers.js";

// Adds the behavior of signals to that of events.
export function addSignals(/** @type {any} */ machinery) {
    const {
        addListener, cancel, eventOf, fire, link, makeException, makeList, removeListener, targetOf, unlink,
    } = machinery;

    // Returns the state of a signal besides that of its event target; `undefined` for any other value.
    function signalOf(/** @type {unknown} */ value) {
        const target = targetOf(value);
        return target === undefined ? undefined : target.signal;
    }

    function stateOfSignal(/** @type {unknown} */ value) {
        const state = signalOf(value);
        if (state === undefined) throw new TypeError("this is not an AbortSignal");
        return state;
    }

    // ------------------------------------------------------------ algorithms

    // Adds a function that runs when the signal aborts, before its event. Not for a signal that has aborted.
    function follow(/** @type {any} */ state, /** @type {(...values: any[]) => any} */ run) {
        const follower = { __proto__: null, run, previous: null, next: null, isLinked: false };
        link(state.followers, follower);
        need(state, 1);
        return follower;
    }

    function unfollow(/** @type {any} */ state, /** @type {any} */ follower) {
        if (!follower.isLinked) return;
        unlink(state.followers, follower);
        need(state, -1);
    }

    // Returns the signal in the form that calls use; a script's own classes of signals have another form.
    function followableOf(/** @type {unknown} */ value) {
        const state = signalOf(value);
        if (state === undefined) return undefined;
        return state.followable ??= {
            __proto__: null,
            isAborted: () => state.reason !== undefined,
            reason: () => state.reason,
            follow: (/** @type {(...values: any[]) => any} */ run) => follow(state, run),
            unfollow: (/** @type {any} */ follower) => { unfollow(state, follower); },
        };
    }

    // ------------------------------------------------------------ retaining signals

    // A signal that depends on others retains them, and they hold it weakly. The timer of a signal with a timeout
    // holds it weakly too. Both hold it strongly while something waits for it to abort: a listener, an algorithm,
    // or a dependent signal for which that is so.
    function need(/** @type {any} */ state, /** @type {number} */ change) {
        const wasNeeded = state.needs > 0;
        state.needs += change;
        const isNeeded = state.needs > 0;
        if (isNeeded === wasNeeded || state.reason !== undefined) return;
        const holder = isNeeded ? state.signal : undefined;
        if (state.timeout !== undefined) state.timeout.strong = holder;
        for (let node = state.sources; node !== null; node = node.next) {
            node.edge.strong = holder;
            need(node.source, isNeeded ? 1 : -1);
        }
    }

    function observe(/** @type {any} */ state) {
        state.target.observer = (
            /** @type {string} */ type, /** @type {number} */ change,
        ) => { if (type === "abort") need(state, change); };
    }

    function held(/** @type {any} */ holder) {
        return holder.strong === undefined ? WeakRefPrototypeDeref(holder.weak) : holder.strong;
    }

    // A list of weak references is pruned when it has doubled, at constant amortized cost.
    function addWeak(/** @type {any} */ list, /** @type {any} */ signal) {
        if (list.count >= list.pruneAt) prune(list);
        /** @type {any} */
        const holder = {
            __proto__: null, weak: new WeakRef(signal), strong: undefined, id: undefined, previous: null,
            next: null, isLinked: false,
        };
        link(list, holder);
        list.count++;
        return holder;
    }

    function removeWeak(/** @type {any} */ list, /** @type {any} */ holder) {
        if (!holder.isLinked) return;
        unlink(list, holder);
        list.count--;
    }

    function prune(/** @type {any} */ list) {
        for (let holder = list.first; holder !== null; holder = holder.next) {
            if (held(holder) !== undefined) continue;
            removeWeak(list, holder);
            if (holder.id !== undefined) clearTimer(holder.id);
        }
        list.pruneAt = list.count < 8 ? 16 : list.count * 2;
    }

    function makeWeakList() {
        return { __proto__: null, first: null, last: null, count: 0, pruneAt: 16 };
    }

    // ------------------------------------------------------------ signals

    // Not through the class and its prototypes, which a script can change.
    function makeSignal() {
        const signal = ReflectConstruct(EventTarget, [], AbortSignal);
        const target = targetOf(signal);
        target.signal = {
            __proto__: null, signal, target, reason: undefined, followers: makeList(), handler: null,
            handlerListener: null, isDependent: false, sources: null, dependents: undefined, needs: 0,
            timeout: undefined, followable: undefined,
        };
        return signal;
    }

    function makeAborted(/** @type {unknown} */ reason) {
        const signal = makeSignal();
        signalOf(signal).reason = reason === undefined ? abortError() : reason;
        return signal;
    }

    function abortError() {
        return makeException(DOMException, "The operation was aborted.", "AbortError");
    }

    // All dependents get the reason before any code runs; their abort steps run after the signal's own.
    function abort(/** @type {any} */ state, /** @type {unknown} */ reason) {
        if (state.reason !== undefined) return;
        const { dependents } = state;
        mark(state, reason);
        /** @type {any} */
        let first = null;
        /** @type {any} */
        let last = null;
        for (let edge = dependents === undefined ? null : dependents.first; edge !== null; edge = edge.next) {
            const signal = held(edge);
            if (signal === undefined) continue;
            const dependent = signalOf(signal);
            if (dependent.reason !== undefined) continue;
            mark(dependent, reason);
            const node = { __proto__: null, dependent, next: null };
            if (last === null) first = node;
            else last.next = node;
            last = node;
        }
        runAbortSteps(state);
        for (; first !== null; first = first.next) runAbortSteps(first.dependent);
    }

    // Sets the reason. A signal that has aborted waits for nothing any more, so its sources release it.
    function mark(/** @type {any} */ state, /** @type {unknown} */ reason) {
        state.reason = reason;
        state.target.observer = undefined;
        state.timeout = undefined;
        state.dependents = undefined;
        for (let node = state.sources; node !== null; node = node.next) {
            if (node.source.dependents !== undefined) removeWeak(node.source.dependents, node.edge);
            if (state.needs > 0) need(node.source, -1);
        }
        state.sources = null;
    }

    function runAbortSteps(/** @type {any} */ state) {
        const { followers } = state;
        while (followers.first !== null) {
            const follower = followers.first;
            unlink(followers, follower);
            follower.run();
        }
        fire("abort", state.signal, state.target);
    }

    // ------------------------------------------------------------ onabort

    // The handler keeps the position among the listeners of the first function that was set, until it is set to
    // null.
    function setHandler(/** @type {any} */ state, /** @type {unknown} */ value) {
        state.handler = isObject(value) ? value : null;
        if (state.handler === null) {
            if (state.handlerListener !== null) removeListener(state.target, state.handlerListener);
            state.handlerListener = null;
        } else if (state.handlerListener === null) {
            const call = (/** @type {any} */ event) => {
                const { handler, signal } = state;
                if (typeof handler !== "function") return;
                if (ReflectApply(handler, signal, [event]) === false) cancel(eventOf(event));
            };
            state.handlerListener = addListener(state.target, "abort", call, false, false, false, undefined);
        }
    }

    // ------------------------------------------------------------ timeouts

    // Converts a value to Web IDL's unsigned long long with [EnforceRange].
    function wholeNumber(/** @type {any} */ value) {
        const number = +value;
        // Also rejects NaN.
        if (!(number > -1 && number <= 9007199254740991)) {
            throw new TypeError("a timeout is a number of milliseconds from 0 to 2^53 - 1");
        }
        return number - number % 1 + 0;
    }

    const timeouts = makeWeakList();

    function makeTimeout(/** @type {number} */ count, /** @type {unknown} */ value) {
        needArguments(count, 1, "AbortSignal.timeout");
        const milliseconds = wholeNumber(value);
        const signal = makeSignal();
        const state = signalOf(signal);
        const holder = addWeak(timeouts, signal);
        // The timer holds only the holder, so that an unreferenced signal without listeners can be collected before
        // its time.
        try {
            holder.id = setUnreferencedTimer(() => { expire(holder); }, milliseconds);
        } catch (error) {
            removeWeak(timeouts, holder);
            throw error;
        }
        state.timeout = holder;
        observe(state);
        return signal;
    }

    function expire(/** @type {any} */ holder) {
        removeWeak(timeouts, holder);
        const signal = held(holder);
        if (signal === undefined) return;
        abort(signalOf(signal), makeException(DOMException, "The operation timed out.", "TimeoutError"));
    }

    // ------------------------------------------------------------ any

    // Iterates over Web IDL's sequence. A plain array is read by its indices, as its iterator does, so that changes
    // a script made to Array.prototype have no effect.
    // An array that nothing but the language iterates is read by its indexes, so that a script's changes of the
    // iterator of all arrays have no effect.
    const isPlainArray = (/** @type {any} */ value) =>
        ArrayIsArray(value) && ObjectGetPrototypeOf(value) === ArrayPrototype && !ObjectHasOwn(value, SymbolIterator);

    // Takes the elements by a method that returns an iterator, or by their indexes without one.
    function iterate(
        /** @type {any} */ value, /** @type {any} */ method, /** @type {any} */ complaint, /** @type {any} */ take,
    ) {
        if (method === undefined && isPlainArray(value)) {
            for (let index = 0; index < value.length; index++) take(value[index]);
            return;
        }
        if (typeof method !== "function") throw new TypeError(complaint);
        const iterator = ReflectApply(method, value, []);
        if (!isObject(iterator)) throw new TypeError("an iterator is an object");
        const { next } = iterator;
        for (;;) {
            const result = ReflectApply(next, iterator, []);
            if (!isObject(result)) throw new TypeError("an iterator's result is an object");
            if (result.done) return;
            take(result.value);
        }
    }

    function eachElement(/** @type {any} */ value, /** @type {any} */ complaint, /** @type {any} */ take) {
        if (!isObject(value)) throw new TypeError(complaint);
        iterate(value, isPlainArray(value) ? undefined : value[SymbolIterator], complaint, take);
    }

    function listOfSignals(/** @type {unknown} */ value) {
        const list = makeList(), complaint = "AbortSignal.any takes an iterable of signals";
        eachElement(value, complaint, (/** @type {unknown} */ signal) => {
            const state = signalOf(signal);
            if (state === undefined) throw new TypeError(complaint);
            link(list, { __proto__: null, state, previous: null, next: null, isLinked: false });
        });
        return list;
    }

    function makeDependent(/** @type {any} */ list) {
        const signal = makeSignal();
        const state = signalOf(signal);
        for (let node = list.first; node !== null; node = node.next) {
            if (node.state.reason === undefined) continue;
            state.reason = node.state.reason;
            return signal;
        }
        state.isDependent = true;
        for (let node = list.first; node !== null; node = node.next) {
            if (!node.state.isDependent) {
                depend(state, node.state);
                continue;
            }
            for (let inner = node.state.sources; inner !== null; inner = inner.next) depend(state, inner.source);
        }
        if (state.sources !== null) observe(state);
        return signal;
    }

    function depend(/** @type {any} */ state, /** @type {any} */ source) {
        source.dependents ??= makeWeakList();
        // Only the last element of the list can be the newest signal.
        const { last } = source.dependents;
        if (last !== null && WeakRefPrototypeDeref(last.weak) === state.signal) return;
        const edge = addWeak(source.dependents, state.signal);
        state.sources = { __proto__: null, source, edge, next: state.sources };
    }

    // ------------------------------------------------------------ controllers

    /** @type {any} */
    let controllerOf;

    class ControllerState extends Given {
        #signal = makeSignal();
        static {
            controllerOf = (/** @type {any} */ value) => isObject(value) && #signal in value ? value.#signal : undefined;
        }
        constructor(/** @type {object} */ object) { super(object); }
    }

    function signalOfController(/** @type {unknown} */ value) {
        const signal = controllerOf(value);
        if (signal === undefined) throw new TypeError("this is not an AbortController");
        return signal;
    }

    machinery.refuseSignal = () => {
        throw new TypeError("Illegal constructor: AbortController and AbortSignal's static methods make signals");
    };
    machinery.makeAborted = makeAborted;
    machinery.makeTimeout = makeTimeout;
    machinery.makeDependent = (/** @type {number} */ count, /** @type {any} */ signals) => {
        needArguments(count, 1, "AbortSignal.any");
        return makeDependent(listOfSignals(signals));
    };
    machinery.eachElement = eachElement;
    machinery.isPlainArray = isPlainArray;
    machinery.iterate = iterate;
    machinery.stateOfSignal = stateOfSignal;
    machinery.signalOf = signalOf;
    machinery.makeSignal = makeSignal;
    machinery.abortSignal = (
        /** @type {any} */ signal, /** @type {unknown} */ reason,
    ) => { abort(signalOf(signal), reason); };
    machinery.followableOf = followableOf;
    machinery.follow = follow;
    machinery.unfollow = unfollow;
    machinery.setHandler = setHandler;
    machinery.beginController = (/** @type {object} */ object, /** @type {any} */ newTarget) => {
        needNew(newTarget, "AbortController");
        new ControllerState(object);
    };
    machinery.signalOfController = signalOfController;
    machinery.abort = (/** @type {any} */ signal, /** @type {unknown} */ reason) => {
        abort(signalOf(signal), reason === undefined ? abortError() : reason);
    };
    addReader((/** @type {unknown} */ value) => {
        const state = signalOf(value);
        if (state !== undefined) return members("aborted", state.reason !== undefined);
        const signal = controllerOf(value);
        return signal === undefined ? undefined : members("signal", signal);
    });
}

// Returns the members that console shows of an object with one member.
const members = (/** @type {string} */ name, /** @type {unknown} */ value) => (
    { __proto__: null, isMap: false, pairs: [{ __proto__: null, name, value }] }
);
