// Linked lists, which read no prototype.
/** @returns {List} */
export function makeList() {
    return { first: null, last: null };
}

/** @param {List} list @param {any} value */
export function append(list, value) {
    const node = { value, next: null };
    if (list.last === null) list.first = node;
    else list.last.next = node;
    list.last = node;
}

/** @param {List} list @returns {any} */
export function takeFirst(list) {
    const node = /** @type {ListNode} */ (list.first);
    list.first = node.next;
    if (node.next === null) list.last = null;
    return node.value;
}
