// PerformanceObserver. An observer is called by a timer of its own, after the code that recorded the entries.
import { useEvents } from "../engine/events.js";
import { needArguments, needNew } from "../engine/interfaces.js";
import { ObjectFreeze, ReflectApply, TypeError } from "../engine/primordials.js";
import { setTimer } from "../engine/timers.js";
import { reportError } from "../engine/uncaught.js";
import { fail } from "../web/exceptions.js";
import { usePart } from "../web/parts.js";
import { PerformanceObserverEntryList } from "../web/performance.js";
import { dictionary, makeStates } from "./states.js";
import { append, collect, toList } from "./timeline.js";

export function loadObservers() {
    const { eachElement, link, makeList, unlink } = useEvents();
    const performance = usePart("performance");
    const states = makeStates(), lists = makeStates();
    const observing = makeList();
    const types = ObjectFreeze(["mark", "measure"]);
    const isSupported = (/** @type {string} */ type) => type === "mark" || type === "measure";
    let isQueued = false;

    const stateOfObserver = (/** @type {unknown} */ value) => states.need(value, "PerformanceObserver");
    const makeEntries = () => ({ __proto__: null, first: null, last: null });

    function beginObserver(
        /** @type {any} */ observer, /** @type {any} */ newTarget, /** @type {number} */ count, /** @type {any} */ callback,
    ) {
        needNew(newTarget, "PerformanceObserver");
        needArguments(count, 1, "PerformanceObserver");
        if (typeof callback !== "function") throw new TypeError("a PerformanceObserver needs a function");
        states.give(observer, {
            __proto__: null, observer, callback, kind: undefined, mark: false, measure: false, entries: makeEntries(),
            previous: null, next: null, isLinked: false,
        });
    }

    function observe(/** @type {unknown} */ observer, /** @type {any} */ options) {
        const state = stateOfObserver(observer);
        const given = dictionary(options, "the options of an observer");
        const buffered = given.buffered, isBuffered = buffered === undefined ? undefined : !!buffered;
        const list = given.entryTypes;
        /** @type {any} */
        let names;
        if (list !== undefined) {
            names = makeEntries();
            eachElement(list, "\"entryTypes\" is an iterable of strings", (/** @type {unknown} */ type) => { append(names, `${type}`); });
        }
        const single = given.type, type = single === undefined ? undefined : `${single}`;
        if (names === undefined && type === undefined) throw new TypeError("an observer needs \"type\" or \"entryTypes\"");
        if (names !== undefined && (type !== undefined || isBuffered !== undefined)) {
            throw new TypeError("\"entryTypes\" goes with no other option of an observer");
        }
        const kind = names === undefined ? "single" : "multiple";
        if (state.kind !== undefined && state.kind !== kind) {
            fail("An observer has \"type\" or \"entryTypes\", always the same.", "InvalidModificationError");
        }
        state.kind = kind;
        if (names !== undefined) {
            let mark = false, measure = false;
            for (let node = names.first; node !== null; node = node.next) {
                if (node.value === "mark") mark = true;
                if (node.value === "measure") measure = true;
            }
            if (!mark && !measure) return;
            state.mark = mark;
            state.measure = measure;
        } else {
            if (!isSupported(/** @type {string} */ (type))) return;
            state[/** @type {string} */ (type)] = true;
        }
        if (!state.isLinked) link(observing, state);
        if (isBuffered !== true) return;
        for (let node = performance.timeline.first; node !== null; node = node.next) {
            if (node.value.entryType === type) append(state.entries, node.value);
        }
        queue();
    }

    function disconnect(/** @type {unknown} */ observer) {
        const state = stateOfObserver(observer);
        unlink(observing, state);
        state.entries = makeEntries();
        state.mark = state.measure = false;
        state.kind = undefined;
    }

    function takeEntries(/** @type {any} */ state) {
        const { entries } = state;
        state.entries = makeEntries();
        return entries;
    }

    function queueEntry(/** @type {any} */ entry) {
        let isObserved = false;
        for (let state = observing.first; state !== null; state = state.next) {
            if (!state[entry.entryType]) continue;
            append(state.entries, entry);
            isObserved = true;
        }
        if (isObserved) queue();
    }

    function queue() {
        if (isQueued) return;
        setTimer(notify, 0);
        isQueued = true;
    }

    function notify() {
        isQueued = false;
        const called = makeEntries();
        for (let state = observing.first; state !== null; state = state.next) append(called, state);
        for (let node = called.first; node !== null; node = /** @type {any} */ (node).next) {
            const state = /** @type {any} */ (node).value;
            if (state.entries.first === null) continue;
            const list = { __proto__: PerformanceObserverEntryList.prototype };
            lists.give(list, takeEntries(state));
            try {
                ReflectApply(state.callback, state.observer, [list, state.observer, { droppedEntriesCount: 0 }]);
            } catch (error) {
                reportError(error);
            }
        }
    }

    const entriesOf = (
        /** @type {unknown} */ list, /** @type {string | undefined} */ name, /** @type {string | undefined} */ type,
    ) => toList(collect(lists.need(list, "PerformanceObserverEntryList"), name, type));

    const part = {
        __proto__: null, beginObserver, observe, disconnect, queueEntry,
        supportedEntryTypes: () => types,
        takeRecords(/** @type {unknown} */ observer) {
            return toList(collect(takeEntries(stateOfObserver(observer)), undefined, undefined));
        },
        entriesOf: (/** @type {unknown} */ list) => entriesOf(list, undefined, undefined),
        entriesByType(/** @type {unknown} */ list, /** @type {number} */ count, /** @type {unknown} */ type) {
            needArguments(count, 1, "getEntriesByType");
            return entriesOf(list, undefined, `${type}`);
        },
        entriesByName(
            /** @type {unknown} */ list, /** @type {number} */ count, /** @type {unknown} */ name, /** @type {unknown} */ type,
        ) {
            needArguments(count, 1, "getEntriesByName");
            const text = `${name}`;
            return entriesOf(list, text, type === undefined ? undefined : `${type}`);
        },
    };
    performance.setObservers(part);
    return part;
}
