// Linked lists, which read no prototype.
export function makeList() {
    return { first: null, last: null };
}

export function append(list, value) {
    const node = { value, next: null };
    if (list.last === null) list.first = node;
    else list.last.next = node;
    list.last = node;
}

export function takeFirst(list) {
    const node = list.first;
    list.first = node.next;
    if (node.next === null) list.last = null;
    return node.value;
}
