// The global `console`. Its functions load the console bundle at their first use.
import { loadedBundles, useBundle } from "./late_bundles.js";
import { native } from "./native.js";
import {
    BigInt, Date, Error, getter, Map, ObjectDefineProperty, ObjectGetPrototypeOf, ReflectApply, Set, String, Uint8Array,
    uncurryThis, WeakMap, WeakRef,
} from "./primordials.js";

// The built-in functions that the console bundle needs as they are before any script runs.
export const builtins = {
    __proto__: null,
    FunctionPrototype: Function.prototype,
    RegExpPrototype: RegExp.prototype,
    Uint8Array,
    asyncFunctions: ObjectGetPrototypeOf(async function () { /* for its prototype */ }),
    asyncGeneratorFunctions: ObjectGetPrototypeOf(async function* () { /* for its prototype */ }),
    dateText: uncurryThis(Date.prototype.toISOString),
    endsWith: uncurryThis(String.prototype.endsWith),
    generatorFunctions: ObjectGetPrototypeOf(function* () { /* for its prototype */ }),
    indexOf: uncurryThis(String.prototype.indexOf),
    isError: /** @type {any} */ (Error).isError,
    mapSize: getter(Map.prototype, "size"),
    parseInteger: Number.parseInt,
    parseNumber: Number.parseFloat,
    primitivePrototypes: {
        __proto__: null, string: String.prototype, number: Number.prototype, boolean: Boolean.prototype,
        bigint: BigInt.prototype, symbol: Symbol.prototype,
    },
    setSize: getter(Set.prototype, "size"),
    sharedBufferLength: typeof SharedArrayBuffer === "undefined" ? undefined : getter(SharedArrayBuffer.prototype, "byteLength"),
    sqrt: Math.sqrt,
    toFixed: uncurryThis(Number.prototype.toFixed),
    toLowerCase: uncurryThis(String.prototype.toLowerCase),
    toNumber: Number,
    toStringTag: Symbol.toStringTag,
    unboxBigInt: uncurryThis(BigInt.prototype.valueOf),
    unboxBoolean: uncurryThis(Boolean.prototype.valueOf),
    unboxNumber: uncurryThis(Number.prototype.valueOf),
    unboxString: uncurryThis(String.prototype.valueOf),
    unboxSymbol: uncurryThis(Symbol.prototype.valueOf),
    weakMapHas: uncurryThis(WeakMap.prototype.has),
    weakRefDeref: uncurryThis(WeakRef.prototype.deref),
    weakSetHas: uncurryThis(WeakSet.prototype.has),
};

// Prints the values. A string by itself is printed as it is, for which most programs need nothing of the bundle.
function print(/** @type {string} */ level, /** @type {any[]} */ values) {
    if (loadedBundles.console === undefined && values.length === 1 && typeof values[0] === "string") native.print(level, values[0]);
    else use(level, values);
}

function use(/** @type {string} */ name, /** @type {any[]} */ values) {
    return ReflectApply(useBundle("console").methods[name], undefined, values);
}

// Returns a value as console shows it.
export function show(/** @type {unknown} */ value, /** @type {any} */ options) {
    return useBundle("console").inspect(value, options);
}

// Arguments that may be missing do not count for the length of a function.
/** @type {any} */
const consoleObject = {
    // The prototype of a namespace object of Web IDL.
    __proto__: {},
    log(/** @type {any[]} */ ...values) { print("log", values); },
    info(/** @type {any[]} */ ...values) { print("info", values); },
    debug(/** @type {any[]} */ ...values) { print("debug", values); },
    warn(/** @type {any[]} */ ...values) { print("warn", values); },
    error(/** @type {any[]} */ ...values) { print("error", values); },
    trace(/** @type {any[]} */ ...values) { use("trace", values); },
    assert(/** @type {any[]} */ ...values) { if (!values[0]) use("assert", values); },
    table(/** @type {any[]} */ ...values) { use("table", values); },
    dir(/** @type {any[]} */ ...values) { use("dir", values); },
    dirxml(/** @type {any[]} */ ...values) { use("log", values); },
    group(/** @type {any[]} */ ...values) { use("group", values); },
    groupCollapsed(/** @type {any[]} */ ...values) { use("group", values); },
    groupEnd() { use("groupEnd", []); },
    clear() { use("clear", []); },
    count(/** @type {any[]} */ ...values) { use("count", values); },
    countReset(/** @type {any[]} */ ...values) { use("countReset", values); },
    time(/** @type {any[]} */ ...values) { use("time", values); },
    timeLog(/** @type {any[]} */ ...values) { use("timeLog", values); },
    timeEnd(/** @type {any[]} */ ...values) { use("timeEnd", values); },
};
ObjectDefineProperty(consoleObject, builtins.toStringTag, { __proto__: null, value: "console", configurable: true });
// Describing the engine's own console would create it. Replacing it does not, and keeps the attributes of its
// property (8 us, measured).
/** @type {any} */ (globalThis).console = consoleObject;
// Writes to the log; the level is `debug`, `log`, `warn` or `error`.
export const log = (/** @type {string} */ level, /** @type {string} */ text) => native.print(level, text);
