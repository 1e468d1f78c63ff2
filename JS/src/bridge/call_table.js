// The calls of this side that wait for a reply, by their ids.
import { Array, ArrayPrototypeSort, ObjectSetPrototypeOf, makeSafeMap } from "../engine/primordials.js";

// In process, ids are consecutive numbers, and most calls are replied to soon. Each has its slot in a ring, where
// it is found in a fifteenth of the time of a map (2.50.6: 40 instead of 670 ns to add and remove a call, on a busy
// machine). A call that still waits when its slot is needed again moves into the map, which also has the calls with
// strings as ids.
const ringLength = 256;

export function makeCallTable() {
    // Without a prototype, so that no script can observe its elements.
    const ring = ObjectSetPrototypeOf(new Array(ringLength).fill(undefined), null);
    const rest = makeSafeMap();
    let inRing = 0;
    // The calls of each operation, by its number: they end with it, however many others wait.
    const byOperation = makeSafeMap();

    function noteOperation(/** @type {any} */ call) {
        const calls = byOperation.get(call.operation) ?? makeSafeMap();
        byOperation.set(call.operation, calls);
        calls.set(call.id, call);
    }

    function forgetOperation(/** @type {any} */ call) {
        const calls = byOperation.get(call.operation);
        calls.delete(call.id);
        if (calls.size === 0) byOperation.delete(call.operation);
    }

    function add(/** @type {any} */ call) {
        const { id } = call;
        if (call.operation !== 0) noteOperation(call);
        if (typeof id !== "number") {
            rest.set(id, call);
            return;
        }
        const place = id & (ringLength - 1);
        const other = ring[place];
        if (other === undefined) inRing++;
        else rest.set(other.id, other);
        ring[place] = call;
    }

    function get(/** @type {any} */ id) {
        if (typeof id === "number") {
            const call = ring[id & (ringLength - 1)];
            if (call !== undefined && call.id === id) return call;
        }
        return rest.size === 0 ? undefined : rest.get(id);
    }

    // Removes a call and returns it.
    function take(/** @type {any} */ id) {
        if (typeof id === "number") {
            const place = id & (ringLength - 1);
            const call = ring[place];
            if (call !== undefined && call.id === id) {
                ring[place] = undefined;
                inRing--;
                if (call.operation !== 0) forgetOperation(call);
                return call;
            }
        }
        if (rest.size === 0) return undefined;
        const call = rest.get(id);
        if (call === undefined) return undefined;
        rest.delete(id);
        if (call.operation !== 0) forgetOperation(call);
        return call;
    }

    // Calls a function for each call, in the order in which they were added. Calls that are added meanwhile are not
    // included.
    function forEach(/** @type {(...values: any[]) => any} */ body) {
        const calls = ObjectSetPrototypeOf([], null);
        let count = 0;
        rest.forEach((/** @type {any} */ call) => { calls[count++] = call; });
        for (let index = 0; index < ringLength; index++) {
            if (ring[index] !== undefined) calls[count++] = ring[index];
        }
        // The ring has only numbers as ids, and a table never has both numbers and strings.
        if (inRing > 0) ArrayPrototypeSort(calls, (
            /** @type {any} */ left, /** @type {any} */ right,
        ) => left.id - right.id);
        for (let index = 0; index < count; index++) body(calls[index]);
    }

    // Calls a function for each call of an operation.
    function forEachOf(/** @type {number} */ operation, /** @type {(...values: any[]) => any} */ body) {
        const calls = byOperation.get(operation);
        if (calls !== undefined) calls.forEach((/** @type {any} */ call) => { body(call); });
    }

    return { add, get, take, forEachOf, forEach, get size() { return inRing + rest.size; } };
}

// Creates a set of the items that a terminated turn has ended, of an operation or of all (undefined), until the
// host reports the error. Items that begin between the termination and that report are not ended.
export function makeEndedSet() {
    const ended = makeSafeMap(), notes = makeSafeMap();

    // Records all items that a table has of an operation.
    function note(/** @type {any} */ table, /** @type {number} */ operation) {
        notes.set(operation, (notes.get(operation) ?? 0) + 1);
        // A table that knows the items of each operation is not walked entirely for one.
        if (operation > 0 && table.forEachOf !== undefined) {
            table.forEachOf(operation, (/** @type {any} */ item) => { ended.set(item, operation); });
            return;
        }
        table.forEach((/** @type {any} */ item) => {
            if (operation === undefined || item.operation === operation) ended.set(item, operation);
        });
    }

    // Passes the recorded items of an operation to a function, one by one. If none were recorded, or the operation
    // is over, passes all items that the table has of it.
    function take(
        /** @type {any} */ table, /** @type {any} */ operation, /** @type {boolean} */ isOver,
        /** @type {(...values: any[]) => any} */ body,
    ) {
        if (isOver || !notes.has(operation)) note(table, operation);
        const count = notes.get(operation) - 1;
        if (isOver || count === 0) notes.delete(operation);
        else notes.set(operation, count);
        const items = ObjectSetPrototypeOf([], null);
        let length = 0;
        ended.forEach((
            /** @type {any} */ noted, /** @type {any} */ item,
        ) => { if (noted === operation) items[length++] = item; });
        for (let index = 0; index < length; index++) ended.delete(items[index]);
        for (let index = 0; index < length; index++) body(items[index]);
    }

    return { note, take };
}
