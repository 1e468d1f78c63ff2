// Made from JS/src/data_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    ArrayBufferIsView, ArrayIsArray, BigInt, Date, DatePrototypeGetTime, Error, FunctionPrototypeToString, MathRound,
    ObjectDefineProperty, ObjectFreeze, ObjectHasOwn, ObjectKeys, ObjectPrototype, PromisePrototypeThen, Proxy,
    ReflectApply, String, StringPrototypeIsWellFormed, StringPrototypeSlice, SymbolIterator, TypeError,
    TypedArrayPrototypeGetLength, TypedArrayPrototypeSet, Uint8Array, WeakMap, WeakMapPrototypeGet,
    WeakMapPrototypeSet, addSubstitute, callNative, failed, isObject, loadedBundles, makeSafeMap, push, replaceNoted,
    reportError, takeFailure,
} = bundles.engine;
const {
    NativeBigInt64Array, NativeFloat64Array, NativeInt32Array, NativeNumber, dataHost, substring,
} = bundles.data;
const {
    SymbolDispose, makeError,
} = bundles.bridge;
// data_code/checks.js
const made = {};
function kindOf(value) {
    return value === null ? "null" : ArrayIsArray(value) ? "an array" : typeof value;
}
function callable(value, what) {
    if (typeof value !== "function") throw new TypeError(what + " is a function, not " + kindOf(value));
    return value;
}
function isPromise(value) { return isObject(value) && typeof value.then === "function"; }
function refuseScripts(key) {
    if (key !== made) throw new TypeError("Illegal constructor");
}
// data_code/rows.js
const NUMBER = 0, BOOLEAN = 1, INTEGER = 2, TEXT = 3, DATE = 4, BYTES = 5;
const codes = { __proto__: null, double: NUMBER, boolean: BOOLEAN, integer: INTEGER, string: TEXT, date: DATE, data: BYTES };
const FIRST_PIECE = 2 ** 54;
function piece(table, number) {
    const { texts, ends } = table;
    const at = number * 2, index = ends[at + 2];
    return substring.call(texts[index], ends[at] === index ? ends[at + 1] : 0, ends[at + 3]);
}
function valueAt(table, row, column) {
    const index = row * table.width + column;
    const cell = table.cells[index];
    if (cell !== cell) return null;
    switch (table.types[column]) {
    case BOOLEAN: return cell !== 0;
    case INTEGER: return cell < FIRST_PIECE ? cell : BigInt(piece(table, (cell - FIRST_PIECE) / 4));
    case TEXT: return table.memo[index] ??= piece(table, cell);
    case DATE: return new Date(MathRound(cell * 1000));
    case BYTES: {
        const block = table.blocks[cell];
        const copy = new Uint8Array(TypedArrayPrototypeGetLength(block));
        TypedArrayPrototypeSet(copy, block);
        return copy;
    }
    default: return cell;
    }
}
let read;
class Target {
    #table;
    #row;
    constructor(table, row) {
        this.#table = table;
        this.#row = row;
    }
    static shown(value) {
        if (!isObject(value) || !(#table in value)) return undefined;
        const object = {};
        const { names } = value.#table;
        for (let column = 0; column < names.length; column++) {
            const member = valueAt(value.#table, value.#row, column);
            ObjectDefineProperty(object, names[column], {
                __proto__: null, value: member, writable: true, enumerable: true, configurable: true,
            });
        }
        return object;
    }
    static {
        read = (target, column) => valueAt(target.#table, target.#row, column);
    }
}
addSubstitute(Target.shown);
function refuse() {
    throw new TypeError("a row is read-only: store.update(entity, row, values) changes it");
}
class Itself {
    constructor(object) { return object; }
}
let shapeOf;
class Shaped extends Itself {
    #shape;
    constructor(row, shape) {
        super(row);
        this.#shape = shape;
    }
    static { shapeOf = (object) => #shape in object ? object.#shape : undefined; }
}
const ID = "$id";
function identityOf(
    row, store, entity,
) {
    if (typeof row === "number" || typeof row === "bigint") return row;
    if (isObject(row)) {
        const shape = shapeOf(row);
        if (shape !== undefined && (shape.entity !== entity || shape.store !== store)) {
            const place = (shape) => "'" + shape.entity + "' in the store '" + shape.store + "'";
            throw new TypeError("a row of " + place(shape) + " is not a row of " + place({ entity, store }));
        }
        const id = row[ID];
        if (typeof id === "number" || typeof id === "bigint") return id;
    }
    throw new TypeError("a row is named by itself or by its $id, not by " + (isObject(row) ? "an object without $id" : kindOf(row)));
}
function rowTraps(attributes, store, entity) {
    const columns = { __proto__: null };
    const names = [ID];
    const types = new Uint8Array(attributes.length + 1);
    types[0] = INTEGER;
    for (let index = 0; index < attributes.length; index++) {
        const { name, type } = attributes[index];
        columns[name] = index + 1;
        types[index + 1] = codes[type];
        push(names, name);
    }
    columns[ID] = 0;
    const traps = {
        __proto__: null,
        get: (target, key) => {
            const column = columns[key];
            return column !== undefined ? read(target, column) : (ObjectPrototype)[key];
        },
        has: (
            target, key,
        ) => columns[key] !== undefined || key in ObjectPrototype,
        ownKeys: () => names,
        getOwnPropertyDescriptor: (target, key) => {
            const column = columns[key];
            if (column === undefined) return undefined;
            return { __proto__: null, value: read(target, column), writable: false, enumerable: true, configurable: true };
        },
        getPrototypeOf: () => ObjectPrototype,
        set: refuse,
        defineProperty: refuse,
        deleteProperty: refuse,
        setPrototypeOf: refuse,
        preventExtensions: refuse,
    };
    return ObjectFreeze({ __proto__: null, traps: ObjectFreeze(traps), names, width: names.length, types, store, entity });
}
function makeTable(
    shape, cells, ends, texts,
    blocks,
) {
    return { __proto__: null, names: shape.names, width: shape.width, types: shape.types, cells, ends, texts, blocks, memo: { __proto__: null } };
}
function makeRow(shape, table, row) {
    return new Shaped(new Proxy(new Target(table, row), shape.traps), shape);
}
function makeRows(shape, parts) {
    const table = makeTable(shape, parts[0], parts[1], parts[2], parts[3]);
    const rows = [];
    const count = parts[4];
    for (let row = 0; row < count; row++) {
        const id = table.cells[row * table.width];
        push(rows, id === id ? makeRow(shape, table, row) : undefined);
    }
    return ObjectFreeze(rows);
}
const rowsPerStep = 256;
// data_code/host_sources.js
let holdsSource;
const isHostSource = (value) => holdsSource(value);
class HostSource {
    #handle;
    #name;
    #listeners = makeSafeMap();
    #nextListener = 1;
    static { holdsSource = (value) => isObject(value) && #handle in value; }
    constructor(key, name, handle) {
        refuseScripts(key);
        this.#name = name;
        this.#handle = handle;
    }
    get name() { return this.#name; }
    get version() { return dataHost.sourceVersion(this.#handle); }
    get numberOfSections() { return dataHost.sourceSections(this.#handle); }
    get count() {
        let count = 0;
        for (let section = this.numberOfSections - 1; section >= 0; section--) count += this.numberOfItems(section);
        return count;
    }
    numberOfItems(section) { return dataHost.sourceItems(this.#handle, section); }
    item(
        section, item,
    ) { return dataHost.sourceItem(this.#handle, section, item); }
    window(section = 0, from = 0, to = Infinity) { return ObjectFreeze(dataHost.sourceWindow(this.#handle, section, from, to)); }
    indexOf(id) { return dataHost.sourceIndexOf(this.#handle, isObject(id) ? id.$id ?? id.id : id); }
    after(
        section, item,
    ) { return dataHost.sourceAfter(this.#handle, section, item); }
    headerTitle(section) { return dataHost.sourceTitle(this.#handle, section, 0); }
    footerTitle(section) { return dataHost.sourceTitle(this.#handle, section, 1); }
    saveState(view = {}) { return dataHost.saveHostState(this.#handle, view); }
    restoreState(
        archive, view = {},
    ) { return dataHost.restoreHostState(this.#handle, archive, view); }
    onChange(listener) {
        callable(listener, "a listener");
        if (this.#listeners.size === 0) dataHost.followSource(this.#handle, (changes) => this.#notify(changes));
        const id = this.#nextListener++;
        this.#listeners.set(id, listener);
        return () => {
            if (this.#listeners.delete(id) && this.#listeners.size === 0) dataHost.followSource(this.#handle);
        };
    }
    #notify(changes) {
        const end = this.#nextListener;
        const event = changes === "all" ? ObjectFreeze({ all: true, sections: [], items: [], objects: [] }) : split(changes);
        this.#listeners.forEach((listener, id) => {
            if (id >= end) return;
            try { listener(event); } catch (error) { reportError(error); }
        });
    }
    *[SymbolIterator]() {
        for (let section = 0; section < this.numberOfSections; section++) {
            for (let from = 0; ; from += rowsPerStep) {
                const items = this.window(section, from, from + rowsPerStep);
                for (let index = 0; index < items.length; index++) yield items[index];
                if (items.length < rowsPerStep) break;
            }
        }
    }
}
ObjectFreeze(HostSource.prototype);
function split(changes) {
    const sections = [], items = [];
    for (let index = 0; index < changes.length; index++) {
        const { kind, ...change } = changes[index];
        push(kind === "section" ? sections : items, change);
    }
    return ObjectFreeze({ all: false, sections, items, objects: items });
}
function openDataSource(name) {
    if (typeof name !== "string") throw new TypeError("a data source's name must be a string");
    return new HostSource(made, name, dataHost.openSource(name));
}
// data_code/changes.js
let handleOf, isEmpty;
class ChangeSet {
    #handle;
    #packed;
    #origin;
    #summary;
    #lists;
    static {
        handleOf = (changes) => isObject(changes) && #handle in changes ? changes.#made : undefined;
        isEmpty = (changes) => {
            const numbers = changes.#numbers;
            for (let kind = 0; kind < 7; kind++) if (numbers[kind] !== 0) return false;
            return true;
        };
    }
    constructor(
        key, handle, numbers, origin,
    ) {
        refuseScripts(key);
        this.#handle = handle;
        this.#packed = numbers;
        this.#origin = origin;
    }
    get #made() { return this.#handle ??= dataHost.changes(this.#origin, copied(this.#packed, this.#packed.length)); }
    get #all() { return this.#summary ??= summaryOf(this.#numbers); }
    get #numbers() { return this.#packed ??= dataHost.changePaths(this.#handle); }
    get all() { return false; }
    get version() { return this.#all.version; }
    get oldVersion() { return this.#all.oldVersion; }
    get milliseconds() { return this.#all.milliseconds; }
    get counts() { return { sections: this.#all.sections, rows: this.#all.rows }; }
    get sections() { return (this.#lists ??= unpack(this.#numbers)).sections; }
    get items() { return (this.#lists ??= unpack(this.#numbers)).items; }
    get objects() { return this.items; }
    get packed() { return copied(this.#numbers, pathsEnd(this.#numbers)); }
    get ids() { return idsOf(this.#numbers); }
    inverse() { return new ChangeSet(made, dataHost.inverse(this.#made)); }
    merging(next) { return merged(this, next); }
    toString() {
        const text = (counts) => counts.inserted + " inserted, " + counts.deleted + " deleted, "
            + counts.moved + " moved, " + counts.updated + " updated";
        return "sections: " + text(this.#all.sections) + "; rows: " + text(this.#all.rows);
    }
}
ObjectFreeze(ChangeSet.prototype);
const changeHandle = (changes) => handleOf(changes);
function merged(first, second) {
    return new ChangeSet(made, dataHost.merge(handleOf(first), handleOf(second)));
}
function summaryOf(numbers) {
    const end = numbers.length;
    const nanoseconds = (idAt(numbers, end - 2));
    const counts = (
        inserted, deleted, moved, updated,
    ) => ({ inserted, deleted, moved, updated });
    return {
        version: idAt(numbers, end - 4), oldVersion: idAt(numbers, end - 8),
        milliseconds: nanoseconds < 0 ? undefined : nanoseconds / 1e6,
        sections: counts(numbers[1], numbers[0], numbers[2], 0),
        rows: counts(numbers[4], numbers[3], numbers[5], numbers[6]),
    };
}
function pathsEnd(numbers) {
    return 7 + numbers[0] + numbers[1] + 2 * (numbers[2] + numbers[3] + numbers[4]) + 4 * (numbers[5] + numbers[6]);
}
function idAt(numbers, place) {
    const low = numbers[place] >>> 0, high = numbers[place + 1];
    return high >= -0x200000 && high < 0x200000
        ? high * 0x100000000 + low : BigInt(high) * 0x100000000n + BigInt(low);
}
function copied(numbers, end) {
    const copy = new NativeInt32Array(end);
    for (let index = 0; index < end; index++) copy[index] = numbers[index];
    return copy;
}
function idsOf(numbers) {
    const first = pathsEnd(numbers);
    const count = numbers[3] + numbers[4] + numbers[5] + numbers[6];
    const ids = new NativeFloat64Array(count);
    for (let index = 0; index < count; index++) {
        const id = idAt(numbers, first + 2 * index);
        if (typeof id === "bigint") return bigIDsOf(numbers, first, count);
        ids[index] = id;
    }
    return ids;
}
function bigIDsOf(numbers, first, count) {
    const ids = new NativeBigInt64Array(count);
    for (let index = 0; index < count; index++) ids[index] = BigInt(idAt(numbers, first + 2 * index));
    return ids;
}
function unpack(numbers) {
    let next = 7, nextID = pathsEnd(numbers);
    const hasIDs = nextID < numbers.length;
    const sections = [], items = [];
    const path = () => ({ section: numbers[next++], item: numbers[next++] });
    for (let index = 0; index < numbers[0]; index++) push(sections, { type: "delete", from: numbers[next++] });
    for (let index = 0; index < numbers[1]; index++) push(sections, { type: "insert", to: numbers[next++] });
    for (let index = 0; index < numbers[2]; index++) push(sections, { type: "move", from: numbers[next++], to: numbers[next++] });
    if (!hasIDs) {
        for (let index = 0; index < numbers[3]; index++) push(items, { type: "delete", from: path() });
        for (let index = 0; index < numbers[4]; index++) push(items, { type: "insert", to: path() });
        for (let index = 0; index < numbers[5]; index++) push(items, { type: "move", from: path(), to: path() });
        for (let index = 0; index < numbers[6]; index++) push(items, { type: "update", from: path(), to: path() });
        return frozen(sections, items);
    }
    const id = () => {
        const place = nextID;
        nextID += 2;
        return idAt(numbers, place);
    };
    for (let index = 0; index < numbers[3]; index++) push(items, { type: "delete", from: path(), id: id() });
    for (let index = 0; index < numbers[4]; index++) push(items, { type: "insert", to: path(), id: id() });
    for (let index = 0; index < numbers[5]; index++) push(items, { type: "move", from: path(), to: path(), id: id() });
    for (let index = 0; index < numbers[6]; index++) push(items, { type: "update", from: path(), to: path(), id: id() });
    return frozen(sections, items);
}
function frozen(
    sections, items,
) { return { sections: ObjectFreeze(sections), items: ObjectFreeze(items) }; }
class Snapshot {
    #handle;
    #sections;
    constructor(key, handle) {
        refuseScripts(key);
        this.#handle = handle;
    }
    get sections() { return this.#sections ??= dataHost.snapshotSections(this.#handle); }
    applying(changes) {
        return new Snapshot(made, dataHost.apply(this.#handle, handleOf(changes)));
    }
    equals(other) {
        return isObject(other) && #handle in other && dataHost.snapshotsEqual(this.#handle, other.#handle);
    }
}
ObjectFreeze(Snapshot.prototype);
function joined(waiting, changes) {
    let last = { __proto__: null, changes, count: 1, older: waiting };
    while (last.older !== undefined && last.older.count <= last.count) {
        const { older } = last;
        last = {
            __proto__: null, changes: merged(older.changes, last.changes), count: older.count + last.count, older: older.older,
        };
    }
    return last;
}
function mergedAll(waiting) {
    if (waiting === undefined) return undefined;
    let { changes } = waiting;
    for (let { older } = waiting; older !== undefined; older = older.older) changes = merged(older.changes, changes);
    return changes;
}
class Listeners {
    #reportError;
    #entries = makeSafeMap();
    #nextID = 1;
    #delivery;
    constructor(reportError) {
        this.#reportError = reportError;
    }
    get isEmpty() { return this.#entries.size === 0; }
    add(listener) {
        const id = this.#nextID++;
        this.#entries.set(id, { listener, isBusy: false, waiting: undefined });
        return id;
    }
    remove(id) { return this.#entries.delete(id); }
    clear() {
        this.#entries.clear();
        this.#delivery = undefined;
    }
    forgetDelivery() { this.#delivery = undefined; }
    deliver(crossed, origin) {
        const delivery = this.#delivery ??= {
            changes: crossed.length === 1 ? new ChangeSet(made, crossed[0]) : new ChangeSet(made, undefined, crossed, origin),
            last: 0, end: this.#nextID,
        };
        this.#entries.forEach((entry, id) => {
            if (id <= delivery.last || id >= delivery.end) return;
            delivery.last = id;
            try { this.#notify(id, entry, delivery.changes); } catch (error) { this.#reportError(error); }
        });
        this.#delivery = undefined;
    }
    #notify(id, entry, changes) {
        if (entry.isBusy) {
            entry.waiting = joined(entry.waiting, changes);
            return;
        }
        const { listener } = entry;
        let result;
        try { result = listener(changes); } catch (error) { this.#reportError(error); return; }
        if (!isObject(result)) return;
        const free = () => this.#free(id, entry);
        try {
            PromisePrototypeThen(result, free, (error) => {
                this.#reportError(error);
                free();
            });
            entry.isBusy = true;
        } catch {
        }
    }
    #free(id, entry) {
        entry.isBusy = false;
        const changes = mergedAll(entry.waiting);
        entry.waiting = undefined;
        if (changes !== undefined && this.#entries.get(id) === entry && !isEmpty(changes)) this.#notify(id, entry, changes);
    }
}
// data_code/keys.js
function plainKey(key, what) {
    switch (typeof key) {
    case "number": return key === key ? key : undefined;
    case "string": case "boolean": case "undefined": return key;
    case "bigint": {
        const number = NativeNumber(key);
        if (number <= 9007199254740991 && number >= -9007199254740991) return number;
        throw new TypeError(what + " is exact only up to 2^53 - 1: sort by the attribute's name, or return a string instead of a larger bigint");
    }
    case "object":
        if (key === null) return undefined;
        try {
            const time = DatePrototypeGetTime(key);
            return time === time ? time : undefined;
        } catch {
        }
    }
    throw new TypeError(what + " must be a number, a string, a boolean, a date, null or undefined, not " + kindOf(key));
}
function takeFunctions(options) {
    if (!isObject(options)) return { options, functions: undefined };
    const plain = { __proto__: null };
    const keys = [];
    let filter;
    const take = (compute, name) => {
        if (name !== undefined && typeof name !== "string") throw new TypeError("a key function's name must be a string, not " + kindOf(name));
        let place = 0;
        while (place < keys.length && keys[place].compute !== compute) place++;
        if (place === keys.length) push(keys, { __proto__: null, compute, identity: "=" + FunctionPrototypeToString(compute) });
        if (name !== undefined) keys[place].identity = name + "()";
        return "\0" + place;
    };
    const each = (value, body) => {
        if (!ArrayIsArray(value)) return body(value);
        const list = [];
        for (let index = 0; index < value.length; index++) push(list, body(value[index]));
        return list;
    };
    const filters = (value, name) => {
        if (filter !== undefined) throw new TypeError("a fetch has one function that filters");
        filter = callable(value, name);
    };
    const names = ObjectKeys(options);
    for (let index = 0; index < names.length; index++) {
        const name = names[index], value = options[name];
        if (name === "window" || value === undefined) continue;
        if (name === "filter") filters(value, "a filter");
        else if (name === "where" && typeof value === "function") filters(value, "a filter");
        else if (name === "sectionBy") plain[name] = each(value, (key) => typeof key === "function" ? take(key) : key);
        else if (name === "sort") {
            plain[name] = each(value, (key) => {
                if (typeof key === "function") return take(key);
                if (!isObject(key) || !ObjectHasOwn(key, "key") || typeof key.key !== "function") return key;
                return { __proto__: null, key: take(key.key, key.name), ascending: key.ascending };
            });
        } else plain[name] = value;
    }
    const hasFunctions = filter !== undefined || keys.length > 0;
    return { options: plain, functions: hasFunctions ? { filter, keys } : undefined };
}
function makeCompute(
    functions, attributes, store,
    entity,
) {
    const { filter, keys } = functions;
    const shape = rowTraps(attributes, store, entity);
    return (
        take, cells, ends, texts,
        blocks, count,
    ) => {
        const table = makeTable(shape, cells, ends, texts, blocks);
        for (let index = 0; index < count; index++) {
            const row = makeRow(shape, table, index);
            if (filter !== undefined) {
                const belongs = filter(row);
                if (typeof belongs === "object" && belongs !== null && typeof belongs.then === "function") {
                    throw new TypeError("a filter must return true or false, not a promise");
                }
                if (callNative(take, !!belongs) === failed) throw takeFailure();
                if (!belongs) continue;
            }
            for (let number = 0; number < keys.length; number++) {
                const { compute } = keys[number];
                if (callNative(take, plainKey(compute(row), "a key")) === failed) throw takeFailure();
            }
        }
    };
}
function order(objects, key, options) {
    if (!ArrayIsArray(objects)) throw new TypeError("order takes an array, not " + kindOf(objects));
    callable(key, "a key");
    const ascending = ascendingOf(options);
    const count = objects.length;
    const numbers = new NativeFloat64Array(count);
    let index = 0;
    for (; index < count; index++) {
        const value = key(objects[index], index);
        if (typeof value !== "number") return orderOthers(objects, key, ascending, numbers, index, value);
        numbers[index] = value;
    }
    return dataHost.orderNumbers(numbers, ascending);
}
function ascendingOf(options) {
    if (options === undefined) return true;
    if (!isObject(options)) throw new TypeError("order takes { ascending }, not " + kindOf(options));
    const { ascending = true } = options;
    if (typeof ascending !== "boolean") throw new TypeError("ascending is true or false");
    return ascending;
}
function orderOthers(
    objects, key, ascending, numbers,
    first, value,
) {
    const count = objects.length;
    const parts = dataHost.keyTaker();
    const taker = parts[0];
    for (let index = 0; index < first; index++) if (callNative(taker, plainKey(numbers[index])) === failed) throw takeFailure();
    for (let index = first; index < count; index++) {
        if (index > first) value = key(objects[index], index);
        if (typeof value !== "string") value = plainKey(value, "a key");
        if (callNative(taker, value) === failed) throw takeFailure();
    }
    return dataHost.orderTaken(parts[1], ascending);
}
function difference(before, after) {
    const packed = isTyped(before) && isTyped(after)
        ? dataHost.differenceOfNumbers(before, after) : differenceOfKeys(before, after);
    let lists;
    return ObjectFreeze({
        packed,
        get sections() { return (lists ??= unpack(packed)).sections; },
        get items() { return (lists ??= unpack(packed)).items; },
    });
}
function isTyped(keys) {
    if (!ArrayBufferIsView(keys)) return false;
    try { TypedArrayPrototypeGetLength(keys); return true; } catch { return false; }
}
function differenceOfKeys(before, after) {
    const known = makeSafeMap();
    const first = numbered(before, "the keys before", known);
    return dataHost.differenceOfNumbers(first, numbered(after, "the keys after", known));
}
function numbered(keys, what, known) {
    if (!ArrayIsArray(keys) && !isTyped(keys)) throw new TypeError(what + " must be an array or a typed array, not " + kindOf(keys));
    const count = isTyped(keys) ? TypedArrayPrototypeGetLength(keys) : keys.length;
    const numbers = new NativeFloat64Array(count);
    const seen = makeSafeMap();
    for (let index = 0; index < count; index++) {
        let key = plainKey(keys[index], "a key");
        if (typeof key === "boolean") key = key ? 1 : 0;
        if (seen.has(key)) throw makeError("invalidArgument", "the key " + (key ?? "of no value") + " appears twice among " + what);
        seen.set(key, true);
        let number = known.get(key);
        if (number === undefined) known.set(key, number = known.size);
        numbers[index] = number;
    }
    return numbers;
}
// data_code/sources.js
const maximumItems = 2147483647;
const maximumSections = 100000;
function failure(code, message, cause) {
    const error = cause === undefined ? new Error(message) : new Error(message, ({ __proto__: null, cause: cause.value }));
    ObjectDefineProperty(error, "code", { __proto__: null, value: code, configurable: true, writable: true });
    return error;
}
function excerpt(value) {
    switch (typeof value) {
    case "string": return "the string '" + (value.length > 40 ? StringPrototypeSlice(value, 0, 40) + "..." : value) + "'";
    case "number": case "boolean": case "undefined": return String(value);
    case "bigint": return "a bigint";
    default: return kindOf(value) === "object" ? "an object" : kindOf(value);
    }
}
function wrong(
    name, member, wanted, answer,
) {
    return failure("decodeFailed", "the data source '" + name + "' answered " + member + " with " + excerpt(answer) + ", not with " + wanted);
}
let entryCount = 0;
class Entry {
    name;
    number = ++entryCount;
    source;
    followers = makeSafeMap();
    nextFollower = 1;
    pruneAt = 8;
    places;
    constructor(name, source) {
        this.name = name;
        this.source = source;
    }
    #member(member) {
        try { return this.source[member]; } catch (value) { throw this.#failed(member, value); }
    }
    #failed(member, value) {
        return failure("handlerFailed", "the data source '" + this.name + "' failed in " + member, { __proto__: null, value });
    }
    #call(member, method, values) {
        let answer;
        try {
            answer = ReflectApply(method, this.source, values);
            if (!isPromise(answer)) return answer;
        } catch (value) {
            throw this.#failed(member, value);
        }
        throw this.#promised(member, "with a promise");
    }
    #promised(member, what) {
        return failure("decodeFailed", "the data source '" + this.name + "' answered " + member + " " + what + ": " + member + " must return its value, not a promise", undefined);
    }
    #count(member, values, maximum) {
        const property = this.#member(member);
        if (property === undefined) return undefined;
        const answer = typeof property === "function" ? this.#call(member, property, values) : property;
        if (typeof answer !== "number" || answer % 1 !== 0 || !(answer >= 0) || answer > maximum) {
            throw wrong(this.name, member, answer > maximum && answer % 1 === 0 ? "a count up to " + maximum : "a count", answer);
        }
        return answer;
    }
    #itemCount(section) { return this.#count("numberOfItems", [section], maximumItems) ?? 0; }
    numberOfSections() {
        return this.#count("numberOfSections", [], maximumItems) ?? (this.#itemCount(0) > 0 ? 1 : 0);
    }
    numberOfItems(section) {
        if (!(section >= 0) || section >= (this.#count("numberOfSections", [], maximumItems) ?? 1)) return 0;
        return this.#itemCount(section);
    }
    counts() {
        const sections = this.numberOfSections();
        if (sections > maximumSections) throw wrong(this.name, "numberOfSections", "a count up to " + maximumSections, sections);
        const counts = [];
        for (let section = 0; section < sections; section++) push(counts, this.#itemCount(section));
        return counts;
    }
    window(section, from, to) {
        const count = this.numberOfItems(section);
        const end = to < count ? to : count;
        const start = from > 0 ? from : 0;
        return start < end ? this.read(section, start, end) : [];
    }
    read(section, from, to) {
        const window = this.#member("window");
        if (typeof window === "function") {
            const rows = this.#call("window", window, [section, from, to]);
            const wanted = "an array of " + (to - from) + " items";
            if (!ArrayIsArray(rows)) throw wrong(this.name, "window", wanted, rows);
            let length, isPending;
            try {
                length = rows.length;
                isPending = length > 0 && isPromise(rows[0]);
            } catch (value) { throw this.#failed("window", value); }
            if (length !== to - from) {
                throw failure("decodeFailed", "the data source '" + this.name + "' answered window with an array of " + excerpt(length) + ", not with " + wanted);
            }
            if (isPending) throw this.#promised("window", "with an array of promises");
            return rows;
        }
        const item = this.#member("item");
        if (typeof item !== "function") {
            throw failure("invalidArgument", "the data source '" + this.name + "' has neither window(section, from, to) nor item(section, item)");
        }
        const rows = [];
        for (let index = from; index < to; index++) push(rows, this.#call("item", item, [section, index]));
        return rows;
    }
    title(member, section) {
        if (!(section >= 0) || section >= (this.#count("numberOfSections", [], maximumItems) ?? 1)) return undefined;
        const property = this.#member(member);
        const answer = typeof property === "function" ? this.#call(member, property, [section]) : undefined;
        if (answer === undefined || answer === null) return undefined;
        if (typeof answer !== "string") throw wrong(this.name, member, "a string or null", answer);
        return answer;
    }
    #identityOf(item, section, index) {
        const identifier = this.#member("identifier");
        let answer = item;
        if (typeof identifier === "function") answer = this.#call("identifier", identifier, [item, section, index]);
        else if (isObject(item)) {
            try { answer = item.$id ?? item.id; } catch (value) { throw this.#failed("an item's id", value); }
        }
        if (answer === undefined || answer === null) return undefined;
        if (typeof answer === "string") return answer;
        if (typeof answer === "bigint" || typeof answer === "number" && answer - answer === 0) return String(answer);
        throw wrong(this.name, "identifier", "a string or a number", answer);
    }
    #itemAt(
        section, index,
    ) { return this.window(section, index, index + 1); }
    identity(section, index) {
        const items = this.#itemAt(section, index);
        return items.length === 0 ? undefined : this.#identityOf(items[0], section, index);
    }
    placeOf(identity) {
        const indexOf = this.#member("indexOf");
        if (typeof indexOf === "function") return this.#answeredPlace(this.#call("indexOf", indexOf, [identity]), identity);
        for (let isAgain = false; ; isAgain = true) {
            const places = isAgain || this.places === undefined ? this.#findPlaces() : this.places;
            const isFresh = places !== this.places;
            this.places = places;
            const place = places.map.get(identity);
            if (place !== undefined && this.identity(place[0], place[1]) === identity) return place;
            if (isFresh || place === undefined && this.#hasCounts(places.counts)) return undefined;
        }
    }
    #answeredPlace(answer, identity) {
        if (answer === undefined || answer === null) return undefined;
        const wanted = "a path { section, item } that has it";
        if (!isObject(answer)) throw wrong(this.name, "indexOf", wanted, answer);
        let section, item;
        try { ({ section, item } = answer); } catch (value) { throw this.#failed("indexOf", value); }
        if (typeof section !== "number" || typeof item !== "number" || !(item >= 0) || item % 1 !== 0
            || section % 1 !== 0 || this.identity(section, item) !== identity) {
            throw wrong(this.name, "indexOf", wanted, answer);
        }
        return [section, item];
    }
    #hasCounts(before) {
        const counts = this.counts();
        if (counts.length !== before.length) return false;
        for (let section = 0; section < counts.length; section++) if (counts[section] !== before[section]) return false;
        return true;
    }
    #findPlaces() {
        const counts = this.counts();
        const map = makeSafeMap();
        for (let section = 0; section < counts.length; section++) {
            for (let from = 0; from < counts[section]; from += rowsPerStep) {
                const to = from + rowsPerStep < counts[section] ? from + rowsPerStep : counts[section];
                const items = this.read(section, from, to);
                for (let index = 0; index < to - from; index++) {
                    const identity = this.#identityOf(items[index], section, from + index);
                    if (identity !== undefined && !map.has(identity)) map.set(identity, [section, from + index]);
                }
            }
        }
        return { __proto__: null, map, counts };
    }
    schema() {
        const schema = this.#member("schema");
        if (schema === undefined || schema === null) return "source:" + this.name;
        if (typeof schema !== "string") throw wrong(this.name, "schema", "a string", schema);
        return schema;
    }
    sectionIdentity(section) {
        const identifier = this.#member("sectionIdentifier");
        if (typeof identifier !== "function") return this.title("headerTitle", section) ?? section;
        const answer = this.#call("sectionIdentifier", identifier, [section]);
        if (typeof answer !== "string" && typeof answer !== "number") throw wrong(this.name, "sectionIdentifier", "a string or a number", answer);
        return answer;
    }
    sortKeys() {
        const keys = this.#member("sortKeys");
        if (keys === undefined || keys === null) return [];
        if (!ArrayIsArray(keys)) throw wrong(this.name, "sortKeys", "an array of names", keys);
        const names = [];
        for (let index = 0; index < keys.length; index++) {
            if (typeof keys[index] !== "string") throw wrong(this.name, "sortKeys", "an array of names", keys[index]);
            push(names, keys[index]);
        }
        return names;
    }
    sortValues(section, index, names) {
        const items = this.#itemAt(section, index);
        if (items.length === 0) return undefined;
        const values = [];
        for (let number = 0; number < names.length; number++) {
            const name = names[number][0] === "-" ? StringPrototypeSlice(names[number], 1) : names[number];
            let value;
            try { value = items[0][name]; } catch (error) { throw this.#failed("the member '" + name + "' of an item", error); }
            push(values, value ?? null);
        }
        return values;
    }
    notify(changes) {
        this.places = undefined;
        const end = this.nextFollower;
        this.followers.forEach((follow, id) => {
            if (id < end && !follow(changes)) this.followers.delete(id);
        });
    }
    follow(follow) {
        if (this.followers.size >= this.pruneAt) {
            this.followers.forEach((
                other, id,
            ) => { if (!other()) this.followers.delete(id); });
            this.pruneAt = this.followers.size < 4 ? 8 : this.followers.size * 2;
        }
        this.followers.set(this.nextFollower++, follow);
    }
}
const sources = makeSafeMap();
const registrations = new WeakMap();
const registeredEntry = (value) => isObject(value) ? WeakMapPrototypeGet(registrations, value) : undefined;
function registerDataSource(
    name, source,
) {
    if (typeof name !== "string") throw new TypeError("a data source's name must be a string");
    if (!StringPrototypeIsWellFormed(name)) {
        throw new TypeError("a data source's name must not contain a lone surrogate: the host could not request it");
    }
    if (!isObject(source)) throw new TypeError("a data source is an object with numberOfItems and window or item");
    const entry = new Entry(name, source);
    const replaced = sources.get(name);
    replaceNoted(sources, name, entry, () => { entry.notify("all"); });
    if (replaced !== undefined) replaced.notify("all");
    const registration = ObjectFreeze({
        name,
        reload(changes = "all") {
            if (changes !== "all" && !ArrayIsArray(changes)) throw new TypeError("changes are 'all' or a list");
            entry.notify(changes);
        },
        remove() {
            if (sources.get(name) !== entry) return;
            sources.delete(name);
            entry.notify("all");
        },
        saveState(view = {}) { return dataHost.saveSourceState(name, entry, view); },
        restoreState(
            archive, view = {},
        ) { return dataHost.restoreSourceState(name, entry, archive, view); },
    });
    WeakMapPrototypeSet(registrations, registration, entry);
    return registration;
}
const dataSource = (name) => sources.get(name);
const bindMethod = (entry, name) => {
    const method = entry[name];
    return (
        first, second, third,
    ) => ReflectApply(method, entry, [first, second, third]);
};
const dataSourceNames = () => {
    const names = [];
    sources.forEach((entry, name) => { push(names, name); });
    return names;
};
// data_code/queries.js
const keptWindows = 4;
let holdsQuery;
const isQuery = (value) => holdsQuery(value);
class Query {
    #handle;
    #store;
    #entity;
    #shape;
    #listeners = new Listeners(reportError);
    #isReferenced = true;
    #isClosed = false;
    #stamp;
    #windows = [];
    #nextWindow = 0;
    #view;
    static { holdsQuery = (value) => isObject(value) && #handle in value; }
    constructor(
        key, store, entity,
        handle, view,
    ) {
        refuseScripts(key);
        this.#store = store;
        this.#entity = entity;
        this.#handle = handle;
        this.#shape = rowTraps(dataHost.attributes(handle), store, entity);
        if (view !== undefined) this.setWindow(view);
    }
    get #open() {
        if (this.#isClosed) throw new Error("the query was closed");
        return this.#handle;
    }
    get count() { return dataHost.count(this.#open); }
    get version() { return dataHost.version(this.#open); }
    get numberOfSections() { return dataHost.numberOfSections(this.#open); }
    numberOfItems(section) { return dataHost.numberOfItems(this.#open, section); }
    section(index) { return dataHost.section(this.#open, index); }
    window(section = 0, from = 0, to = Infinity) {
        const handle = this.#open;
        const stamp = callNative(dataHost.stamp, handle);
        if (stamp === failed) throw takeFailure();
        if (stamp !== this.#stamp) {
            this.#stamp = stamp;
            for (let index = 0; index < this.#windows.length; index++) this.#windows[index].rows = undefined;
        }
        const windows = this.#windows;
        for (let index = 0; index < windows.length; index++) {
            const kept = windows[index];
            if (kept.rows !== undefined && kept.section === section && kept.from === from && kept.to === to) return kept.rows;
        }
        const rows = makeRows(this.#shape, dataHost.window(handle, section, from, to));
        if (stamp === stamp) this.#keep({ __proto__: null, section, from, to, rows });
        return rows;
    }
    #keep(window) {
        const place = this.#nextWindow;
        this.#nextWindow = (place + 1) % keptWindows;
        ObjectDefineProperty(this.#windows, place, {
            __proto__: null, value: window, writable: true, enumerable: true, configurable: true,
        });
    }
    item(section, item) {
        if (isObject(section)) return this.item(section.section, section.item);
        if (typeof item !== "number" || item % 1 !== 0 || item < 0) return undefined;
        return makeRows(this.#shape, dataHost.window(this.#open, section, item, item + 1))[0];
    }
    indexOf(row) { return dataHost.indexOf(this.#open, this.#idOf(row)); }
    snapshot() { return new Snapshot(made, dataHost.snapshot(this.#open)); }
    saveState(view = {}) { return dataHost.saveState(this.#open, view); }
    restoreState(archive, view = {}) { return dataHost.restoreState(this.#open, archive, view); }
    setWindow(view) {
        if (!isObject(view)) throw new TypeError("a window is { section, from, to }");
        const { section = 0, from = 0, to = Infinity } = view;
        if (typeof section !== "number" || typeof from !== "number" || typeof to !== "number") {
            throw new TypeError("a window's section, from and to are numbers");
        }
        this.#view = { __proto__: null, section, from, to };
        return this;
    }
    get rows() {
        const view = this.#view;
        return view === undefined ? this.window() : this.window(view.section, view.from, view.to);
    }
    insert(values) { return dataHost.insert(this.#store, this.#entity, values); }
    update(
        row, values,
    ) { return dataHost.update(this.#store, this.#entity, this.#idOf(row), values); }
    delete(row) { return dataHost.delete(this.#store, this.#entity, this.#idOf(row)); }
    *[SymbolIterator]() {
        for (let section = 0; section < this.numberOfSections; section++) {
            let from = 0, before, stamp = dataHost.stamp(this.#open);
            for (;;) {
                const rows = makeRows(this.#shape, dataHost.window(this.#open, section, from, from + rowsPerStep));
                for (let index = 0; index < rows.length; index++) yield rows[index];
                if (rows.length === 0) break;
                const present = dataHost.stamp(this.#open);
                if (present === stamp) {
                    if (rows.length < rowsPerStep) break;
                    from += rows.length;
                } else {
                    from = this.#placeBehind(rows, before, section);
                    stamp = present;
                }
                before = { __proto__: null, id: this.#idOf(rows[rows.length - 1]), before };
            }
        }
    }
    #idOf(row) { return identityOf(row, this.#store, this.#entity); }
    #placeBehind(rows, before, section) {
        const placeOf = (id) => {
            const place = this.indexOf(id);
            return isObject(place) && place.section === section ? place.item + 1 : 0;
        };
        let place = 0;
        for (let index = rows.length - 1; index >= 0 && place === 0; index--) place = placeOf(this.#idOf(rows[index]));
        for (let last = before; last !== undefined && place === 0; last = last.before) place = placeOf(last.id);
        return place;
    }
    onChange(listener) {
        callable(listener, "a listener");
        const handle = this.#open;
        if (this.#listeners.isEmpty) {
            const origin = dataHost.listen(handle, (...crossed) => this.#listeners.deliver(crossed, origin));
            dataHost.reference(handle, this.#isReferenced ? 1 : 0);
        }
        const id = this.#listeners.add(listener);
        return () => { this.#stop(id); };
    }
    #stop(id) {
        if (this.#listeners.remove(id) && this.#listeners.isEmpty) this.#unlisten();
    }
    #unlisten() {
        this.#listeners.forgetDelivery();
        dataHost.unlisten(this.#handle);
    }
    ref() { this.#setReferenced(true); return this; }
    unref() { this.#setReferenced(false); return this; }
    #setReferenced(isReferenced) {
        this.#isReferenced = isReferenced;
        if (!this.#listeners.isEmpty) dataHost.reference(this.#handle, isReferenced ? 1 : 0);
    }
    close() {
        if (this.#isClosed) return;
        this.#isClosed = true;
        this.#listeners.clear();
        this.#unlisten();
        dataHost.close(this.#handle);
        this.#windows = [];
    }
    dispose() { this.close(); }
}
if (SymbolDispose !== undefined) {
    ObjectDefineProperty(Query.prototype, SymbolDispose, {
        __proto__: null, value: Query.prototype.dispose, writable: true, configurable: true,
    });
}
ObjectFreeze(Query.prototype);
// data_code/stores.js
class Store {
    #name;
    constructor(key, name) {
        refuseScripts(key);
        this.#name = name;
    }
    get name() { return this.#name; }
    get entities() { return dataHost.entities(this.#name); }
    createEntity(
        name, attributes,
    ) { dataHost.createEntity(this.#name, name, attributes); }
    importCSV(path, options = {}) { return dataHost.importCSV(this.#name, path, options); }
    insert(
        entity, values,
    ) { return dataHost.insert(this.#name, entity, values); }
    update(
        entity, row, values,
    ) { return dataHost.update(this.#name, entity, identityOf(row, this.#name, entity), values); }
    upsert(
        entity, key, values,
    ) { return dataHost.upsert(this.#name, entity, key, values); }
    delete(
        entity, row,
    ) { return dataHost.delete(this.#name, entity, identityOf(row, this.#name, entity)); }
    fetch(entity, options = {}) {
        const view = isObject(options) ? options.window : undefined;
        const { options: plain, functions } = takeFunctions(options);
        if (functions === undefined) {
            return new Query(made, this.#name, entity, dataHost.fetch(this.#name, entity, plain), view);
        }
        const compute = makeCompute(functions, dataHost.attributesOf(this.#name, entity), this.#name, entity);
        const { filter, keys } = functions;
        const identities = [];
        for (let index = 0; index < keys.length; index++) push(identities, keys[index].identity);
        const handle = dataHost.fetch(this.#name, entity, plain, compute, identities, filter === undefined ? 0 : 1);
        return new Query(made, this.#name, entity, handle, view);
    }
    transaction(body) {
        callable(body, "a transaction's body");
        let result, thrown, hasThrown = false;
        try {
            dataHost.transaction(this.#name, () => {
                try {
                    result = body();
                    if (isObject(result) && typeof result.then === "function") {
                        throw new TypeError("a transaction cannot wait: its body returned a promise");
                    }
                } catch (error) {
                    hasThrown = true;
                    thrown = error;
                    throw error;
                }
            });
        } catch (error) {
            throw hasThrown ? thrown : error;
        }
        return result;
    }
}
ObjectFreeze(Store.prototype);
const stores = makeSafeMap();
function store(name) {
    if (typeof name !== "string") throw new TypeError("a store's name must be a string");
    let store = stores.get(name);
    if (store === undefined) {
        dataHost.entities(name);
        store = new Store(made, name);
        stores.set(name, store);
    }
    return store;
}
// data_code/index.js
loadedBundles.data_code = {
    __proto__: null, bindMethod, dataSource, dataSourceNames, difference, openDataSource, order, registerDataSource,
    store,
};
bundles.data_code = {
    __proto__: null,
    Entry, callable, changeHandle, isHostSource, isPromise, isQuery, kindOf, made, refuseScripts, registeredEntry,
};
})
