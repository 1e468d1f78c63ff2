// Performance by the High Resolution Time, Performance Timeline and User Timing standards
// (https://w3c.github.io/hr-time, https://w3c.github.io/performance-timeline, https://w3c.github.io/user-timing).
import { EventTarget, publishInterface } from "../engine/events.js";
import { ObjectDefineProperty, ObjectSetPrototypeOf } from "../engine/primordials.js";
import { usePart } from "./parts.js";
import { needGlobal, publishClass, publishMembers, refuseConstruction, replaceGlobal } from "./publishing.js";

export function Performance() { refuseConstruction("Performance"); }
ObjectSetPrototypeOf(Performance, EventTarget);
publishInterface("Performance", Performance, {
    __proto__: EventTarget.prototype,
    now() { return usePart("performance").now(this); },
    get timeOrigin() { return usePart("performance").timeOrigin(this); },
    toJSON() { return usePart("performance").toJSON(this); },
    getEntries() { return usePart("performance").getEntries(this); },
    getEntriesByType(/** @type {string} */ type) {
        return usePart("performance").getEntriesByType(this, arguments.length, type);
    },
    getEntriesByName(/** @type {string} */ name, type = undefined) {
        return usePart("performance").getEntriesByName(this, arguments.length, name, type);
    },
    mark(/** @type {string} */ markName, markOptions = undefined) {
        return usePart("performance").mark(this, arguments.length, markName, markOptions);
    },
    clearMarks(markName = undefined) { usePart("performance").clear(this, "mark", markName); },
    measure(/** @type {string} */ measureName, startOrMeasureOptions = undefined, endMark = undefined) {
        return usePart("performance").measure(this, arguments.length, measureName, startOrMeasureOptions, endMark);
    },
    clearMeasures(measureName = undefined) { usePart("performance").clear(this, "measure", measureName); },
});

function PerformanceEntry() { refuseConstruction("PerformanceEntry"); }
publishClass("PerformanceEntry", PerformanceEntry, {
    get name() { return usePart("performance").stateOfEntry(this).name; },
    get entryType() { return usePart("performance").stateOfEntry(this).entryType; },
    get startTime() { return usePart("performance").stateOfEntry(this).startTime; },
    get duration() { return usePart("performance").stateOfEntry(this).duration; },
    toJSON() { return usePart("performance").entryToJSON(this); },
});

/** @this {any} */
export function PerformanceMark(/** @type {string} */ markName, markOptions = undefined) {
    usePart("performance").beginMark(this, new.target, arguments.length, markName, markOptions);
}
ObjectSetPrototypeOf(PerformanceMark, PerformanceEntry);
publishInterface("PerformanceMark", PerformanceMark, {
    __proto__: PerformanceEntry.prototype,
    get detail() { return usePart("performance").stateOfDetailed(this, "mark").detail; },
});

export function PerformanceMeasure() { refuseConstruction("PerformanceMeasure"); }
ObjectSetPrototypeOf(PerformanceMeasure, PerformanceEntry);
publishInterface("PerformanceMeasure", PerformanceMeasure, {
    __proto__: PerformanceEntry.prototype,
    get detail() { return usePart("performance").stateOfDetailed(this, "measure").detail; },
});

/** @this {any} */
function PerformanceObserver(/** @type {any} */ callback) {
    usePart("observers").beginObserver(this, new.target, arguments.length, callback);
}
publishClass("PerformanceObserver", PerformanceObserver, {
    observe(options = undefined) { usePart("observers").observe(this, options); },
    disconnect() { usePart("observers").disconnect(this); },
    takeRecords() { return usePart("observers").takeRecords(this); },
});
const supported = { get supportedEntryTypes() { return usePart("observers").supportedEntryTypes(); } };
ObjectDefineProperty(PerformanceObserver, "supportedEntryTypes", /** @type {any} */ (
    Object.getOwnPropertyDescriptor(supported, "supportedEntryTypes")
));

export function PerformanceObserverEntryList() { refuseConstruction("PerformanceObserverEntryList"); }
publishClass("PerformanceObserverEntryList", PerformanceObserverEntryList, {
    getEntries() { return usePart("observers").entriesOf(this); },
    getEntriesByType(/** @type {string} */ type) {
        return usePart("observers").entriesByType(this, arguments.length, type);
    },
    getEntriesByName(/** @type {string} */ name, type = undefined) {
        return usePart("observers").entriesByName(this, arguments.length, name, type);
    },
});

publishMembers({
    get performance() {
        needGlobal(this, "performance");
        return usePart("performance").object;
    },
    set performance(value) { replaceGlobal(this, "performance", value); },
});
