// The names that an object of a script may have, or a string of it. `known` has a member for each name.
import { ObjectKeys, TypeError } from "../engine/primordials.js";

// Returns the names as the choices of a string: 'a', 'b' or 'c'.
export function choicesOf(/** @type {any} */ known) {
    const all = ObjectKeys(known);
    let list = "'" + all[0] + "'";
    for (let index = 1; index < all.length; index++) list += (index === all.length - 1 ? " or '" : ", '") + all[index] + "'";
    return list;
}

// Refuses own members that are not known, such as misspelled ones.
export function requireMembers(
    /** @type {any} */ object, /** @type {any} */ known, /** @type {string} */ what, /** @type {string} */ hint = "",
) {
    const names = ObjectKeys(object);
    for (let index = 0; index < names.length; index++) {
        if (names[index] in known) continue;
        const all = ObjectKeys(known);
        let list = all[0];
        for (let other = 1; other < all.length; other++) list += ", " + all[other];
        throw new TypeError(what + " has no member '" + names[index] + "': its members are " + list + hint);
    }
}
