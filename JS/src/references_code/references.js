// References: functions and objects that stay on their side and are called from the other. A table counts the
// references that the other side holds. A reference that this side holds is a function, or an object with functions,
// and each call of one is a request. JavaScriptBridge.docc/Protocol.md has the form.
import { SymbolDispose } from "../bridge/builtins.js";
import { callWithPromise } from "../bridge/calls.js";
import { makeError } from "../bridge/errors.js";
import { hooks } from "../bridge/hooks.js";
import { define, own, read, textOf } from "../bridge/objects.js";
import { control, controls } from "../bridge/sending.js";
import { callName } from "../bridge/references.js";
import { counts, isDirect } from "../bridge/state.js";
import { environment } from "../engine/environment.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayIsArray, FinalizationRegistry, FinalizationRegistryPrototypeRegister, JSONStringify, MathFloor,
    ObjectDefineProperty, ObjectFreeze, ObjectGetPrototypeOf, ObjectHasOwn, ObjectPrototype, ObjectSetPrototypeOf,
    PromiseReject, ReflectApply, ReflectOwnKeys, makeSafeMap, StringPrototypeIncludes, StringPrototypeSlice,
    TypeError, WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet, WeakRef, WeakRefPrototypeDeref, queueJob,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

const maximumMethods = 1024;
/** @type {any} */
const kinds = { __proto__: null, function: "f", object: "o", yours: "y" };
const maximum = () => host.maximumReferences === undefined ? 100000 : host.maximumReferences;

function tooMany(/** @type {number} */ count) {
    return makeError("limitExceeded", "Too many references held: " + count + " (limit " + maximum() + ").");
}

// ---------------------------------------------------------------- held by the other side

const exported = makeSafeMap();
const exportedIds = makeSafeMap();
let lastReferenceNumber = 0;

function newReferenceId() {
    lastReferenceNumber++;
    if (isDirect) return "ref_" + lastReferenceNumber;
    const id = "ref_" + lastReferenceNumber + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}

// A value that a script explicitly passes by reference.
class BridgeReference {
    #value;
    constructor(/** @type {string} */ key, /** @type {unknown} */ value) {
        if (key !== exported) throw new TypeError("Illegal constructor: bridge.reference makes references");
        this.#value = value;
    }
    static of(/** @type {any} */ value) { return #value in value ? value.#value : undefined; }
}
const referredBy = BridgeReference.of;
ObjectFreeze(BridgeReference.prototype);
ObjectFreeze(BridgeReference);

export function reference(/** @type {unknown} */ value) {
    if (!isObject(value)) throw makeError("invalidArgument", "A reference must be to a function or an object; this is " + textOf(value) + ".");
    return new BridgeReference(exported, value);
}

// Returns the names of the methods that an object and its class have now: the other side may call these and nothing
// else.
function methodsOf(/** @type {any} */ object) {
    const methods = makeSafeMap();
    for (let place = object; place !== null && place !== ObjectPrototype; place = ObjectGetPrototypeOf(place)) {
        const keys = ReflectOwnKeys(place);
        for (let index = 0; index < keys.length; index++) {
            const key = keys[index];
            if (typeof key !== "string" || key === "constructor" || methods.has(key) || StringPrototypeIncludes(key, "\0")) continue;
            if (typeof read(object, key) !== "function") continue;
            if (methods.size >= maximumMethods) {
                throw makeError("limitExceeded", "An object may have " + maximumMethods + " methods by reference.");
            }
            methods.set(key, true);
        }
    }
    return methods;
}

// Returns whether a value that is not a function crosses by reference.
export function isReferred(/** @type {unknown} */ value) {
    return referredBy(value) !== undefined || WeakMapPrototypeGet(holdings, value) !== undefined;
}

// Returns the entry `{id, k, m}` of a value for a message, and increases its count.
export function exportReference(/** @type {any} */ marked) {
    const value = typeof marked === "function" ? marked : referredBy(marked) ?? marked;
    const held = WeakMapPrototypeGet(holdings, value);
    if (held !== undefined) {
        checkHeld(held.holding);
        return { __proto__: null, id: held.holding.id, k: "yours" };
    }
    let id = exportedIds.get(value), entry;
    if (id === undefined) {
        if (exported.size >= maximum()) throw tooMany(exported.size);
        entry = { value, count: 0, methods: typeof value === "function" ? undefined : methodsOf(value) };
        id = newReferenceId();
        exported.set(id, entry);
        exportedIds.set(value, id);
    } else entry = exported.get(id);
    entry.count++;
    if (entry.methods === undefined) return { __proto__: null, id, k: "function" };
    const names = ObjectSetPrototypeOf([], null);
    entry.methods.forEach((/** @type {any} */ _, /** @type {string} */ name) => { names[names.length] = name; });
    return { __proto__: null, id, k: "object", m: names };
}

// Releases a reference. An unknown one is ignored, so that guessed ids and repeated releases have no effect.
function releaseReference(/** @type {any} */ id, /** @type {number} */ count) {
    const entry = exported.get(id);
    if (entry === undefined && hooks.releaseKept(id)) return;
    if (entry === undefined || typeof count !== "number" || !(count > 0)) {
        counts.unknownReferences++;
        return;
    }
    entry.count -= count;
    if (entry.count > 0) return;
    exported.delete(id);
    exportedIds.delete(entry.value);
}

// Releases the references of a message that was not sent.
export function takeBack(/** @type {any} */ entries) {
    for (let index = 0; index < entries.length; index++) {
        if (entries[index].k !== "yours") releaseReference(entries[index].id, 1);
    }
}

export function receiveRelease(/** @type {any} */ list) {
    if (!ArrayIsArray(list)) return receiveReleaseOf(list);
    for (let index = 0; index < list.length; index++) receiveReleaseOf(list[index]);
}

function receiveReleaseOf(/** @type {any} */ record) {
    if (!isObject(record)) return;
    const count = own(record, "n");
    releaseReference(own(record, "id"), count === undefined ? 1 : count);
}

const unknown = "The reference is unknown: it was never passed, or was released.";

// Returns the target of a call: it is named by its id, or is the value itself if a result was put in its place.
function entryOf(/** @type {any} */ target) {
    if (typeof target === "function") return { value: target, methods: undefined };
    const value = isObject(target) ? referredBy(target) : undefined;
    return value === undefined ? exported.get(target) : { value, methods: methodsOf(value) };
}

// Calls the target of a request of the other side.
export function receiveCall(/** @type {any} */ data) {
    const entry = isObject(data) ? entryOf(own(data, "id")) : undefined;
    if (entry === undefined) throw makeError("invalidArgument", unknown);
    const name = own(data, "m"), given = own(data, "args");
    const list = ArrayIsArray(given) ? given : [];
    if (entry.methods === undefined) {
        if (name !== undefined) throw makeError("handlerNotFound", "The reference is to a function, which has no method \"" + textOf(name) + "\".");
        return ReflectApply(entry.value, undefined, list);
    }
    if (!entry.methods.has(name)) throw makeError("handlerNotFound", "The object has no method \"" + textOf(name) + "\".");
    return ReflectApply(entry.value[name], entry.value, list);
}

// ---------------------------------------------------------------- held by this side

// By id, as long as the function or the object is referenced.
const held = makeSafeMap();
// By number, for the finalizers; these refer to nothing that a script holds.
const nets = makeSafeMap();
let lastNet = 0;
// By the functions and objects that scripts hold.
const holdings = new WeakMap();
const registry = host.makeNet === undefined && FinalizationRegistry !== undefined
    ? new FinalizationRegistry((number) => { finalizeReference(number); }) : undefined;

function checkHeld(/** @type {any} */ holding) {
    if (holding.isReleased) throw makeError("invalidArgument", "This reference was released and cannot be used any more.");
}

// Imports a reference. `kind` is that of the message's entry; "yours" returns this side's own value.
export function importReference(/** @type {any} */ id, /** @type {any} */ kind, /** @type {any} */ methods) {
    if (kind === "yours") {
        const entry = exported.get(id);
        if (entry === undefined) throw makeError("decodeFailed", unknown);
        return entry.value;
    }
    const known = held.get(id);
    if (known !== undefined && !known.isReleased) {
        const value = WeakRefPrototypeDeref(known.weak);
        if (value !== undefined) {
            known.count++;
            return value;
        }
    }
    if (nets.size >= maximum()) {
        queueRelease(id, 1);
        throw tooMany(nets.size);
    }
    const number = ++lastNet;
    /** @type {any} */
    const holding = { id, number, count: 1, isReleased: false, weak: undefined };
    const value = kind === "object" ? makeObject(holding, methods) : makeFunction(holding);
    holding.weak = new WeakRef(value);
    // The finalizer is collected with the value; the tables do not retain it.
    const net = host.makeNet === undefined ? undefined : host.makeNet(number);
    WeakMapPrototypeSet(holdings, value, { holding, net });
    if (registry !== undefined) FinalizationRegistryPrototypeRegister(registry, value, number);
    held.set(id, holding);
    nets.set(number, holding);
    return value;
}

function callHolding(
    /** @type {any} */ holding, /** @type {string | undefined} */ name, /** @type {any[]} */ values,
    /** @type {any} */ options,
) {
    try {
        checkHeld(holding);
    } catch (error) {
        return PromiseReject(error);
    }
    const data = { __proto__: null, id: holding.id, m: name, args: values };
    if (name === undefined) delete data.m;
    return callWithPromise(callName, data, options);
}

function addDisposal(/** @type {unknown} */ value, /** @type {any} */ holding) {
    const dispose = () => { releaseHolding(holding); };
    ObjectDefineProperty(value, "release", { __proto__: null, value: dispose });
    if (SymbolDispose !== undefined) ObjectDefineProperty(value, SymbolDispose, { __proto__: null, value: dispose });
}

function makeFunction(/** @type {any} */ holding) {
    const value = (/** @type {any[]} */ ...values) => callHolding(holding, undefined, values, undefined);
    ObjectDefineProperty(value, "name", { __proto__: null, value: "" });
    addDisposal(value, holding);
    return ObjectFreeze(value);
}

// The prototype of references to objects, which distinguishes them from data when they are sent back.
const ReferencePrototype = ObjectFreeze(ObjectSetPrototypeOf({}, null));

function makeObject(/** @type {any} */ holding, /** @type {any} */ methods) {
    const value = ObjectSetPrototypeOf({}, ReferencePrototype);
    for (let index = 0; index < methods.length && index < maximumMethods; index++) {
        const name = methods[index];
        // Every await of the object would call it.
        if (typeof name !== "string" || name === "then") continue;
        const method = (/** @type {any[]} */ ...values) => callHolding(holding, name, values, undefined);
        ObjectDefineProperty(method, "name", { __proto__: null, value: name });
        define(value, name, ObjectFreeze(method), true);
    }
    if (!ObjectHasOwn(value, "release")) addDisposal(value, holding);
    return ObjectFreeze(value);
}

function releaseHolding(/** @type {any} */ holding) {
    if (holding.isReleased) return;
    holding.isReleased = true;
    nets.delete(holding.number);
    if (held.get(holding.id) === holding) held.delete(holding.id);
    queueRelease(holding.id, holding.count);
}

export function finalizeReference(/** @type {number} */ number) {
    const holding = nets.get(number);
    if (holding !== undefined) releaseHolding(holding);
}

// The releases of one turn are sent together.
/** @type {any} */
let releases;
export function queueRelease(/** @type {any} */ id, /** @type {any} */ n) {
    if (releases === undefined) {
        releases = ObjectSetPrototypeOf([], null);
        queueJob(sendReleases);
    }
    releases[releases.length] = { __proto__: null, id, n };
}

// The maximum length of a release message around the list, and around an id and a count in the list.
const aroundList = 128, aroundEntry = 14;

// Sends the releases, split so that no message exceeds the limits: a receiver drops such a message entirely.
function sendReleases() {
    const list = releases;
    releases = undefined;
    const room = isDirect ? Infinity : (host.maximumMessageLength ?? Infinity) - aroundList;
    let part = ObjectSetPrototypeOf([], null), length = 0;
    for (let index = 0; index < list.length; index++) {
        const { id, n } = list[index];
        const added = isDirect ? 0 : JSONStringify(id).length + JSONStringify(n).length + aroundEntry;
        length += added;
        // Each is a record of two values.
        if (part.length > 0 && (length > room || 1 + 3 * (part.length + 1) > host.maximumNodes)) {
            sendReleasePart(part);
            part = ObjectSetPrototypeOf([], null);
            length = added;
        }
        part[part.length] = list[index];
    }
    sendReleasePart(part);
}

function sendReleasePart(/** @type {any[]} */ list) {
    try { control(controls.release, "", list.length, list); } catch (error) { reportError(error); }
}

// ---------------------------------------------------------------- in process

// A string describes a reference: its kind, its id and the names of its methods.
/** @type {any} */
const notes = { __proto__: null, f: "function", o: "object", y: "yours" };

function noteOf(/** @type {any} */ entry) {
    let text = kinds[entry.k] + entry.id;
    if (entry.k === "object") for (let index = 0; index < entry.m.length; index++) text += "\0" + entry.m[index];
    return text;
}

export const exportReferenceNote = (/** @type {unknown} */ value) => noteOf(exportReference(value));
export const takeBackReference = (/** @type {any} */ note) => { if (note[0] !== "y") releaseReference(idOfNote(note), 1); };
export const importReferenceNote = (/** @type {any} */ note, /** @type {any} */ methods) => {
    const list = ObjectSetPrototypeOf([], null);
    let start = 0;
    // The string is split at each NUL here, since an array from the host would read prototypes.
    for (let index = 0; index <= methods.length; index++) {
        if (index < methods.length && methods[index] !== "\0") continue;
        if (index > start) list[list.length] = StringPrototypeSlice(methods, start, index);
        start = index + 1;
    }
    return importReference(StringPrototypeSlice(note, 1), notes[note[0]], list);
};
export const referenceCounts = () => ({ __proto__: null, exported: exported.size, held: nets.size });

function idOfNote(/** @type {any} */ note) {
    for (let index = 0; index < note.length; index++) {
        if (note[index] === "\0") return StringPrototypeSlice(note, 1, index);
    }
    return StringPrototypeSlice(note, 1);
}

// ---------------------------------------------------------------- for scripts

export function callReference(/** @type {unknown} */ value, /** @type {any[]} */ values, /** @type {any} */ options) {
    const known = isObject(value) ? WeakMapPrototypeGet(holdings, value) : undefined;
    const name = isObject(options) ? options.method : undefined;
    if (known === undefined) {
        return PromiseReject(makeError("invalidArgument", "callReference takes a reference from the other side."));
    }
    if (values !== undefined && !ArrayIsArray(values)) {
        return PromiseReject(makeError("invalidArgument", "The arguments of a reference must be an array."));
    }
    return callHolding(known.holding, name, values === undefined ? [] : values, options);
}

export const heldValue = (/** @type {any} */ id) => WeakRefPrototypeDeref(held.get(id).weak);
export const exportedValue = (/** @type {any} */ id) => {
    const { value, methods } = exported.get(id);
    return methods === undefined ? value : new BridgeReference(exported, value);
};
