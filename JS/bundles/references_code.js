// Made from JS/src/references_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    SymbolDispose, callName, callWithPromise, control, controls, counts, define, hooks, isDirect, makeError, own,
    read, textOf,
} = bundles.bridge;
const {
    ArrayIsArray, FinalizationRegistry, FinalizationRegistryPrototypeRegister, JSONStringify, MathFloor,
    ObjectDefineProperty, ObjectFreeze, ObjectGetPrototypeOf, ObjectHasOwn, ObjectPrototype, ObjectSetPrototypeOf,
    PromiseReject, ReflectApply, ReflectOwnKeys, StringPrototypeIncludes, StringPrototypeSlice, TypeError, WeakMap,
    WeakMapPrototypeGet, WeakMapPrototypeSet, WeakRef, WeakRefPrototypeDeref, environment, isObject, loadedBundles,
    makeSafeMap, queueJob, reportError,
} = bundles.engine;
// references_code/references.js
const maximumMethods = 1024;
const kinds = { __proto__: null, function: "f", object: "o", yours: "y" };
const maximum = () => host.maximumReferences === undefined ? 100000 : host.maximumReferences;
function tooMany(count) {
    return makeError("limitExceeded", "Too many references held: " + count + " (limit " + maximum() + ").");
}
const exported = makeSafeMap();
const exportedIds = makeSafeMap();
let lastReferenceNumber = 0;
function newReferenceId() {
    lastReferenceNumber++;
    if (isDirect) return "ref_" + lastReferenceNumber;
    const id = "ref_" + lastReferenceNumber + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}
class BridgeReference {
    #value;
    constructor(key, value) {
        if (key !== exported) throw new TypeError("Illegal constructor: bridge.reference makes references");
        this.#value = value;
    }
    static of(value) { return #value in value ? value.#value : undefined; }
}
const referredBy = BridgeReference.of;
ObjectFreeze(BridgeReference.prototype);
ObjectFreeze(BridgeReference);
function reference(value) {
    if (!isObject(value)) throw makeError("invalidArgument", "A reference must be to a function or an object; this is " + textOf(value) + ".");
    return new BridgeReference(exported, value);
}
function methodsOf(object) {
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
function isReferred(value) {
    return referredBy(value) !== undefined || WeakMapPrototypeGet(holdings, value) !== undefined;
}
function exportReference(marked) {
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
    entry.methods.forEach((_, name) => { names[names.length] = name; });
    return { __proto__: null, id, k: "object", m: names };
}
function releaseReference(id, count) {
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
function takeBack(entries) {
    for (let index = 0; index < entries.length; index++) {
        if (entries[index].k !== "yours") releaseReference(entries[index].id, 1);
    }
}
function receiveRelease(list) {
    if (!ArrayIsArray(list)) return receiveReleaseOf(list);
    for (let index = 0; index < list.length; index++) receiveReleaseOf(list[index]);
}
function receiveReleaseOf(record) {
    if (!isObject(record)) return;
    const count = own(record, "n");
    releaseReference(own(record, "id"), count === undefined ? 1 : count);
}
const unknown = "The reference is unknown: it was never passed, or was released.";
function entryOf(target) {
    if (typeof target === "function") return { value: target, methods: undefined };
    const value = isObject(target) ? referredBy(target) : undefined;
    return value === undefined ? exported.get(target) : { value, methods: methodsOf(value) };
}
function receiveCall(data) {
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
const held = makeSafeMap();
const nets = makeSafeMap();
let lastNet = 0;
const holdings = new WeakMap();
const registry = host.makeNet === undefined && FinalizationRegistry !== undefined
    ? new FinalizationRegistry((number) => { finalizeReference(number); }) : undefined;
function checkHeld(holding) {
    if (holding.isReleased) throw makeError("invalidArgument", "This reference was released and cannot be used any more.");
}
function importReference(id, kind, methods) {
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
    const holding = { id, number, count: 1, isReleased: false, weak: undefined };
    const value = kind === "object" ? makeObject(holding, methods) : makeFunction(holding);
    holding.weak = new WeakRef(value);
    const net = host.makeNet === undefined ? undefined : host.makeNet(number);
    WeakMapPrototypeSet(holdings, value, { holding, net });
    if (registry !== undefined) FinalizationRegistryPrototypeRegister(registry, value, number);
    held.set(id, holding);
    nets.set(number, holding);
    return value;
}
function callHolding(
    holding, name, values,
    options,
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
function addDisposal(value, holding) {
    const dispose = () => { releaseHolding(holding); };
    ObjectDefineProperty(value, "release", { __proto__: null, value: dispose });
    if (SymbolDispose !== undefined) ObjectDefineProperty(value, SymbolDispose, { __proto__: null, value: dispose });
}
function makeFunction(holding) {
    const value = (...values) => callHolding(holding, undefined, values, undefined);
    ObjectDefineProperty(value, "name", { __proto__: null, value: "" });
    addDisposal(value, holding);
    return ObjectFreeze(value);
}
const ReferencePrototype = ObjectFreeze(ObjectSetPrototypeOf({}, null));
function makeObject(holding, methods) {
    const value = ObjectSetPrototypeOf({}, ReferencePrototype);
    for (let index = 0; index < methods.length && index < maximumMethods; index++) {
        const name = methods[index];
        if (typeof name !== "string" || name === "then") continue;
        const method = (...values) => callHolding(holding, name, values, undefined);
        ObjectDefineProperty(method, "name", { __proto__: null, value: name });
        define(value, name, ObjectFreeze(method), true);
    }
    if (!ObjectHasOwn(value, "release")) addDisposal(value, holding);
    return ObjectFreeze(value);
}
function releaseHolding(holding) {
    if (holding.isReleased) return;
    holding.isReleased = true;
    nets.delete(holding.number);
    if (held.get(holding.id) === holding) held.delete(holding.id);
    queueRelease(holding.id, holding.count);
}
function finalizeReference(number) {
    const holding = nets.get(number);
    if (holding !== undefined) releaseHolding(holding);
}
let releases;
function queueRelease(id, n) {
    if (releases === undefined) {
        releases = ObjectSetPrototypeOf([], null);
        queueJob(sendReleases);
    }
    releases[releases.length] = { __proto__: null, id, n };
}
const aroundList = 128, aroundEntry = 14;
function sendReleases() {
    const list = releases;
    releases = undefined;
    const room = isDirect ? Infinity : (host.maximumMessageLength ?? Infinity) - aroundList;
    let part = ObjectSetPrototypeOf([], null), length = 0;
    for (let index = 0; index < list.length; index++) {
        const { id, n } = list[index];
        const added = isDirect ? 0 : JSONStringify(id).length + JSONStringify(n).length + aroundEntry;
        length += added;
        if (part.length > 0 && (length > room || 1 + 3 * (part.length + 1) > host.maximumNodes)) {
            sendReleasePart(part);
            part = ObjectSetPrototypeOf([], null);
            length = added;
        }
        part[part.length] = list[index];
    }
    sendReleasePart(part);
}
function sendReleasePart(list) {
    try { control(controls.release, "", list.length, list); } catch (error) { reportError(error); }
}
const notes = { __proto__: null, f: "function", o: "object", y: "yours" };
function noteOf(entry) {
    let text = kinds[entry.k] + entry.id;
    if (entry.k === "object") for (let index = 0; index < entry.m.length; index++) text += "\0" + entry.m[index];
    return text;
}
const exportReferenceNote = (value) => noteOf(exportReference(value));
const takeBackReference = (note) => { if (note[0] !== "y") releaseReference(idOfNote(note), 1); };
const importReferenceNote = (note, methods) => {
    const list = ObjectSetPrototypeOf([], null);
    let start = 0;
    for (let index = 0; index <= methods.length; index++) {
        if (index < methods.length && methods[index] !== "\0") continue;
        if (index > start) list[list.length] = StringPrototypeSlice(methods, start, index);
        start = index + 1;
    }
    return importReference(StringPrototypeSlice(note, 1), notes[note[0]], list);
};
const referenceCounts = () => ({ __proto__: null, exported: exported.size, held: nets.size });
function idOfNote(note) {
    for (let index = 0; index < note.length; index++) {
        if (note[index] === "\0") return StringPrototypeSlice(note, 1, index);
    }
    return StringPrototypeSlice(note, 1);
}
function callReference(value, values, options) {
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
const heldValue = (id) => WeakRefPrototypeDeref(held.get(id).weak);
const exportedValue = (id) => {
    const { value, methods } = exported.get(id);
    return methods === undefined ? value : new BridgeReference(exported, value);
};
// references_code/index.js
loadedBundles.references_code = {
    __proto__: null, callReference, exportReference, exportReferenceNote, exportedValue, finalizeReference, heldValue,
    importReference, importReferenceNote, isReferred, queueRelease, receiveCall, receiveRelease, reference,
    referenceCounts, takeBack, takeBackReference,
};
})
