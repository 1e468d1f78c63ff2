// States of objects, which no script can reach or imitate.
import { Given } from "../engine/interfaces.js";
import { isObject } from "../engine/objects.js";
import { TypeError } from "../engine/primordials.js";

// Returns a function that gives an object its state, and one that returns the state of a value, undefined without one.
export function makeStates() {
    /** @type {any} */
    let read;
    class State extends Given {
        #state;
        static {
            read = (/** @type {any} */ value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(/** @type {object} */ object, /** @type {any} */ state) {
            super(object);
            this.#state = state;
        }
    }
    const give = (/** @type {object} */ object, /** @type {any} */ state) => { new State(object, state); };
    const need = (/** @type {unknown} */ value, /** @type {string} */ what) => {
        const state = read(value);
        if (state === undefined) throw new TypeError("this is not a " + what);
        return state;
    };
    return { __proto__: null, give, read, need };
}

// Returns the members of a dictionary as Web IDL reads them; undefined and null have none.
const empty = { __proto__: null };
export function dictionary(/** @type {any} */ value, /** @type {string} */ what) {
    if (value === undefined || value === null) return empty;
    if (!isObject(value)) throw new TypeError(what + " are an object, not a " + typeof value);
    return value;
}
