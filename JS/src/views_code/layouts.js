// Layouts, as the options of a view describe them: records that Swift makes into its own layouts, or an object with the
// functions of a custom layout.
import { refusePromise } from "./cells.js";
import { numberOf, pathOf, shownPath } from "./paths.js";
import { callable, kindOf } from "../data_code/checks.js";
import { isObject, push } from "../engine/objects.js";
import { ArrayIsArray, ObjectKeys, ReflectApply, ReflectDeleteProperty, TypeError } from "../engine/primordials.js";

// Returns a layout for a renderer as { options } of one of Swift's layouts, or as { script }: a function of the script may
// choose by the unit and the size.
export function layoutRecord(/** @type {any} */ layout, /** @type {any} */ environment) {
    const chosen = typeof layout === "function" ? layout(environment) : layout;
    if (chosen === undefined || chosen === null) return { __proto__: null, options: { __proto__: null, type: "list" } };
    if (typeof chosen === "string") return { __proto__: null, options: { __proto__: null, type: chosen } };
    if (!isObject(chosen) || ArrayIsArray(chosen)) throw new TypeError("a layout is 'list', 'flow', an object with a type, or one with layoutAttributesForElements, not " + kindOf(chosen));
    if (typeof chosen.layoutAttributesForElements === "function") return { __proto__: null, script: new CustomLayout(chosen) };
    const { type = "list" } = chosen;
    const options = /** @type {any} */ ({ __proto__: null, ...chosen, type });
    let hasFunctions = false;
    const names = ObjectKeys(flowFunctions);
    for (let index = 0; index < names.length; index++) {
        const name = names[index];
        ReflectDeleteProperty(options, name);
        if (chosen[name] === undefined) continue;
        callable(chosen[name], name);
        if (type !== "flow") throw new TypeError(name + " is a member of the layout 'flow'");
        hasFunctions = true;
    }
    return hasFunctions ? { __proto__: null, options, functions: new FlowFunctions(chosen) } : { __proto__: null, options };
}

// The functions of a flow layout, by their names in Swift, and the form of what each returns.
const flowFunctions = /** @type {any} */ ({
    __proto__: null, sizeForItemAt: "size", insetForSectionAt: "insets", minimumLineSpacingForSectionAt: "length",
    minimumInteritemSpacingForSectionAt: "length", referenceSizeForHeaderInSection: "size", referenceSizeForFooterInSection: "size",
});

// The sizes and distances in a flow layout that differ between items or sections, as Swift calls for them.
class FlowFunctions {
    /** @type {any} */ #layout;

    constructor(/** @type {any} */ layout) { this.#layout = layout; }

    // Returns the functions that the layout has.
    names() {
        /** @type {any} */
        const names = [];
        const all = ObjectKeys(flowFunctions);
        for (let index = 0; index < all.length; index++) if (this.#layout[all[index]] !== undefined) push(names, all[index]);
        return names;
    }

    size(/** @type {number} */ section, /** @type {number} */ item) {
        return sizeOf(refusePromise(this.#layout.sizeForItemAt(shownPath(section, item)), "sizeForItemAt"), "sizeForItemAt");
    }

    // Returns the lengths that a function gives for a section: of a size, of insets, or one.
    lengths(/** @type {string} */ name, /** @type {number} */ section) {
        const answer = refusePromise(ReflectApply(this.#layout[name], this.#layout, [section]), name);
        switch (flowFunctions[name]) {
        case "size": return sizeOf(answer, name);
        case "insets": return insetsOf(answer, name);
        default: return [numberOf(answer, name)];
        }
    }
}

function sizeOf(/** @type {any} */ size, /** @type {string} */ name) {
    if (!isObject(size)) throw new TypeError(name + " of a layout returns { width, height }, not " + kindOf(size));
    return [numberOf(size.width, "the width of " + name), numberOf(size.height, "the height of " + name)];
}

function insetsOf(/** @type {any} */ insets, /** @type {string} */ name) {
    if (typeof insets === "number") return [insets, insets, insets, insets];
    if (!isObject(insets)) throw new TypeError(name + " of a layout returns a number, or { top, left, bottom, right }, not " + kindOf(insets));
    const { top = 0, left = 0, bottom = 0, right = 0 } = insets;
    return [numberOf(top, "the top of " + name), numberOf(left, "the left of " + name), numberOf(bottom, "the bottom of " + name), numberOf(right, "the right of " + name)];
}

function rectOf(/** @type {any} */ value, /** @type {string} */ what) {
    if (!isObject(value)) throw new TypeError(what + " is { x, y, width, height }, not " + kindOf(value));
    const { x = 0, y = 0, width, height } = value;
    return [numberOf(x, what + ".x"), numberOf(y, what + ".y"), numberOf(width, what + ".width"), numberOf(height, what + ".height")];
}

// Returns attributes as [category, kind, section, item, x, y, width, height, zIndex, alpha, isHidden].
function attributesOf(/** @type {any} */ value) {
    if (!isObject(value)) throw new TypeError("layout attributes are { indexPath, frame }, not " + kindOf(value));
    const { indexPath, frame, zIndex = 0, alpha = 1, isHidden = false, kind, category = kind === undefined ? "cell" : "supplementary" } = value;
    if (category !== "cell" && category !== "supplementary" && category !== "decoration") {
        throw new TypeError("the category of layout attributes is 'cell', 'supplementary' or 'decoration'");
    }
    const path = pathOf(indexPath, "indexPath");
    const rect = rectOf(frame, "the frame of " + category + " (" + path[0] + ", " + path[1] + ")");
    return [category, kind ?? "", path[0], path[1], rect[0], rect[1], rect[2], rect[3], numberOf(zIndex, "zIndex"), numberOf(alpha, "alpha"), isHidden === true];
}

// A layout that a script implements, as Swift calls it. What the layout stores in `this` belongs to one view.
class CustomLayout {
    /** @type {any} */ #layout;

    constructor(/** @type {any} */ layout) { this.#layout = { __proto__: layout }; }

    has(/** @type {string} */ member) { return typeof this.#layout[member] === "function"; }

    get isHorizontal() { return this.#layout.scrollDirection === "horizontal"; }

    #call(/** @type {string} */ member, /** @type {any[]} */ values, /** @type {any} */ fallback) {
        const method = this.#layout[member];
        return typeof method === "function" ? ReflectApply(method, this.#layout, values) : fallback;
    }

    // Returns the size of the content.
    prepare(/** @type {any} */ view) {
        this.#call("prepare", [view], undefined);
        const property = this.#layout.collectionViewContentSize;
        const size = typeof property === "function" ? ReflectApply(property, this.#layout, [view]) : property;
        if (!isObject(size)) throw new TypeError("collectionViewContentSize of a layout is { width, height }, not " + kindOf(size));
        return [numberOf(size.width, "collectionViewContentSize.width"), numberOf(size.height, "collectionViewContentSize.height")];
    }

    elements(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) {
        const answer = this.#call("layoutAttributesForElements", [{ in: { x, y, width, height } }], []);
        if (!ArrayIsArray(answer)) throw new TypeError("layoutAttributesForElements of a layout returns an array, not " + kindOf(answer));
        /** @type {any} */
        const list = [];
        for (let index = 0; index < answer.length; index++) push(list, attributesOf(answer[index]));
        return list;
    }

    item(/** @type {number} */ section, /** @type {number} */ item) {
        const answer = this.#call("layoutAttributesForItem", [{ at: { section, item } }], undefined);
        return answer === undefined || answer === null ? undefined : attributesOf(answer);
    }

    element(/** @type {string} */ category, /** @type {string} */ kind, /** @type {number} */ section, /** @type {number} */ item) {
        const member = category === "decoration" ? "layoutAttributesForDecorationView" : "layoutAttributesForSupplementaryView";
        const answer = this.#call(member, [{ ofKind: kind, at: { section, item } }], undefined);
        return answer === undefined || answer === null ? undefined : attributesOf(answer);
    }

    // Returns whether new bounds make the layout invalid; undefined for the default.
    invalidates(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) {
        const answer = this.#call("shouldInvalidateLayout", [{ forBoundsChange: { x, y, width, height } }], undefined);
        return typeof answer === "boolean" ? answer : undefined;
    }

    target(/** @type {number} */ offset, /** @type {number} */ velocity) {
        const answer = this.#call("targetContentOffset", [{ forProposedContentOffset: offset, withScrollingVelocity: velocity }], undefined);
        return answer === undefined ? undefined : numberOf(answer, "targetContentOffset");
    }
}
