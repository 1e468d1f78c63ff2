// Discovery: each side can list the handlers of the other.
import { callWithPromise } from "./calls.js";
import { makeError } from "./errors.js";
import { forEachHandler, registerReserved, settle } from "./handlers.js";
import { read } from "./objects.js";
import { reservedPrefix, state } from "./state.js";
import { ObjectDefineProperty, ObjectSetPrototypeOf, Promise, PromiseReject } from "../engine/primordials.js";

const describeName = reservedPrefix + "describe";

// Inserts a node in the order of UTF-16 code units, which is the same order for all readers. It does not use the
// sort of arrays, which reads properties that a script may have put on prototypes.
function insert(/** @type {any} */ first, /** @type {ListNode} */ node) {
    if (first === null || node.value.name < first.value.name) {
        node.next = first;
        return node;
    }
    let before = first;
    while (before.next !== null && before.next.value.name < node.value.name) before = before.next;
    node.next = before.next;
    before.next = node;
    return first;
}

// Lists the handlers of this script. The form of a handler's reply is known only after it has replied.
function describedHandlers() {
    /** @type {ListNode | null} */
    let first = null;
    forEachHandler((/** @type {string} */ name, /** @type {any} */ entry) => {
        const takesCallback = entry.isLegacy || entry.takesCallback;
        first = insert(first, { value: { __proto__: null, name, takesCallback }, next: null });
    });
    /** @type {any} */
    const list = [];
    let count = 0;
    for (let node = /** @type {ListNode | null} */ (first); node !== null; node = node.next) {
        ObjectDefineProperty(list, count++, { __proto__: null, value: node.value, enumerable: true });
    }
    // JSON looks up toJSON on the prototype of every object.
    return ObjectSetPrototypeOf(list, null);
}

// Lists the handlers of the program that this script may call. A peer that has shown no extension is not asked,
// because it might never reply.
export function describe(/** @type {any} */ options) {
    const cannot = () => makeError("unsupported", "The other side does not support describe.");
    if (!state.peerIsExtended) return PromiseReject(cannot());
    return new Promise((resolve, reject) => {
        settle(callWithPromise(describeName, undefined, options), resolve, (/** @type {unknown} */ error) => {
            reject(read(error, "code") === "handlerNotFound" ? cannot() : error);
        });
    });
}

registerReserved(describeName, describedHandlers);
