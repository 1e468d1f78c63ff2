// Change sets of live queries, and snapshots of their order. A change set crosses as one packed list of numbers and the
// rows' ids; objects are made of it when a script asks for them.
(function (internal) {
    "use strict";

    const { data: native, dataParts, primordials } = internal;
    const { made, append, isObject, refuseScripts } = dataParts;
    const { ObjectFreeze, PromisePrototypeThen: then, SafeMap, ObjectDefineProperty } = primordials;
    // With a `call` of its own, which is safe and, other than a bound one, free (see 01_values.js).
    const charCodeAt = String.prototype.charCodeAt;
    ObjectDefineProperty(charCodeAt, "call", { __proto__: null, value: Function.prototype.call });
    const NativeInt32Array = Int32Array;
    const NativeFloat64Array = Float64Array;
    const NativeBigInt64Array = BigInt64Array;
    const NativeBigInt = BigInt;

    // The native object of a change set. A member of the class would give it to scripts.
    let handleOf;

    class ChangeSet {
        #handle;
        #summary;
        #packed;
        #lists;

        static {
            handleOf = (changes) => isObject(changes) && #handle in changes ? changes.#handle : undefined;
        }

        constructor(key, handle) {
            refuseScripts(key);
            this.#handle = handle;
        }

        get #all() { return this.#summary ??= native.changeSummary(this.#handle); }
        get #numbers() { return this.#packed ??= numbersOf(native.changePaths(this.#handle)); }
        get all() { return false; }
        get version() { return this.#all.version; }
        get oldVersion() { return this.#all.oldVersion; }
        get milliseconds() { return this.#all.milliseconds; }
        get counts() { return { sections: this.#all.sections, rows: this.#all.rows }; }
        get sections() { return (this.#lists ??= unpack(this.#numbers, true)).sections; }
        get items() { return (this.#lists ??= unpack(this.#numbers, true)).items; }
        get objects() { return this.items; }
        get packed() { return copied(this.#numbers); }
        get ids() { return idsOf(this.#numbers); }
        inverse() { return new ChangeSet(made, native.inverse(this.#handle)); }
        merging(next) { return merged(this, next); }

        toString() {
            const text = (counts) => counts.inserted + " inserted, " + counts.deleted + " deleted, "
                + counts.moved + " moved, " + counts.updated + " updated";
            return "sections: " + text(this.#all.sections) + "; rows: " + text(this.#all.rows);
        }
    }

    ObjectFreeze(ChangeSet.prototype);

    // Apart from the class: what a script finds by name is not asked here.
    function merged(first, second) {
        return new ChangeSet(made, native.merge(handleOf(first), handleOf(second)));
    }

    // A short list crosses as text, each number as two units: memory that the host lends costs more than all that is in it.
    function numbersOf(crossed) {
        if (typeof crossed !== "string") return crossed;
        const count = crossed.length / 2;
        const numbers = new NativeInt32Array(count);
        for (let index = 0; index < count; index++) {
            numbers[index] = charCodeAt.call(crossed, 2 * index) | charCodeAt.call(crossed, 2 * index + 1) << 16;
        }
        return numbers;
    }

    // Seven counts, then for each kind its paths, as Difference.packed writes them; behind them the rows' ids, each as two
    // halves.
    function pathsEnd(numbers) {
        return 7 + numbers[0] + numbers[1] + 2 * (numbers[2] + numbers[3] + numbers[4]) + 4 * (numbers[5] + numbers[6]);
    }

    function idAt(numbers, place) {
        const low = numbers[place] >>> 0, high = numbers[place + 1];
        // Beyond 2^53 only a bigint is exact.
        return high >= -0x200000 && high < 0x200000
            ? high * 0x100000000 + low : NativeBigInt(high) * 0x100000000n + NativeBigInt(low);
    }

    function copied(numbers) {
        const end = pathsEnd(numbers);
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
        for (let index = 0; index < count; index++) ids[index] = NativeBigInt(idAt(numbers, first + 2 * index));
        return ids;
    }

    function unpack(numbers, hasIDs) {
        let next = 7, nextID = hasIDs ? pathsEnd(numbers) : 0;
        const sections = [], items = [];
        const path = () => ({ section: numbers[next++], item: numbers[next++] });
        for (let index = 0; index < numbers[0]; index++) append(sections, { type: "delete", from: numbers[next++] });
        for (let index = 0; index < numbers[1]; index++) append(sections, { type: "insert", to: numbers[next++] });
        for (let index = 0; index < numbers[2]; index++) append(sections, { type: "move", from: numbers[next++], to: numbers[next++] });
        if (!hasIDs) {
            for (let index = 0; index < numbers[3]; index++) append(items, { type: "delete", from: path() });
            for (let index = 0; index < numbers[4]; index++) append(items, { type: "insert", to: path() });
            for (let index = 0; index < numbers[5]; index++) append(items, { type: "move", from: path(), to: path() });
            for (let index = 0; index < numbers[6]; index++) append(items, { type: "update", from: path(), to: path() });
            return { sections, items };
        }
        const id = () => {
            const place = nextID;
            nextID += 2;
            return idAt(numbers, place);
        };
        for (let index = 0; index < numbers[3]; index++) append(items, { type: "delete", from: path(), id: id() });
        for (let index = 0; index < numbers[4]; index++) append(items, { type: "insert", to: path(), id: id() });
        for (let index = 0; index < numbers[5]; index++) append(items, { type: "move", from: path(), to: path(), id: id() });
        for (let index = 0; index < numbers[6]; index++) append(items, { type: "update", from: path(), to: path(), id: id() });
        return { sections, items };
    }

    class Snapshot {
        #handle;
        #sections;

        constructor(key, handle) {
            refuseScripts(key);
            this.#handle = handle;
        }

        get sections() { return this.#sections ??= native.snapshotSections(this.#handle); }

        applying(changes) {
            return new Snapshot(made, native.apply(this.#handle, handleOf(changes)));
        }

        equals(other) {
            return isObject(other) && #handle in other && native.snapshotsEqual(this.#handle, other.#handle);
        }
    }

    ObjectFreeze(Snapshot.prototype);

    // ---------------------------------------------------------------- who hears of them

    // The listeners of one query. One that returns a promise is not called again until that has settled: what comes
    // meanwhile is merged for it into one change set, however much it is.
    class Listeners {
        #reportError;
        #entries = new SafeMap();
        #nextID = 1;
        // The change set that is being delivered, and to whom it was; it stays where a time limit stops a listener.
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

        // Emptied, not replaced: a delivery that is going on finds nobody more.
        clear() {
            this.#entries.clear();
            this.#delivery = undefined;
        }

        forgetDelivery() { this.#delivery = undefined; }

        // The host delivers again what a time limit has stopped: it goes on after the listener that was stopped.
        deliver(handle) {
            const delivery = this.#delivery ??= { changes: new ChangeSet(made, handle), last: 0, end: this.#nextID };
            this.#entries.forEach((entry, id) => {
                // Who began to listen meanwhile is told from the next change set on: it sees this one already.
                if (id <= delivery.last || id >= delivery.end) return;
                delivery.last = id;
                // Only a time limit, which nothing here catches, keeps a change set from those that come after.
                try { this.#tell(id, entry, delivery.changes); } catch (error) { this.#reportError(error); }
            });
            this.#delivery = undefined;
        }

        #tell(id, entry, changes) {
            if (entry.isBusy) {
                entry.waiting = entry.waiting === undefined ? changes : merged(entry.waiting, changes);
                return;
            }
            let result;
            try { result = (0, entry.listener)(changes); } catch (error) { this.#reportError(error); return; }
            if (!isObject(result)) return;
            const free = () => this.#free(id, entry);
            try {
                then(result, free, (error) => {
                    this.#reportError(error);
                    free();
                });
                entry.isBusy = true;
            } catch {
                // No promise: what a listener returns otherwise means nothing.
            }
        }

        #free(id, entry) {
            entry.isBusy = false;
            const changes = entry.waiting;
            entry.waiting = undefined;
            if (changes !== undefined && this.#entries.get(id) === entry) this.#tell(id, entry, changes);
        }
    }

    dataParts.unpack = unpack;
    dataParts.Snapshot = Snapshot;
    dataParts.Listeners = Listeners;
})
