// Errors across the boundary: thrown values are described as plain data, and errors are created from data. This file
// also records the asynchronous origin of the running code, which the engine's own stacks do not contain.
import { show } from "./console.js";
import { native } from "./native.js";
import { isObject } from "./objects.js";
import {
    ArrayIsArray, Error, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectHasOwn,
    ObjectKeys, ReflectApply, String, StringPrototypeCharCodeAt, StringPrototypeIndexOf, StringPrototypeSlice, StringPrototypeStartsWith,
    WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet,
} from "./primordials.js";
import { failure, take, takeOwn } from "./values.js";

/** @type {{ isError(value: unknown): boolean }} */
const { isError } = /** @type {any} */ (Error);

function defineEnumerable(/** @type {any} */ target, /** @type {PropertyKey} */ key, /** @type {unknown} */ value) {
    ObjectDefineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

// ---------------------------------------------------------------- asynchronous origins

// The engine forgets the origin of asynchronous code at each `await`, timer and message. So the code that starts an
// operation leaves a note with an error that holds the stack. The engine writes that stack as a string only when it
// is read (0.2 us, measured). The code that runs later runs under that note, with its microtasks, until the next
// timer or message.
const maximumHops = 8;
/** @type {AsyncOrigin | null} */
let origin = null;
// Whether a value is being shown for an error.
let isShowing = false;
// Whether the scripts are being notified of an uncaught error. Errors of their listeners go to the host alone.
export const reporting = { __proto__: null, isOn: false };

// Creates a note under the present one. The oldest notes and the latest one are kept, so that an endless loop grows
// no chain. Without a stack, where that would cost too much, only the label is known.
export function noteOrigin(/** @type {string} */ label, hasStack = true) {
    const until = origin === null ? null : origin.until;
    const trace = origin === null ? undefined : origin.trace;
    if (!host.capturesAsyncStacks) return until === null && trace === undefined ? null : root(until, trace);
    const parent = origin !== null && origin.depth >= maximumHops ? origin.parent : origin;
    return {
        label, site: hasStack ? new Error("") : null, parent, depth: parent === null ? 1 : parent.depth + 1,
        trail: undefined, until, time: Infinity, trace,
    };
}

// Creates the note of code that the host started. `until` is the note whose `time` is the deadline.
function root(/** @type {any} */ until, /** @type {BridgeTrace | undefined} */ trace) {
    return { label: "", site: null, parent: null, depth: 0, trail: "", until, time: Infinity, trace };
}

// Enters a deadline of the host for the code that runs, on the clock of `eventTime`. Returns the note whose `time`
// applies to everything that this code starts. The reply sets it to Infinity, because the rest has no caller that
// waits.
export function enterDeadline(/** @type {any} */ time) {
    origin = root(null, origin === null ? undefined : origin.trace);
    origin.time = time;
    origin.until = origin;
    return origin;
}

// Enters a trace for the code that runs and for what it starts.
export function enterTrace(/** @type {BridgeTrace | undefined} */ trace) {
    origin = root(origin === null ? null : origin.until, trace);
}

export function currentTrace() {
    return origin === null ? undefined : origin.trace;
}

// Returns the deadline of the call for which this code runs, on the clock of `eventTime`; Infinity without one.
export function inheritedDeadline() {
    return origin === null || origin.until === null ? Infinity : origin.until.time;
}

// Enters a recorded origin; null for code that the host started.
export function enterOrigin(/** @type {any} */ note) {
    const outer = origin;
    origin = note;
    // The host enters null after it has terminated a script, which skips the `finally` of shown() and of a report.
    isShowing = reporting.isOn = false;
    return outer;
}

host.capturesAsyncStacks = true;

function ownText(/** @type {any} */ object, /** @type {string} */ key) {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
    return descriptor !== undefined && typeof descriptor.value === "string" ? descriptor.value : "";
}

// The package's own lines, and functions of the engine that a script did not call: they resume an async function or
// run a reaction.
const engineNames = ["asyncF", "asyncG", "asyncModuleEvaluation", "generatorResume", "promise"];
function isInternal(/** @type {any} */ line) {
    if (StringPrototypeIndexOf(line, "jsbridge:internal", 0) >= 0) return true;
    const at = StringPrototypeIndexOf(line, "@", 0);
    if (at < 0 || StringPrototypeSlice(line, at + 1) !== "[native code]") return false;
    const name = StringPrototypeSlice(line, 0, at);
    if (name === "") return true;
    for (let index = 0; index < engineNames.length; index++) if (StringPrototypeStartsWith(name, engineNames[index])) return true;
    return false;
}

// Returns a stack without the lines of this package and of the engine.
function withoutInternals(/** @type {any} */ stack) {
    let result = "";
    for (let start = 0; start < stack.length;) {
        let end = StringPrototypeIndexOf(stack, "\n", start);
        if (end < 0) end = stack.length;
        const line = StringPrototypeSlice(stack, start, end);
        if (!isInternal(line)) result += (result === "" ? "" : "\n") + line;
        start = end + 1;
    }
    return result;
}

// Returns a hop as a line of a stack, followed by the frames of its origin.
function hop(/** @type {string} */ label, /** @type {any} */ site) {
    return label + "@[async]" + (site === null ? "" : "\n" + withoutInternals(ownText(site, "stack")));
}

// Returns the hops to a note, innermost first. The string is created once per note.
function trailTo(/** @type {any} */ note) {
    if (note.trail === undefined) {
        const rest = note.parent === null ? "" : trailTo(note.parent);
        note.trail = hop(note.label, note.site) + (rest === "" ? "" : "\n" + rest);
    }
    return note.trail;
}

// ---------------------------------------------------------------- errors of Swift in scripts

// The sources of errors: the host's handle, and the beginning of the stack, which the host knows better.
const origins = new WeakMap();

// Records the source of an error, and appends its asynchronous origin to its stack.
export function adoptError(
    /** @type {unknown} */ error, /** @type {any} */ handle, /** @type {string} */ label, /** @type {any} */ note,
) {
    const known = ownText(error, "stack");
    if (handle !== undefined && handle !== null) WeakMapPrototypeSet(origins, error, { __proto__: null, handle, known });
    if (note !== undefined && note !== null && note.label !== "") {
        const value = (known === "" ? "" : known + "\n") + hop(label, note.site);
        ObjectDefineProperty(error, "stack", { __proto__: null, value, writable: true, enumerable: false, configurable: true });
    }
    return error;
}

// Creates the error that a throwing Swift function throws into a script.
export function makeHostError(/** @type {any} */ record, /** @type {any} */ handle) {
    // Errors of imports have no code.
    const error = failure(ObjectHasOwn(record, "code") ? record.code : undefined, record.msg);
    if (ObjectHasOwn(record, "data")) defineEnumerable(error, "data", record.data);
    if (ObjectHasOwn(record, "cause")) {
        ObjectDefineProperty(error, "cause", {
            __proto__: null, value: makeHostError(record.cause), writable: true, configurable: true,
        });
    }
    if (handle !== undefined) WeakMapPrototypeSet(origins, error, { __proto__: null, handle, known: "" });
    return error;
}

// Returns the handle of the Swift error from which an error was made, if any, with the part of the stack that the
// host does not know.
export function originOf(/** @type {unknown} */ thrown, /** @type {any} */ stack) {
    const entry = isObject(thrown) ? WeakMapPrototypeGet(origins, thrown) : undefined;
    if (entry === undefined) return undefined;
    const isKnown = entry.known !== "" && typeof stack === "string" && StringPrototypeStartsWith(stack, entry.known);
    return {
        __proto__: null, handle: entry.handle,
        stack: isKnown ? StringPrototypeSlice(stack, entry.known.length + 1) : stack,
    };
}

// Returns the hops that led to the running code, for a debugger.
export function trail() {
    return origin === null ? "" : trailTo(origin);
}

// Returns a stack with the hops that led to the running code.
export function withTrail(/** @type {any} */ stack) {
    if (origin === null || origin.label === "") return stack;
    return typeof stack === "string" && stack !== "" ? stack + "\n" + trailTo(origin) : trailTo(origin);
}

// ---------------------------------------------------------------- thrown values as data

const { maximumCauses } = host;

function readProperty(/** @type {any} */ object, /** @type {string} */ key) {
    try { return object[key]; } catch { return undefined; }
}

// Returns a thrown value as a string: the result of its own toString or, if that is meaningless, the form that
// console shows.
export function thrownText(/** @type {unknown} */ value) {
    if (!isObject(value)) return String(value);
    let said;
    try { said = "" + value; } catch { /* shown below */ }
    if (said !== undefined && typeof value !== "function" && !ArrayIsArray(value) && !StringPrototypeStartsWith(said, "[object ")) return said;
    return shown(value, textOptions) ?? said ?? "a value without a string form";
}

// Returns a value as console shows it, with the help of the host; undefined if that fails. It is not called
// recursively: the host's functions of a closed context throw, and their errors are described here.
function shown(/** @type {unknown} */ value, /** @type {any} */ options) {
    if (isShowing) return undefined;
    isShowing = true;
    try { return show(value, options); } catch { return undefined; } finally { isShowing = false; }
}
const textOptions = { __proto__: null, maxStringLength: 1000, maxArrayLength: 20 };

const data = (/** @type {unknown} */ value) => typeof value === "function" || typeof value === "symbol" ? undefined : value;
const stringOrNothing = (/** @type {unknown} */ value) => typeof value === "string" ? value : undefined;
const number = (/** @type {unknown} */ value) => typeof value === "number" ? value : undefined;

// Describes any thrown value. Never throws, however hostile the value; its getters run.
function describeThrown(/** @type {unknown} */ thrown) {
    /** @type {ThrownRecord} */
    const record = { __proto__: null, name: undefined, message: undefined, stack: undefined, line: undefined,
        column: undefined, sourceURL: undefined, code: undefined, data: undefined, thrown: undefined,
        handle: undefined, cause: undefined, details: undefined };
    if (!isObject(thrown)) {
        record.message = thrownText(thrown);
        record.thrown = data(thrown);
        return record;
    }
    record.name = stringOrNothing(readProperty(thrown, "name"));
    record.message = stringOrNothing(readProperty(thrown, "message"));
    record.stack = stringOrNothing(readProperty(thrown, "stack"));
    // The stack has the source position, except for code that never ran.
    if (record.name === "SyntaxError" || record.stack === undefined || record.stack === "") {
        record.line = number(readProperty(thrown, "line"));
        record.column = number(readProperty(thrown, "column"));
        record.sourceURL = stringOrNothing(readProperty(thrown, "sourceURL"));
    }
    record.code = stringOrNothing(readProperty(thrown, "code"));
    record.data = data(readProperty(thrown, "data"));
    if (record.message === undefined) {
        record.message = thrownText(thrown);
        record.thrown = data(thrown);
    }
    const made = WeakMapPrototypeGet(origins, thrown);
    if (made !== undefined) {
        const { handle, stack } = /** @type {{ handle: unknown, stack: any }} */ (originOf(thrown, record.stack));
        record.handle = handle;
        record.stack = stack;
    }
    record.cause = readProperty(thrown, "cause");
    record.details = membersText(thrown, record.name);
    return record;
}

// Returns whether an error has members of its own besides those that a record has; symbols are ignored. The engine
// caches the keys of a shape, so this costs an ordinary error 0.15 us of 2; a loop over its members would cost
// 0.25.
function hasMembers(/** @type {any} */ thrown, /** @type {string | undefined} */ name) {
    if (name === "AggregateError") return true;
    const keys = ObjectKeys(thrown);
    for (let index = 0; index < keys.length; index++) {
        switch (keys[index]) {
        case "name": case "message": case "stack": case "code": case "data": case "cause": break;
        // The engine's own members, which a SyntaxError shows.
        case "line": case "column": case "sourceURL": break;
        default: return true;
        }
    }
    return false;
}

function membersText(/** @type {unknown} */ thrown, /** @type {string | undefined} */ name) {
    try {
        if (!isError(thrown) || !hasMembers(thrown, name)) return undefined;
        const text = shown(thrown, membersOptions);
        return text === "{}" ? undefined : text;
    } catch { return undefined; }
}
const membersOptions = { __proto__: null, isMembersOnly: true, maxStringLength: 1000, maxArrayLength: 20 };

function cutCauses(/** @type {string} */ message) {
    return { __proto__: null, name: undefined, message, stack: undefined, line: undefined, column: undefined,
        sourceURL: undefined, code: "limitExceeded", data: undefined, thrown: undefined, handle: undefined,
        cause: undefined, details: undefined };
}

// Returns the causes of an error, each inside the one before; where the chain is cut, the last one says so.
function causesOf(/** @type {unknown} */ thrown, /** @type {any} */ first) {
    const seen = [thrown];
    let outermost, /** @type {any} */ last;
    const add = (/** @type {any} */ record) => {
        if (last === undefined) outermost = record;
        else last.cause = record;
        last = record;
    };
    for (let cause = first; cause !== undefined;) {
        for (let index = 0; index < seen.length; index++) {
            if (seen[index] === cause && isObject(cause)) {
                add(cutCauses("the chain of causes comes back to itself here"));
                return outermost;
            }
        }
        if (seen.length > maximumCauses) {
            add(cutCauses("too many causes (limit " + maximumCauses + ")"));
            return outermost;
        }
        const record = describeThrown(cause);
        defineEnumerable(seen, seen.length, cause);
        cause = record.cause;
        record.cause = undefined;
        add(record);
    }
    return outermost;
}

// Passes the parts that do not fit in arguments: in one piece, or without the parts that cannot be encoded.
function takeRest(/** @type {any} */ record, /** @type {any} */ causes) {
    const rest = { __proto__: null, data: record.data, thrown: record.thrown, cause: causes };
    let handles = null;
    for (let each = causes, depth = 0; each !== undefined; each = each.cause, depth++) {
        if (each.handle !== undefined) handles = { __proto__: null, depth, handle: each.handle, next: handles };
        // The handle is not data.
        each.handle = undefined;
    }
    try {
        take(rest, native.consumeValue);
    } catch {
        for (let each = rest; each !== undefined; each = each.cause) each.data = each.thrown = undefined;
        takeOwn(rest, native.consumeValue);
    }
    for (; handles !== null; handles = handles.next) native.noteCauseOrigin(handles.depth, handles.handle);
}

// Describes a thrown value to the host, which creates its error from it. An ordinary error takes one native call
// and no object for its parts. Everything that runs scripts (getters, toJSON) happens before the host is called.
export function describeInto(
    /** @type {any} */ thrown, /** @type {(...values: any[]) => any} */ consume, /** @type {any} */ reference,
) {
    const known = origin === null ? undefined : trailTo(origin);
    if (typeof thrown === "object" && thrown !== null && WeakMapPrototypeGet(origins, thrown) === undefined) {
        let name, message, stack, code, isOrdinary = false;
        try {
            ({ name, message, stack, code } = thrown);
            isOrdinary = typeof name === "string" && name !== "SyntaxError" && typeof message === "string"
                && typeof stack === "string" && stack !== "" && (code === undefined || typeof code === "string")
                && thrown.data === undefined && thrown.cause === undefined && !hasMembers(thrown, name);
        } catch { /* read one by one below */ }
        if (isOrdinary) return consume(name, message, stack, code, undefined, known, reference);
    }
    const record = describeThrown(thrown);
    const hasRest = record.data !== undefined || record.thrown !== undefined || record.cause !== undefined;
    if (hasRest) takeRest(record, causesOf(thrown, record.cause));
    return consume(
        record.name, record.message, record.stack, record.code, record.handle, known, reference, hasRest,
        record.line, record.column, record.sourceURL, record.details,
    );
}

// Calls a function that threw the last time and catches its error here. The engine reports every error that leaves
// a script to its inspector, which costs more than the rest of the throw. The result `caught` then represents the
// error.
export function callCatching(
    /** @type {any} */ called, /** @type {any} */ self, /** @type {number} */ count, /** @type {any} */ first,
    /** @type {any} */ second,
) {
    try {
        switch (count) {
        case 0: return ReflectApply(called, self, []);
        case 1: return ReflectApply(called, self, [first]);
        default: return ReflectApply(called, self, [first, second]);
        }
    } catch (error) {
        return describeInto(error, native.consumeCaught, error);
    }
}

// ---------------------------------------------------------------- reading without running scripts

// Returns a property of an error as data: its own, or a prototype's. Getters are not called.
function plainProperty(/** @type {any} */ object, /** @type {string} */ key) {
    for (let each = object, depth = 0; each !== null && depth < 32; each = ObjectGetPrototypeOf(each), depth++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(each, key);
        if (descriptor !== undefined) return descriptor.value;
    }
    return undefined;
}

// Returns the parts of an error that people want to see, without running any of its code. Only for values of which
// `Error.isError` is true, which are never proxies; a proxy among its prototypes may throw.
export function glanceAt(/** @type {unknown} */ error) {
    const seen = (/** @type {string} */ key, /** @type {any} */ among) => {
        const value = plainProperty(error, key);
        return typeof value === "string" ? value : among;
    };
    return {
        __proto__: null, name: seen("name", "Error"), message: seen("message", ""), code: seen("code", undefined),
        stack: withoutInternals(seen("stack", "")),
    };
}

// ---------------------------------------------------------------- events of uncaught errors

const isDigit = (/** @type {number} */ unit) => unit >= 48 && unit <= 57;

// Returns the position in the first line of a stack, `name@url:line:column`, undefined without one.
function placeIn(/** @type {string} */ stack) {
    let end = StringPrototypeIndexOf(stack, "\n", 0);
    if (end < 0) end = stack.length;
    const numbers = { __proto__: null, line: 0, column: 0 };
    let at = end;
    for (let part = 0; part < 2; part++) {
        let start = at;
        while (start > 0 && isDigit(StringPrototypeCharCodeAt(stack, start - 1))) start--;
        if (start === at || start === 0 || StringPrototypeCharCodeAt(stack, start - 1) !== 58) return undefined;
        const number = +StringPrototypeSlice(stack, start, at);
        if (part === 0) numbers.column = number;
        else numbers.line = number;
        at = start - 1;
    }
    const name = StringPrototypeSlice(stack, 0, at);
    const sign = StringPrototypeIndexOf(name, "@", 0);
    return {
        __proto__: null, filename: StringPrototypeSlice(name, sign + 1), lineno: numbers.line, colno: numbers.column,
    };
}

// Returns the position of the running code of a script.
export const callSite = () => placeIn(withoutInternals(ownText(new Error(""), "stack")));

// Returns the text and the position of an uncaught error, without running any of its code.
export function describeUncaught(/** @type {any} */ error, /** @type {any} */ site) {
    const nowhere = { __proto__: null, filename: "", lineno: 0, colno: 0 };
    if (!isObject(error)) return { __proto__: null, message: String(error), place: site ?? nowhere };
    if (!isError(error)) return { __proto__: null, message: shown(error, textOptions) ?? "an object", place: site ?? nowhere };
    const { name, message, stack } = glanceAt(error);
    let place = placeIn(stack);
    if (place === undefined || name === "SyntaxError") {
        const filename = plainProperty(error, "sourceURL");
        if (typeof filename === "string" && filename !== "") {
            const at = (/** @type {string} */ key) => number(plainProperty(error, key)) ?? 0;
            place = { __proto__: null, filename, lineno: at("line"), colno: at("column") };
        }
    }
    const text = message === "" ? name : name === "" ? message : name + ": " + message;
    return { __proto__: null, message: text, place: place ?? site ?? nowhere };
}

// Returns what an uncaught value is described by: the value itself or, if describing it would run getters of a script,
// an object with its data.
export function withoutGetters(/** @type {any} */ thrown) {
    if (!isObject(thrown) || isError(thrown)) return thrown;
    const keys = ["name", "message", "stack", "code", "data", "cause"];
    let hasGetter = false;
    const data = { __proto__: null, message: shown(thrown, textOptions) ?? "an object" };
    for (let index = 0; index < keys.length; index++) {
        for (let each = thrown; each !== null; each = ObjectGetPrototypeOf(each)) {
            const descriptor = ObjectGetOwnPropertyDescriptor(each, keys[index]);
            if (descriptor === undefined) continue;
            if (!ObjectHasOwn(descriptor, "value")) hasGetter = true;
            else if (typeof descriptor.value === "string") /** @type {any} */ (data)[keys[index]] = descriptor.value;
            break;
        }
    }
    return hasGetter ? data : thrown;
}
