// The registrations of the module that is being evaluated: handlers, listeners, data sources, timers. A reload of modules
// ends those of the old version, or undoes those of a new one that fails.
import { push } from "./objects.js";

// The version of a module that is being evaluated; only while the context's modules can be reloaded.
/** @type {any} */
let owner;
let lastNumber = 0;

// Sets the owner of the registrations that follow, and returns the previous one.
export function enterOwner(/** @type {any} */ next) {
    const outer = owner;
    owner = next;
    return outer;
}

// Returns whether a module is being evaluated whose registrations are noted.
export const hasOwner = () => owner !== undefined;

// Notes a registration. `end` removes it, unless another has replaced it; `undo` also restores the one that it has replaced.
export function noteRegistration(/** @type {() => void} */ end, /** @type {() => void} */ undo) {
    if (owner === undefined) return;
    owner.registrations ??= [];
    lastNumber += 1;
    push(owner.registrations, { __proto__: null, number: lastNumber, end, undo });
}

// Registers a value under a name in a table, and notes it. Calls `changed` after the registration was ended or undone.
export function replaceNoted(
    /** @type {any} */ table, /** @type {unknown} */ name, /** @type {any} */ value, /** @type {() => void} */ changed,
) {
    const previous = table.get(name);
    table.set(name, value);
    if (owner === undefined) return;
    const remove = () => {
        if (table.get(name) !== value) return;
        table.delete(name);
        changed();
    };
    noteRegistration(remove, () => {
        if (previous === undefined) {
            remove();
        } else if (table.get(name) === value) {
            table.set(name, previous);
            changed();
        }
    });
}
