// Links modules: creates their scopes and finds what they import.
import { linked, linking, ready, unfinished } from "./entries.js";
import { locate } from "./errors.js";
import { loader } from "./native.js";

// Links an entry and all that it imports, those first. Throws the first error, which is the module's from now on.
export function link(/** @type {any} */ root) {
    if (root.state >= linked) return;
    /** @type {{ __proto__: null, entry: any, next: number, outer: any } | null} */
    let frame = enter(root, null);
    while (frame !== null) {
        const { entry } = frame;
        if (frame.next < entry.dependencies.length) {
            const dependency = entry.dependencies[frame.next];
            frame.next += 1;
            if (dependency.error !== undefined) failFrames(frame, dependency.error.value);
            if (dependency.state === ready) frame = enter(dependency, frame);
            continue;
        }
        try {
            entry.isAsync = loader.moduleDeclarationInstantiation(entry.module, undefined) === true;
        } catch (error) {
            entry.error = { __proto__: null, value: locate(error, entry) };
            unfinished.delete(entry);
            failFrames(frame, entry.error.value);
        }
        entry.state = linked;
        frame = frame.outer;
    }
}

/** @returns {{ __proto__: null, entry: any, next: number, outer: any }} */
function enter(/** @type {any} */ entry, /** @type {any} */ outer) {
    entry.state = linking;
    return { __proto__: null, entry, next: 0, outer };
}

// Another import may link what is not at fault.
function failFrames(/** @type {any} */ frame, /** @type {unknown} */ error) {
    for (; frame !== null; frame = frame.outer) frame.entry.state = ready;
    throw error;
}
