// The functions behind the prompt of a REPL: variables that can be declared again, the last result, completion, types.
//
// No getter and no proxy trap of a script runs in completion: accessors end the search, proxies are looked through.
import { constructorName, inspect, isClassFunction, kindOf, next, unwrap } from "./inspect.js";
import { builtins } from "../engine/console.js";
import { isObject } from "../engine/objects.js";
import {
    FunctionPrototypeToString, Map, MapPrototypeDelete, MapPrototypeGet, MapPrototypeHas, MapPrototypeSet,
    ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ReflectOwnKeys, StringPrototypeCharCodeAt,
    StringPrototypeStartsWith, TypeError, global,
} from "../engine/primordials.js";

// ---------------------------------------------------------------- variables

// The getters of the global object whose values are known: those of the host, such as `performance`, and those of
// constants. A constant is an accessor whose setter throws.
const knownGetters = new Map();

const isKnown = (/** @type {any} */ descriptor) => (
    descriptor !== undefined && descriptor.get !== undefined && MapPrototypeHas(knownGetters, descriptor.get)
);

// Reads the globals of the host, before any script of the user runs.
export function readGlobals() {
    const keys = ReflectOwnKeys(global);
    for (let index = 0; index < keys.length; index++) {
        const get = ObjectGetOwnPropertyDescriptor(global, keys[index])?.get;
        if (get !== undefined) MapPrototypeSet(knownGetters, get, global[keys[index]]);
    }
}

function defineVariable(/** @type {string} */ name, /** @type {unknown} */ value) {
    ObjectDefineProperty(global, name, /** @type {any} */ ({ __proto__: null, value, writable: true, enumerable: true, configurable: true }));
}

// Makes names of the global object assignable that an input declares. Their values stay until it assigns others.
export function declareNames(/** @type {string[]} */ names) {
    for (let index = 0; index < names.length; index++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(global, names[index]);
        if (descriptor === undefined) {
            defineVariable(names[index], undefined);
        } else if (isKnown(descriptor)) {
            defineVariable(names[index], MapPrototypeGet(knownGetters, descriptor.get));
            MapPrototypeDelete(knownGetters, descriptor.get);
        } else if (!("value" in descriptor) && descriptor.configurable) {
            // A global of the host, such as `performance`, which the input's own variable replaces.
            defineVariable(names[index], undefined);
        }
    }
}

// Makes assignments to names throw, after an input has declared them by `const`.
export function makeConstant(/** @type {string[]} */ names) {
    for (let index = 0; index < names.length; index++) {
        const name = names[index];
        const descriptor = ObjectGetOwnPropertyDescriptor(global, name);
        if (descriptor === undefined || !("value" in descriptor) || !descriptor.configurable) continue;
        const { value } = descriptor;
        const get = () => value;
        const set = () => { throw new TypeError("Assignment to the constant '" + name + "'"); };
        MapPrototypeSet(knownGetters, get, value);
        ObjectDefineProperty(global, name, /** @type {any} */ ({ __proto__: null, get, set, enumerable: true, configurable: true }));
    }
}

// The values that `_` and `_error` got last. A script that assigns another value keeps it.
const results = new Map();

export function keepResult(/** @type {string} */ name, /** @type {unknown} */ value) {
    const descriptor = ObjectGetOwnPropertyDescriptor(global, name);
    if (descriptor !== undefined) {
        if (!MapPrototypeHas(results, name) || !("value" in descriptor) || !descriptor.configurable) return;
        const last = MapPrototypeGet(results, name);
        if (descriptor.value !== last && last === last) return;
    }
    MapPrototypeSet(results, name, value);
    ObjectDefineProperty(global, name, /** @type {any} */ ({ __proto__: null, value, writable: true, enumerable: false, configurable: true }));
}

// Returns a result or an error as a prompt shows it, in lines of the terminal's width.
export function showResult(/** @type {unknown} */ value, /** @type {boolean} */ colors, /** @type {number} */ columns) {
    return inspect(value, { __proto__: null, colors, breakLength: columns });
}

// ---------------------------------------------------------------- completion

const maximumNames = 5000;

// Returns the value of a property that is data, anywhere in the prototype chain; undefined for an accessor.
function dataMember(/** @type {unknown} */ value, /** @type {string} */ name) {
    let object = objectOf(value);
    for (let depth = 0; object !== null && depth < 1000; object = next(object), depth++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(object, name);
        if (descriptor === undefined) continue;
        return isKnown(descriptor) ? MapPrototypeGet(knownGetters, descriptor.get) : descriptor.value;
    }
    return undefined;
}

// Returns the object whose members a value has; null for null, undefined and a revoked proxy.
function objectOf(/** @type {unknown} */ value) {
    if (isObject(value)) return unwrap(value);
    return /** @type {any} */ (builtins.primitivePrototypes)[typeof value] ?? null;
}

function isIdentifier(/** @type {string} */ name) {
    for (let index = 0; index < name.length; index++) {
        const unit = StringPrototypeCharCodeAt(name, index);
        const isLetter = (unit | 32) >= 97 && (unit | 32) <= 122 || unit === 36 || unit === 95 || unit > 127;
        if (!isLetter && !(index > 0 && unit >= 48 && unit <= 57)) return false;
    }
    return name !== "";
}

// Returns the names of the members that begin with a prefix, separated by line ends. The path leads from the global object.
export function memberNames(/** @type {string[]} */ path, /** @type {string} */ prefix) {
    /** @type {any} */
    let value = global;
    for (let index = 0; index < path.length; index++) {
        if (index === 0 && path[0] === "this") continue;
        value = dataMember(value, path[index]);
    }
    const found = new Map();
    let text = "", count = 0;
    let object = objectOf(value);
    for (let depth = 0; object !== null && depth < 1000; object = next(object), depth++) {
        const keys = ReflectOwnKeys(object);
        for (let index = 0; index < keys.length && count < maximumNames; index++) {
            const key = keys[index];
            if (typeof key !== "string" || !StringPrototypeStartsWith(key, prefix)) continue;
            if (!isIdentifier(key) || MapPrototypeHas(found, key)) continue;
            MapPrototypeSet(found, key, true);
            text += (count++ === 0 ? "" : "\n") + key;
        }
    }
    return text;
}

// ---------------------------------------------------------------- types

const maximumMembers = 12;
const maximumElements = 50;

// Returns the type of a value in the notation of TypeScript, as far as its data shows it.
export function typeText(/** @type {unknown} */ value, /** @type {number} */ depth = 0) {
    if (value === null) return "null";
    if (!isObject(value)) return typeof value;
    const object = unwrap(value);
    if (object === null) return "object";
    if (typeof object === "function") return functionType(object);
    const kind = kindOf(object, next(object));
    const name = constructorName({ __proto__: null, depth: 2 }, object, 0);
    if (kind === "Array" && name === "Array") return arrayType(object, depth);
    if (kind !== "Object" || name !== null && name !== "Object") return name ?? kind;
    return objectType(object, depth);
}

function functionType(/** @type {any} */ value) {
    let source = "";
    try { source = FunctionPrototypeToString(value); } catch { /* a native object that can be called */ }
    if (!isClassFunction(source)) return "Function";
    const name = ObjectGetOwnPropertyDescriptor(value, "name")?.value;
    return typeof name === "string" && name !== "" ? "typeof " + name : "Function";
}

function arrayType(/** @type {any} */ value, /** @type {number} */ depth) {
    if (depth > 2) return "unknown[]";
    const types = new Map();
    let text = "", count = 0;
    const { length } = value;
    for (let index = 0; index < length && index < maximumElements; index++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(value, index);
        const type = descriptor === undefined || "value" in descriptor ? typeText(descriptor?.value, depth + 1) : "unknown";
        if (MapPrototypeHas(types, type)) continue;
        MapPrototypeSet(types, type, true);
        text += (count++ === 0 ? "" : " | ") + type;
    }
    if (count === 0) return "unknown[]";
    return count === 1 ? text + "[]" : "(" + text + ")[]";
}

function objectType(/** @type {any} */ value, /** @type {number} */ depth) {
    if (depth > 2) return "object";
    const keys = ReflectOwnKeys(value);
    let text = "", count = 0;
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        const descriptor = ObjectGetOwnPropertyDescriptor(value, key);
        if (typeof key !== "string" || !descriptor?.enumerable) continue;
        if (count === maximumMembers) { text += "; ..."; break; }
        const type = "value" in descriptor ? typeText(descriptor.value, depth + 1) : "unknown";
        text += (count++ === 0 ? "" : "; ") + (isIdentifier(key) ? key : "'" + key + "'") + ": " + type;
    }
    return count === 0 ? "{}" : "{ " + text + " }";
}
