// The global scope of the engine's and the bridge's bundles in a browser: the names of the language. What the bundles
// publish (timers, events, `bridge`) stays in it, so that nothing of the browser is replaced.
const names = [
    "Array", "ArrayBuffer", "BigInt", "Boolean", "DataView", "Date", "Error", "FinalizationRegistry", "Function", "Map",
    "Number", "Object", "Promise", "Proxy", "RangeError", "RegExp", "Set", "String", "Symbol", "TypeError", "Uint8Array",
    "WeakMap", "WeakRef", "decodeURIComponent", "encodeURIComponent",
];

export function makeScope() {
    /** @type {any} */
    const scope = { __proto__: null };
    for (const name of names) scope[name] = /** @type {any} */ (globalThis)[name];
    return scope;
}
