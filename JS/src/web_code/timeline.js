// Lists of performance entries, which have no prototype.
import { push } from "../engine/objects.js";

export function append(/** @type {any} */ list, /** @type {any} */ value) {
    const node = { __proto__: null, value, next: null };
    if (list.last === null) list.first = node;
    else list.last.next = node;
    list.last = node;
}

// Returns the entries of a list by name and type, undefined for any, in the order of their start. Equal ones keep their
// order: a merge sort of linked lists.
export function collect(/** @type {any} */ list, /** @type {string | undefined} */ name, /** @type {string | undefined} */ type) {
    let first = null, last = null, count = 0, isSorted = true;
    for (let node = list.first; node !== null; node = node.next) {
        const state = node.value;
        if (name !== undefined && state.name !== name || type !== undefined && state.entryType !== type) continue;
        /** @type {any} */
        const copy = { __proto__: null, state, next: null };
        if (last === null) first = copy;
        else {
            last.next = copy;
            if (last.state.startTime > state.startTime) isSorted = false;
        }
        last = copy;
        count++;
    }
    return isSorted ? first : sort(first, count);
}

function sort(/** @type {any} */ first, /** @type {number} */ count) {
    if (count < 2) return first;
    const half = count >> 1;
    let node = first;
    for (let index = 1; index < half; index++) node = node.next;
    let right = node.next;
    node.next = null;
    let left = sort(first, half);
    right = sort(right, count - half);
    /** @type {any} */
    const head = { __proto__: null, next: null };
    let last = head;
    while (left !== null && right !== null) {
        if (left.state.startTime <= right.state.startTime) {
            last = last.next = left;
            left = left.next;
        } else {
            last = last.next = right;
            right = right.next;
        }
    }
    last.next = left ?? right;
    return head.next;
}

// Returns collected entries as an array for a script.
export function toList(/** @type {any} */ first) {
    /** @type {any[]} */
    const array = [];
    for (let node = first; node !== null; node = node.next) push(array, node.state.entry);
    return array;
}
