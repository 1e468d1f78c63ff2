// Drags and drops of a view, as Swift calls the script's delegates. The data of an item is text, in forms of one MIME type
// each.
import { refusePromise } from "./cells.js";
import { requireMembers } from "./members.js";
import { shownPath } from "./paths.js";
import { kindOf } from "../data_code/checks.js";
import { isObject, push } from "../engine/objects.js";
import { ArrayIsArray, Error, ObjectKeys, Promise, ReflectApply, TypeError } from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

// The functions of the delegates, by their names in Swift, and whether the view uses what each returns.
const dragMembers = /** @type {any} */ ({
    __proto__: null, itemsForBeginning: true, itemsForAddingTo: true, dragSessionWillBegin: false, dragSessionDidEnd: false,
    dragSessionAllowsMoveOperation: true, dragSessionIsRestrictedToDraggingApplication: true,
});
const dropMembers = {
    __proto__: null, canHandle: true, dropSessionDidEnter: false, dropSessionDidUpdate: true, dropSessionDidExit: false,
    performDropWith: false, dropSessionDidEnd: false,
};
const operations = { __proto__: null, copy: true, move: true, forbidden: true, cancel: true };

function checked(/** @type {any} */ delegate, /** @type {any} */ members, /** @type {string} */ what, /** @type {string} */ required) {
    if (delegate === undefined) return undefined;
    if (!isObject(delegate)) throw new TypeError(what + " is an object, not " + kindOf(delegate));
    requireMembers(delegate, members, what);
    if (typeof delegate[required] !== "function") throw new TypeError(what + " has the function " + required);
    return delegate;
}

function addFunctionsOf(/** @type {any} */ delegate, /** @type {any} */ members, /** @type {any} */ names) {
    const all = delegate === undefined ? [] : ObjectKeys(members);
    for (let index = 0; index < all.length; index++) {
        if (typeof delegate[all[index]] === "function") push(names, all[index]);
    }
}

export class ViewDrags {
    #drag;
    #drop;

    constructor(/** @type {any} */ drag, /** @type {any} */ drop) {
        this.#drag = checked(drag, dragMembers, "a dragDelegate", "itemsForBeginning");
        this.#drop = checked(drop, dropMembers, "a dropDelegate", "performDropWith");
    }

    // Adds the functions that the delegates have.
    addFunctions(/** @type {any} */ names) {
        addFunctionsOf(this.#drag, dragMembers, names);
        addFunctionsOf(this.#drop, dropMembers, names);
    }

    // Returns the items that an item gives to a drag, each as [type, text, type, text, ...]. The name is that of the
    // function: itemsForBeginning or itemsForAddingTo.
    items(/** @type {string} */ name, /** @type {number} */ section, /** @type {number} */ item, /** @type {any} */ view) {
        const answer = refusePromise(ReflectApply(this.#drag[name], this.#drag, [shownPath(section, item), view]), name);
        if (answer === undefined || answer === null) return [];
        if (!ArrayIsArray(answer)) throw new TypeError(name + " returns an array of items, not " + kindOf(answer));
        /** @type {any} */
        const items = [];
        for (let index = 0; index < answer.length; index++) push(items, formsOf(answer[index]));
        return items;
    }

    // Calls another function of the drag delegate.
    askDrag(/** @type {string} */ name, /** @type {any} */ value, /** @type {any} */ view) {
        const answer = ReflectApply(this.#drag[name], this.#drag, value === undefined ? [view] : [value, view]);
        return dragMembers[name] ? refusePromise(answer, name) === true : undefined;
    }

    // Calls a function of the drop delegate that returns nothing.
    reportDrop(/** @type {string} */ name, /** @type {any} */ types, /** @type {any} */ view) {
        ReflectApply(this.#drop[name], this.#drop, [{ types }, view]);
    }

    canHandle(/** @type {any} */ types, /** @type {any} */ view) { return this.#drop.canHandle({ types }, view) !== false; }

    proposal(/** @type {any} */ types, /** @type {any} */ path, /** @type {any} */ view) {
        const answer = this.#drop.dropSessionDidUpdate({ types, destinationIndexPath: path }, view);
        if (typeof answer !== "string" || !(answer in operations)) {
            throw new TypeError("dropSessionDidUpdate returns 'copy', 'move', 'forbidden' or 'cancel', not " + kindOf(answer));
        }
        return answer;
    }

    // Passes a drop on: the types and the path of each item, and a function of the host that loads one form of an item.
    perform(/** @type {any} */ drop, /** @type {any} */ load, /** @type {any} */ view) {
        /** @type {any} */
        const items = [];
        for (let index = 0; index < drop.items.length; index++) {
            const { types, path } = drop.items[index];
            push(items, {
                types, sourceIndexPath: path,
                text: (/** @type {any} */ type = "text/plain") => new Promise((resolve, reject) => {
                    load(index, "" + type, { resolve, reject: (/** @type {string} */ message) => { reject(new Error(message)); } });
                }),
            });
        }
        const { operation, destination } = drop;
        const coordinator = { items, operation, destinationIndexPath: destination };
        try {
            ReflectApply(this.#drop.performDropWith, this.#drop, [coordinator, view]);
        } catch (error) {
            reportError(error);
        }
    }
}

function formsOf(/** @type {any} */ item) {
    if (typeof item === "string") return ["text/plain", item];
    if (!isObject(item)) throw new TypeError("an item of a drag is a string, or an object of texts by MIME type, not " + kindOf(item));
    /** @type {any} */
    const forms = [];
    const types = ObjectKeys(item);
    for (let index = 0; index < types.length; index++) {
        const text = item[types[index]];
        if (typeof text !== "string") throw new TypeError("the form '" + types[index] + "' of a dragged item is a string, not " + kindOf(text));
        push(forms, types[index]);
        push(forms, text);
    }
    return forms;
}
