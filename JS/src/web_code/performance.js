// The clock of scripts, and the entries that they record with it. The time is that of timers and events.
import { coarse, environment } from "../engine/environment.js";
import { EventTarget } from "../engine/events.js";
import { needArguments, needNew } from "../engine/interfaces.js";
import { isObject } from "../engine/objects.js";
import { ObjectDefineProperty, ReflectConstruct, TypeError } from "../engine/primordials.js";
import { useClone } from "../engine/structured_clone.js";
import { fail } from "../web/exceptions.js";
import { Performance, PerformanceMark, PerformanceMeasure } from "../web/performance.js";
import { dictionary, makeStates } from "./states.js";
import { append, collect, toList } from "./timeline.js";

export function loadPerformance() {
    const object = ReflectConstruct(EventTarget, [], Performance);
    const states = makeStates();
    const origin = coarse(environment.now() - environment.eventTime());

    const time = () => coarse(environment.eventTime());

    function need(/** @type {unknown} */ receiver) {
        if (receiver !== object) throw new TypeError("this is not the Performance");
    }

    // ------------------------------------------------------------ entries

    const timeline = { __proto__: null, first: null, last: null };

    function giveState(
        /** @type {any} */ entry, /** @type {string} */ name, /** @type {string} */ entryType, /** @type {number} */ startTime,
        /** @type {number} */ duration, /** @type {unknown} */ detail,
    ) {
        states.give(entry, { __proto__: null, entry, name, entryType, startTime, duration, detail });
        return entry;
    }

    function record(/** @type {any} */ entry) {
        const state = states.read(entry);
        append(timeline, state);
        observers?.queueEntry(state);
        return entry;
    }
    // The part of observers, once a script has made one.
    /** @type {any} */
    let observers;

    const detailOf = (/** @type {unknown} */ value) => value === undefined || value === null ? null : useClone().structuredClone(1, value, undefined);

    function finite(/** @type {any} */ value, /** @type {string} */ what) {
        const number = +value;
        if (!(number - number === 0)) throw new TypeError(what + " is a finite number");
        return number;
    }

    // ------------------------------------------------------------ marks

    function makeMark(/** @type {any} */ entry, /** @type {unknown} */ markName, /** @type {any} */ options) {
        const name = `${markName}`;
        const given = dictionary(options, "the options of a mark");
        const { detail, startTime } = given;
        const start = startTime === undefined ? undefined : finite(startTime, "a mark's startTime");
        if (start !== undefined && start < 0) throw new TypeError("a mark's startTime is not negative");
        return giveState(entry, name, "mark", start ?? time(), 0, detailOf(detail));
    }

    function beginMark(
        /** @type {any} */ entry, /** @type {any} */ newTarget, /** @type {number} */ count, /** @type {unknown} */ name,
        /** @type {any} */ options,
    ) {
        needNew(newTarget, "PerformanceMark");
        needArguments(count, 1, "PerformanceMark");
        makeMark(entry, name, options);
    }

    function mark(/** @type {unknown} */ receiver, /** @type {number} */ count, /** @type {unknown} */ name, /** @type {any} */ options) {
        need(receiver);
        needArguments(count, 1, "mark");
        return record(makeMark({ __proto__: PerformanceMark.prototype }, name, options));
    }

    // ------------------------------------------------------------ measures

    // A name or a time, as Web IDL converts it.
    const markOf = (/** @type {any} */ value) => typeof value === "number" ? finite(value, "a time") : `${value}`;

    function timeOf(/** @type {any} */ mark) {
        if (typeof mark === "number") {
            if (mark < 0) throw new TypeError("a time is not negative");
            return mark;
        }
        let found;
        for (let node = /** @type {any} */ (timeline).first; node !== null; node = node.next) {
            if (node.value.entryType === "mark" && node.value.name === mark) found = node.value.startTime;
        }
        if (found === undefined) fail("There is no mark \"" + mark + "\".", "SyntaxError");
        return found;
    }

    function measure(
        /** @type {unknown} */ receiver, /** @type {number} */ count, /** @type {unknown} */ measureName,
        /** @type {any} */ startOrOptions, /** @type {any} */ endMark,
    ) {
        need(receiver);
        needArguments(count, 1, "measure");
        const name = `${measureName}`;
        let detail, duration, end, start;
        if (startOrOptions === undefined || startOrOptions === null || isObject(startOrOptions)) {
            const given = dictionary(startOrOptions, "the options of a measure");
            detail = given.detail;
            const { duration: length } = given;
            duration = length === undefined ? undefined : finite(length, "a measure's duration");
            const last = given.end;
            end = last === undefined ? undefined : markOf(last);
            const first = given.start;
            start = first === undefined ? undefined : markOf(first);
        } else start = `${startOrOptions}`;
        const endName = endMark === undefined ? undefined : `${endMark}`;
        const isGiven = detail !== undefined || duration !== undefined || end !== undefined || start !== undefined;
        if (isObject(startOrOptions) && isGiven) {
            if (endName !== undefined) throw new TypeError("a measure has options or an end mark, not both");
            if (start === undefined && end === undefined) throw new TypeError("a measure's options have a start or an end");
            if (start !== undefined && duration !== undefined && end !== undefined) {
                throw new TypeError("a measure's options have two of start, duration and end, not all");
            }
        }
        let endTime;
        if (endName !== undefined) endTime = timeOf(endName);
        else if (end !== undefined) endTime = timeOf(end);
        else if (start !== undefined && duration !== undefined) endTime = timeOf(start) + duration;
        else endTime = time();
        let startTime = 0;
        if (start !== undefined) startTime = timeOf(start);
        else if (duration !== undefined && end !== undefined) startTime = timeOf(end) - duration;
        const entry = { __proto__: PerformanceMeasure.prototype };
        return record(giveState(entry, name, "measure", startTime, endTime - startTime, detailOf(detail)));
    }

    // ------------------------------------------------------------ the timeline

    function clear(/** @type {unknown} */ receiver, /** @type {string} */ type, /** @type {unknown} */ name) {
        need(receiver);
        const text = name === undefined ? undefined : `${name}`;
        /** @type {any} */
        const list = timeline;
        let kept = null, last = null;
        for (let node = list.first; node !== null; node = node.next) {
            const { entryType, name: known } = node.value;
            if (entryType === type && (text === undefined || known === text)) continue;
            if (last === null) kept = node;
            else last.next = node;
            last = node;
        }
        if (last !== null) last.next = null;
        list.first = kept;
        list.last = last;
    }

    const detailed = (/** @type {any} */ value, /** @type {string} */ type) => {
        const what = type === "mark" ? "PerformanceMark" : "PerformanceMeasure";
        const state = states.need(value, what);
        if (state.entryType !== type) throw new TypeError("this is not a " + what);
        return state;
    };

    function member(/** @type {any} */ target, /** @type {string} */ name, /** @type {unknown} */ value) {
        ObjectDefineProperty(target, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    }

    return {
        __proto__: null, object, beginMark, mark, measure, clear,
        timeline,
        setObservers(/** @type {any} */ part) { observers = part; },
        now(/** @type {unknown} */ receiver) {
            need(receiver);
            return time();
        },
        timeOrigin(/** @type {unknown} */ receiver) {
            need(receiver);
            return origin;
        },
        toJSON(/** @type {unknown} */ receiver) {
            need(receiver);
            const json = {};
            member(json, "timeOrigin", origin);
            return json;
        },
        getEntries(/** @type {unknown} */ receiver) {
            need(receiver);
            return toList(collect(timeline, undefined, undefined));
        },
        getEntriesByType(/** @type {unknown} */ receiver, /** @type {number} */ count, /** @type {unknown} */ type) {
            need(receiver);
            needArguments(count, 1, "getEntriesByType");
            return toList(collect(timeline, undefined, `${type}`));
        },
        getEntriesByName(
            /** @type {unknown} */ receiver, /** @type {number} */ count, /** @type {unknown} */ name, /** @type {unknown} */ type,
        ) {
            need(receiver);
            needArguments(count, 1, "getEntriesByName");
            const text = `${name}`;
            return toList(collect(timeline, text, type === undefined ? undefined : `${type}`));
        },
        stateOfEntry: (/** @type {unknown} */ value) => states.need(value, "PerformanceEntry"),
        stateOfDetailed: detailed,
        entryToJSON(/** @type {unknown} */ value) {
            const state = states.need(value, "PerformanceEntry");
            const json = {};
            member(json, "name", state.name);
            member(json, "entryType", state.entryType);
            member(json, "startTime", state.startTime);
            member(json, "duration", state.duration);
            member(json, "detail", state.detail);
            return json;
        },
    };
}
