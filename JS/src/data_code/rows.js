// What the data scripts share, and rows of stores: lazy proxies over a fetched window. A window crosses as numbers in one
// array and all strings in texts of many (RowTable in Sources/Stores); a value is made when a script touches it, a string once.
import { kindOf } from "./checks.js";
import { substring } from "../data/builtins.js";
import { isObject, push } from "../engine/objects.js";
import {
    BigInt, Date, MathRound, ObjectDefineProperty, ObjectFreeze, ObjectPrototype, Proxy, TypedArrayPrototypeGetLength,
    TypedArrayPrototypeSet, TypeError, Uint8Array,
} from "../engine/primordials.js";
import { addSubstitute } from "../engine/shown_members.js";

// ---------------------------------------------------------------- rows

const NUMBER = 0, BOOLEAN = 1, INTEGER = 2, TEXT = 3, DATE = 4, BYTES = 5;
/** @type {any} */
const codes = { __proto__: null, double: NUMBER, boolean: BOOLEAN, integer: INTEGER, string: TEXT, date: DATE, data: BYTES };
// An integer that a double cannot hold is a string of its digits: RowTable.firstPiece.
const FIRST_PIECE = 2 ** 54;

// A string by its number. `ends` has two entries for each string, after the pair of a string that does not exist: the
// index of the text that it is cut out of, and where it ends in it.
function piece(/** @type {any} */ table, /** @type {number} */ number) {
    const { texts, ends } = table;
    const at = number * 2, index = ends[at + 2];
    return substring.call(texts[index], ends[at] === index ? ends[at + 1] : 0, ends[at + 3]);
}

function valueAt(/** @type {any} */ table, /** @type {number} */ row, /** @type {number} */ column) {
    const index = row * table.width + column;
    const cell = table.cells[index];
    if (cell !== cell) return null;
    switch (table.types[column]) {
    case BOOLEAN: return cell !== 0;
    case INTEGER: return cell < FIRST_PIECE ? cell : BigInt(piece(table, (cell - FIRST_PIECE) / 4));
    case TEXT: return table.memo[index] ??= piece(table, cell);
    // A date truncates fractions, and seconds times a thousand may be slightly less than the original milliseconds.
    case DATE: return new Date(MathRound(cell * 1000));
    case BYTES: {
        const block = table.blocks[cell];
        // A copy, so that changes by a script do not appear in the next window.
        const copy = new Uint8Array(TypedArrayPrototypeGetLength(block));
        TypedArrayPrototypeSet(copy, block);
        return copy;
    }
    default: return cell;
    }
}

/** @type {any} */
let read;
// The target of a row's proxy.
class Target {
    #table;
    #row;

    constructor(/** @type {any} */ table, /** @type {number} */ row) {
        this.#table = table;
        this.#row = row;
    }

    // Returns a row as a plain object; undefined for another value.
    static shown(/** @type {any} */ value) {
        if (!isObject(value) || !(#table in value)) return undefined;
        /** @type {any} */
        const object = {};
        const { names } = value.#table;
        for (let column = 0; column < names.length; column++) {
            const member = valueAt(value.#table, value.#row, column);
            ObjectDefineProperty(object, names[column], {
                __proto__: null, value: member, writable: true, enumerable: true, configurable: true,
            });
        }
        return object;
    }

    static {
        read = (/** @type {any} */ target, /** @type {number} */ column) => valueAt(target.#table, target.#row, column);
    }
}
addSubstitute(Target.shown);

function refuse() {
    throw new TypeError("a row is read-only: store.update(entity, row, values) changes it");
}

class Itself {
    constructor(/** @type {any} */ object) { return object; }
}

/** @type {any} */
let shapeOf;
// The shape of a row is in a private field of its proxy: no script sees it, not even one that puts a proxy of its own
// before a row. A weak map takes twice as long for each row, and four times as long once the collector ran.
class Shaped extends Itself {
    #shape;

    constructor(/** @type {any} */ row, /** @type {any} */ shape) {
        super(row);
        this.#shape = shape;
    }

    static { shapeOf = (/** @type {any} */ object) => #shape in object ? object.#shape : undefined; }
}

// The identity of a row. No attribute has this name.
const ID = "$id";

// Returns the identity of the row that a script names, by the row or by its `$id`.
export function identityOf(
    /** @type {number} */ row, /** @type {string} */ store, /** @type {string | undefined} */ entity,
) {
    if (typeof row === "number" || typeof row === "bigint") return row;
    if (isObject(row)) {
        const shape = shapeOf(row);
        if (shape !== undefined && (shape.entity !== entity || shape.store !== store)) {
            const place = (/** @type {any} */ shape) => "'" + shape.entity + "' in the store '" + shape.store + "'";
            throw new TypeError("a row of " + place(shape) + " is not a row of " + place({ entity, store }));
        }
        const id = row[ID];
        if (typeof id === "number" || typeof id === "bigint") return id;
    }
    throw new TypeError("a row is named by itself or by its $id, not by " + (isObject(row) ? "an object without $id" : kindOf(row)));
}

// Creates the traps of all rows of one entity: `attributes` is an array of its names and types.
export function rowTraps(/** @type {any} */ attributes, /** @type {string} */ store, /** @type {any} */ entity) {
    /** @type {any} */
    const columns = { __proto__: null };
    const names = [ID];
    // Not frozen: an element of a frozen array takes 15 ns to read, and each access to a value reads one.
    const types = new Uint8Array(attributes.length + 1);
    types[0] = INTEGER;
    for (let index = 0; index < attributes.length; index++) {
        const { name, type } = attributes[index];
        columns[name] = index + 1;
        types[index + 1] = codes[type];
        push(names, name);
    }
    columns[ID] = 0;
    const traps = {
        __proto__: null,
        get: (/** @type {any} */ target, /** @type {string} */ key) => {
            const column = columns[key];
            return column !== undefined ? read(target, column) : /** @type {any} */ (ObjectPrototype)[key];
        },
        has: (
            /** @type {any} */ target, /** @type {string} */ key,
        ) => columns[key] !== undefined || key in ObjectPrototype,
        ownKeys: () => names,
        getOwnPropertyDescriptor: (/** @type {any} */ target, /** @type {string} */ key) => {
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
    return ObjectFreeze({ __proto__: null, traps: ObjectFreeze(traps), names, width: names.length, types, store, entity });
}

// A window as it came from native memory: its numbers, then where its texts end.
export function makeTable(
    /** @type {any} */ shape, /** @type {any} */ cells, /** @type {any} */ ends, /** @type {any} */ texts,
    /** @type {any} */ blocks,
) {
    return { __proto__: null, names: shape.names, width: shape.width, types: shape.types, cells, ends, texts, blocks, memo: { __proto__: null } };
}

export function makeRow(/** @type {any} */ shape, /** @type {any} */ table, /** @type {number} */ row) {
    return new Shaped(new Proxy(new Target(table, row), shape.traps), shape);
}

// Returns the rows of a window as a frozen array; a row that no longer exists is undefined.
export function makeRows(/** @type {any} */ shape, /** @type {any[]} */ parts) {
    const table = makeTable(shape, parts[0], parts[1], parts[2], parts[3]);
    /** @type {any} */
    const rows = [];
    const count = parts[4];
    for (let row = 0; row < count; row++) {
        const id = table.cells[row * table.width];
        push(rows, id === id ? makeRow(shape, table, row) : undefined);
    }
    return ObjectFreeze(rows);
}

// The number of rows that one step of an iteration reads.
export const rowsPerStep = 256;
