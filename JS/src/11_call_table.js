// The calls of this side that wait for a reply, by their ids.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const { ArrayPrototypeSort, ObjectSetPrototypeOf, SafeMap } = internal.primordials;

    // In process ids are numbers that count up, and most calls are answered soon: each has its place in a ring, where it is
    // found in a fifteenth of the time that a map takes (2.50.6: 40 against 670 ns for a call that comes and goes, on a busy
    // machine). A call that still waits when its place is needed again goes into the map, where those with texts as ids are.
    const ringLength = 256;

    internal.bridge.makeCallTable = function makeCallTable() {
        // Without a prototype, so that no script sees what is put there.
        const ring = ObjectSetPrototypeOf([], null);
        for (let index = 0; index < ringLength; index++) ring[index] = undefined;
        const rest = new SafeMap();
        let inRing = 0;
        // Those of an operation, by its number: they end with it, however many others wait.
        const byOperation = new SafeMap();

        function noteOperation(call) {
            const calls = byOperation.get(call.operation) ?? new SafeMap();
            byOperation.set(call.operation, calls);
            calls.set(call.id, call);
        }

        function forgetOperation(call) {
            const calls = byOperation.get(call.operation);
            calls.delete(call.id);
            if (calls.size === 0) byOperation.delete(call.operation);
        }

        function add(call) {
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

        function get(id) {
            if (typeof id === "number") {
                const call = ring[id & (ringLength - 1)];
                if (call !== undefined && call.id === id) return call;
            }
            return rest.size === 0 ? undefined : rest.get(id);
        }

        // Gives the call that was taken out.
        function take(id) {
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

        // In the order in which they were added; what is added meanwhile is not among them.
        function forEach(body) {
            const calls = ObjectSetPrototypeOf([], null);
            let count = 0;
            rest.forEach((call) => { calls[count++] = call; });
            for (let index = 0; index < ringLength; index++) {
                if (ring[index] !== undefined) calls[count++] = ring[index];
            }
            // A ring has only numbers, and texts never stand beside them.
            if (inRing > 0) ArrayPrototypeSort(calls, (left, right) => left.id - right.id);
            for (let index = 0; index < count; index++) body(calls[index]);
        }

        // The same of an operation.
        function forEachOf(operation, body) {
            const calls = byOperation.get(operation);
            if (calls !== undefined) calls.forEach((call) => { body(call); });
        }

        return { add, get, take, forEachOf, forEach, get size() { return inRing + rest.size; } };
    };

    // What a stopped turn has ended, of an operation or of all of them (undefined), until the host says with which error. What
    // begins between the stop and the host's word goes on.
    internal.bridge.makeEndedSet = function makeEndedSet() {
        const ended = new SafeMap(), notes = new SafeMap();

        // Notes all that a table has of an operation.
        function note(table, operation) {
            notes.set(operation, (notes.get(operation) ?? 0) + 1);
            // A table that knows the items of each operation is not walked over for one.
            if (operation > 0 && table.forEachOf !== undefined) {
                table.forEachOf(operation, (item) => { ended.set(item, operation); });
                return;
            }
            table.forEach((item) => {
                if (operation === undefined || item.operation === operation) ended.set(item, operation);
            });
        }

        // Gives what was noted of an operation to a function, one by one; where nothing was, or the operation is over, all that
        // the table has of it.
        function take(table, operation, isOver, body) {
            if (isOver || !notes.has(operation)) note(table, operation);
            const count = notes.get(operation) - 1;
            if (isOver || count === 0) notes.delete(operation);
            else notes.set(operation, count);
            const items = ObjectSetPrototypeOf([], null);
            let length = 0;
            ended.forEach((noted, item) => { if (noted === operation) items[length++] = item; });
            for (let index = 0; index < length; index++) ended.delete(items[index]);
            for (let index = 0; index < length; index++) body(items[index]);
        }

        return { note, take };
    };
})
