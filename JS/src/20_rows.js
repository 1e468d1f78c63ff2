// The shared functions of the data scripts, and rows of stores: lazy proxies over a fetched window. A window crosses as
// numbers in one array and all strings in one string (RowTable in Sources/Stores). A value is created when a script
// reads it, a string once.
(function (internal) {
    "use strict";

    const {
        ArrayIsArray, Date: NativeDate, MathRound: round, ObjectDefineProperty, ObjectFreeze, ObjectHasOwn, ObjectKeys, ObjectPrototype, TypeError,
        TypedArrayPrototypeSet: typedArraySet, TypedArrayPrototypeGetLength: typedArrayLength, Uint8Array: NativeUint8Array,
        WeakMap: NativeWeakMap, WeakMapPrototypeGet: weakGet, WeakMapPrototypeSet: weakSet,
    } = internal.primordials;
    const NativeProxy = Proxy;
    const NativeBigInt = BigInt;
    // This function has a `call` property of its own (see 01_values.js).
    const substring = String.prototype.substring;

    // A key that only these files know: scripts can reach the classes through `constructor`, but cannot create
    // instances.
    const made = {};

    function append(list, value) {
        ObjectDefineProperty(list, list.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    }

    function isObject(value) {
        return (typeof value === "object" && value !== null) || typeof value === "function";
    }

    function kindOf(value) {
        return value === null ? "null" : ArrayIsArray(value) ? "an array" : typeof value;
    }

    function callable(value, what) {
        if (typeof value !== "function") throw new TypeError(what + " is a function, not " + kindOf(value));
        return value;
    }

    function refuseScripts(key) {
        if (key !== made) throw new TypeError("Illegal constructor");
    }

    // ---------------------------------------------------------------- rows

    const NUMBER = 0, BOOLEAN = 1, INTEGER = 2, TEXT = 3, DATE = 4, BYTES = 5;
    const codes = { __proto__: null, double: NUMBER, boolean: BOOLEAN, integer: INTEGER, string: TEXT, date: DATE, data: BYTES };
    // An integer that a double cannot hold is a string of its digits: RowTable.firstPiece.
    const FIRST_PIECE = 2 ** 54;

    // A substring retains the whole string, so a retained value of a row must not retain a window of long strings.
    const longestKept = 416;

    function piece(table, number) {
        const { text, ends } = table;
        const part = substring.call(text, ends[number], ends[number + 1]);
        // The name of a property is a string of its own.
        return text.length <= longestKept || part.length * 2 > text.length ? part : ObjectKeys({ __proto__: null, [part]: 0 })[0];
    }

    function valueAt(table, row, column) {
        const index = row * table.width + column;
        const cell = table.cells[index];
        if (cell !== cell) return null;
        switch (table.types[column]) {
        case BOOLEAN: return cell !== 0;
        case INTEGER: return cell < FIRST_PIECE ? cell : NativeBigInt(piece(table, (cell - FIRST_PIECE) / 4));
        case TEXT: return table.memo[index] ??= piece(table, cell);
        // A date truncates fractions, and seconds times a thousand may be slightly less than the original milliseconds.
        case DATE: return new NativeDate(round(cell * 1000));
        case BYTES: {
            const block = table.blocks[cell];
            // A copy, so that changes by a script do not appear in the next window.
            const copy = new NativeUint8Array(typedArrayLength(block));
            typedArraySet(copy, block);
            return copy;
        }
        default: return cell;
        }
    }

    // The target of a row's proxy.
    class Target {
        #table;
        #row;

        constructor(table, row) {
            this.#table = table;
            this.#row = row;
        }

        static { this.read = (target, column) => valueAt(target.#table, target.#row, column); }
    }
    const { read } = Target;

    function refuse() {
        throw new TypeError("a row is read-only: store.update(entity, row, values) changes it");
    }

    // The shape of each row, by its proxy. It is not a property of the row, because a script's own proxy would see its
    // key.
    const shapes = new NativeWeakMap();
    // The property of a row's identity. No attribute has this name.
    const ID = "$id";

    // Returns the identity of the row that a script names, by the row or by its `$id`.
    function identityOf(row, store, entity) {
        if (typeof row === "number" || typeof row === "bigint") return row;
        if (isObject(row)) {
            const shape = weakGet(shapes, row);
            if (shape !== undefined && (shape.entity !== entity || shape.store !== store)) {
                const place = (shape) => "'" + shape.entity + "' in the store '" + shape.store + "'";
                throw new TypeError("a row of " + place(shape) + " is not a row of " + place({ entity, store }));
            }
            const id = row[ID];
            if (typeof id === "number" || typeof id === "bigint") return id;
        }
        throw new TypeError("a row is named by itself or by its $id, not by " + (isObject(row) ? "an object without $id" : kindOf(row)));
    }

    // Creates the traps of all rows of one entity: `attributes` is an array of its names and types.
    function rowTraps(attributes, store, entity) {
        const columns = { __proto__: null };
        const names = [ID];
        const types = [INTEGER];
        for (let index = 0; index < attributes.length; index++) {
            const { name, type } = attributes[index];
            columns[name] = index + 1;
            append(types, codes[type]);
            append(names, name);
        }
        columns[ID] = 0;
        const traps = {
            __proto__: null,
            get: (target, key) => {
                const column = columns[key];
                return column !== undefined ? read(target, column) : ObjectPrototype[key];
            },
            has: (target, key) => columns[key] !== undefined || key in ObjectPrototype,
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
        return ObjectFreeze({ __proto__: null, traps: ObjectFreeze(traps), types: ObjectFreeze(types), store, entity });
    }

    // Creates the table of a window from native memory: its numbers, then the ends of its strings.
    function makeTable(shape, cells, ends, text, blocks) {
        return { __proto__: null, width: shape.types.length, types: shape.types, cells, ends, text, blocks, memo: { __proto__: null } };
    }

    function makeRow(shape, table, row) {
        const proxy = new NativeProxy(new Target(table, row), shape.traps);
        weakSet(shapes, proxy, shape);
        return proxy;
    }

    // Returns the rows of a window as a frozen array; a row that no longer exists is undefined.
    function makeRows(shape, parts) {
        const table = makeTable(shape, parts[0], parts[1], parts[2], parts[3]);
        const rows = [];
        const count = parts[4];
        for (let row = 0; row < count; row++) {
            const id = table.cells[row * table.width];
            append(rows, id === id ? makeRow(shape, table, row) : undefined);
        }
        return ObjectFreeze(rows);
    }

    internal.dataParts = {
        __proto__: null,
        made, append, isObject, kindOf, callable, refuseScripts, rowTraps, identityOf, makeTable, makeRow, makeRows,
        hasOwn: ObjectHasOwn,
    };
})
