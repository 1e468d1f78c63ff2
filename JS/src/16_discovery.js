// What there is to be called: each side may ask the other.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const { ObjectDefineProperty, ObjectSetPrototypeOf, Promise, PromiseReject } = internal.primordials;
    const { bridge } = internal;
    const { makeError, callWithPromise, forEachHandler, registerReserved, settle, read } = bridge;

    const describeName = bridge.reservedPrefix + "describe";

    // In the order of their UTF-16 units, which is one order for all who ask. By hand, as a list's own sort asks what a
    // script may have put on prototypes.
    function insert(first, node) {
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

    // The handlers of this script. How one answers is known only once it has.
    function describedHandlers() {
        let first = null;
        forEachHandler((name, entry) => {
            const takesCallback = entry.isLegacy || entry.takesCallback;
            first = insert(first, { value: { __proto__: null, name, takesCallback }, next: null });
        });
        const list = [];
        let count = 0;
        for (let node = first; node !== null; node = node.next) {
            ObjectDefineProperty(list, count++, { __proto__: null, value: node.value, enumerable: true });
        }
        // JSON asks the prototype of everything for toJSON.
        return ObjectSetPrototypeOf(list, null);
    }

    // The handlers of the program that this script may call. Who does not know the question never answers it, so a peer
    // that has shown no extension is not asked.
    function describe(options) {
        const cannot = () => makeError("unsupported", "The other side does not support describe.");
        if (!bridge.peerIsExtended) return PromiseReject(cannot());
        return new Promise((resolve, reject) => {
            settle(callWithPromise(describeName, undefined, options), resolve, (error) => {
                reject(read(error, "code") === "handlerNotFound" ? cannot() : error);
            });
        });
    }

    registerReserved(describeName, describedHandlers);
    bridge.describe = describe;
})
