// Change sets of live queries, and snapshots of their order. A change set is an array of numbers, as Difference.packed
// writes it. A small one crosses as these numbers. A larger one crosses as an object of the host that returns the array
// on request. The members of a change set are created from the array on first access.
import { NativeBigInt64Array, NativeFloat64Array, NativeInt32Array } from "../data/builtins.js";
import { made, refuseScripts } from "./checks.js";
import { dataHost } from "../data/native.js";
import { isObject, push } from "../engine/objects.js";
import { BigInt, ObjectFreeze, PromisePrototypeThen, makeSafeMap } from "../engine/primordials.js";

// Access to the native object of a change set, and to whether it is empty. Members of the class would expose them
// to scripts.
let /** @type {any} */ handleOf, /** @type {any} */ isEmpty;

class ChangeSet {
    #handle;
    #packed;
    // For a change set that crossed as numbers: the query's origin, with which the host creates an object of them.
    #origin;
    /** @type {any} */ #summary;
    /** @type {any} */ #lists;

    static {
        handleOf = (/** @type {any} */ changes) => isObject(changes) && #handle in changes ? changes.#made : undefined;
        isEmpty = (/** @type {any} */ changes) => {
            const numbers = changes.#numbers;
            for (let kind = 0; kind < 7; kind++) if (numbers[kind] !== 0) return false;
            return true;
        };
    }

    constructor(
        /** @type {any} */ key, /** @type {any} */ handle, /** @type {any} */ numbers, /** @type {any} */ origin,
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
    merging(/** @type {any} */ next) { return merged(this, next); }

    toString() {
        const text = (/** @type {any} */ counts) => counts.inserted + " inserted, " + counts.deleted + " deleted, "
            + counts.moved + " moved, " + counts.updated + " updated";
        return "sections: " + text(this.#all.sections) + "; rows: " + text(this.#all.rows);
    }
}

ObjectFreeze(ChangeSet.prototype);

export const changeHandle = (/** @type {unknown} */ changes) => handleOf(changes);

// Outside of the class, so that members a script can replace are not read.
function merged(/** @type {any} */ first, /** @type {any} */ second) {
    return new ChangeSet(made, dataHost.merge(handleOf(first), handleOf(second)));
}

// Reads the versions, the time and the counts of a change set. After the ids follow the first and the last version
// before the changes, the first and the last version after them, and the nanoseconds from the commit, or -1.
function summaryOf(/** @type {any} */ numbers) {
    const end = numbers.length;
    const nanoseconds = /** @type {number} */ (idAt(numbers, end - 2));
    const counts = (
        /** @type {any} */ inserted, /** @type {any} */ deleted, /** @type {any} */ moved, /** @type {any} */ updated,
    ) => ({ inserted, deleted, moved, updated });
    return {
        version: idAt(numbers, end - 4), oldVersion: idAt(numbers, end - 8),
        milliseconds: nanoseconds < 0 ? undefined : nanoseconds / 1e6,
        sections: counts(numbers[1], numbers[0], numbers[2], 0),
        rows: counts(numbers[4], numbers[3], numbers[5], numbers[6]),
    };
}

// Returns the end of the paths: seven counts, then the paths of each kind. The rows' ids follow, each as two halves.
function pathsEnd(/** @type {any} */ numbers) {
    return 7 + numbers[0] + numbers[1] + 2 * (numbers[2] + numbers[3] + numbers[4]) + 4 * (numbers[5] + numbers[6]);
}

function idAt(/** @type {any} */ numbers, /** @type {any} */ place) {
    const low = numbers[place] >>> 0, high = numbers[place + 1];
    // Beyond 2^53 only a bigint is exact.
    return high >= -0x200000 && high < 0x200000
        ? high * 0x100000000 + low : BigInt(high) * 0x100000000n + BigInt(low);
}

function copied(/** @type {any} */ numbers, /** @type {number} */ end) {
    const copy = new NativeInt32Array(end);
    for (let index = 0; index < end; index++) copy[index] = numbers[index];
    return copy;
}

function idsOf(/** @type {any} */ numbers) {
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

function bigIDsOf(/** @type {any} */ numbers, /** @type {any} */ first, /** @type {number} */ count) {
    const ids = new NativeBigInt64Array(count);
    for (let index = 0; index < count; index++) ids[index] = BigInt(idAt(numbers, first + 2 * index));
    return ids;
}

export function unpack(/** @type {any} */ numbers) {
    let next = 7, nextID = pathsEnd(numbers);
    const hasIDs = nextID < numbers.length;
    const /** @type {any} */ sections = [], /** @type {any} */ items = [];
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

// All listeners of a query share these arrays; they are frozen, so that no listener changes what the next one
// reads.
function frozen(
    /** @type {any} */ sections, /** @type {any} */ items,
) { return { sections: ObjectFreeze(sections), items: ObjectFreeze(items) }; }

export class Snapshot {
    #handle;
    /** @type {any} */ #sections;

    constructor(/** @type {any} */ key, /** @type {any} */ handle) {
        refuseScripts(key);
        this.#handle = handle;
    }

    get sections() { return this.#sections ??= dataHost.snapshotSections(this.#handle); }

    applying(/** @type {any} */ changes) {
        return new Snapshot(made, dataHost.apply(this.#handle, handleOf(changes)));
    }

    equals(/** @type {any} */ other) {
        return isObject(other) && #handle in other && dataHost.snapshotsEqual(this.#handle, other.#handle);
    }
}

ObjectFreeze(Snapshot.prototype);

// ---------------------------------------------------------------- listeners

// Adds a change set to those that wait for a listener, the newest first. Each node counts the change sets that were
// merged into it. Two nodes with the same count are merged, so that each change set takes part in few merges and
// few nodes wait, however many arrive.
function joined(/** @type {any} */ waiting, /** @type {any} */ changes) {
    let last = { __proto__: null, changes, count: 1, older: waiting };
    while (last.older !== undefined && last.older.count <= last.count) {
        const { older } = last;
        last = {
            __proto__: null, changes: merged(older.changes, last.changes), count: older.count + last.count, older: older.older,
        };
    }
    return last;
}

function mergedAll(/** @type {any} */ waiting) {
    if (waiting === undefined) return undefined;
    let { changes } = waiting;
    for (let { older } = waiting; older !== undefined; older = older.older) changes = merged(older.changes, changes);
    return changes;
}

// The listeners of one query. A listener that returns a promise is not called again until the promise has settled.
// Changes that arrive meanwhile are merged into one change set for it.
export class Listeners {
    #reportError;
    #entries = makeSafeMap();
    #nextID = 1;
    // The change set in delivery, and the listeners that received it; it is kept if a time limit terminates a
    // listener.
    /** @type {any} */ #delivery;

    constructor(/** @type {any} */ reportError) {
        this.#reportError = reportError;
    }

    get isEmpty() { return this.#entries.size === 0; }

    add(/** @type {(...values: any[]) => any} */ listener) {
        const id = this.#nextID++;
        this.#entries.set(id, { listener, isBusy: false, waiting: undefined });
        return id;
    }

    remove(/** @type {any} */ id) { return this.#entries.delete(id); }

    // The map is cleared, not replaced, so that a delivery in progress finds no more listeners.
    clear() {
        this.#entries.clear();
        this.#delivery = undefined;
    }

    forgetDelivery() { this.#delivery = undefined; }

    // Delivers a change set. After a termination by a time limit the host delivers it again, and this continues
    // after the listener that was terminated.
    deliver(/** @type {any} */ crossed, /** @type {any} */ origin) {
        const delivery = this.#delivery ??= {
            changes: crossed.length === 1 ? new ChangeSet(made, crossed[0]) : new ChangeSet(made, undefined, crossed, origin),
            last: 0, end: this.#nextID,
        };
        this.#entries.forEach((/** @type {any} */ entry, /** @type {any} */ id) => {
            // A listener that was added meanwhile is notified from the next change set on: it sees this one
            // already.
            if (id <= delivery.last || id >= delivery.end) return;
            delivery.last = id;
            // Only a termination, which cannot be caught here, prevents the later listeners from being notified.
            try { this.#notify(id, entry, delivery.changes); } catch (error) { this.#reportError(error); }
        });
        this.#delivery = undefined;
    }

    #notify(/** @type {any} */ id, /** @type {any} */ entry, /** @type {any} */ changes) {
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
            PromisePrototypeThen(result, free, (/** @type {unknown} */ error) => {
                this.#reportError(error);
                free();
            });
            entry.isBusy = true;
        } catch {
            // Not a promise: any other result of a listener is ignored.
        }
    }

    #free(/** @type {any} */ id, /** @type {any} */ entry) {
        entry.isBusy = false;
        const changes = mergedAll(entry.waiting);
        entry.waiting = undefined;
        // Changes that cancel each other out are not delivered.
        if (changes !== undefined && this.#entries.get(id) === entry && !isEmpty(changes)) this.#notify(id, entry, changes);
    }
}
