// What console shows of objects whose state is in no property, such as a URL.
/** @type {any} */
const readers = { __proto__: null, length: 0 };

// Adds a function that returns the members of an object as `{ isMap, pairs }`, with `{ name, value }` for each; undefined
// for an object of another class.
export function addReader(/** @type {(value: unknown) => any} */ reader) {
    readers[readers.length] = reader;
    readers.length += 1;
}

export function shownMembers(/** @type {unknown} */ value) {
    for (let index = 0; index < readers.length; index++) {
        const members = readers[index](value);
        if (members !== undefined) return members;
    }
    return undefined;
}

/** @type {any} */
const substitutes = { __proto__: null, length: 0 };

// Adds a function that returns the object that console shows instead of the target of a proxy of the package; undefined for
// another one. The traps of proxies are not run: those of a script may do anything.
export function addSubstitute(/** @type {(target: unknown) => any} */ substitute) {
    substitutes[substitutes.length] = substitute;
    substitutes.length += 1;
}

export function substituteFor(/** @type {unknown} */ target) {
    for (let index = 0; index < substitutes.length; index++) {
        const object = substitutes[index](target);
        if (object !== undefined) return object;
    }
    return undefined;
}
