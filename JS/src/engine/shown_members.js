// What the package adds to the inspection of values by console.

// Creates a list of functions of a value, and a function that returns the first result of them that is not undefined.
function makeReaders() {
    /** @type {any} */
    const readers = { __proto__: null, length: 0 };
    return {
        __proto__: null,
        add(/** @type {(value: unknown) => any} */ reader) {
            readers[readers.length] = reader;
            readers.length += 1;
        },
        read(/** @type {unknown} */ value) {
            for (let index = 0; index < readers.length; index++) {
                const result = readers[index](value);
                if (result !== undefined) return result;
            }
            return undefined;
        },
    };
}

// The members of objects whose state is in no property, such as a URL: `{ isMap, pairs }`, with `{ name, value }` for each.
export const { add: addReader, read: shownMembers } = makeReaders();

// The objects that console shows instead of the targets of the package's own proxies. The traps of proxies are not run:
// those of a script may do anything.
export const { add: addSubstitute, read: substituteFor } = makeReaders();
