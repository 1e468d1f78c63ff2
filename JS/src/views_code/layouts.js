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
    const names = ObjectKeys(layoutFunctions);
    for (let index = 0; index < names.length; index++) {
        const name = names[index];
        ReflectDeleteProperty(options, name);
        if (chosen[name] === undefined) continue;
        callable(chosen[name], name);
        const owner = layoutFunctions[name] === "section" ? "compositional" : "flow";
        if (type !== owner) throw new TypeError(name + " is a member of the layout '" + owner + "'");
        hasFunctions = true;
    }
    return hasFunctions ? { __proto__: null, options, functions: new LayoutFunctions(chosen) } : { __proto__: null, options };
}

// The functions in the description of a layout, by their names in Swift, and the form of what each returns.
const layoutFunctions = /** @type {any} */ ({
    __proto__: null, sizeForItemAt: "size", insetForSectionAt: "insets", minimumLineSpacingForSectionAt: "length",
    minimumInteritemSpacingForSectionAt: "length", referenceSizeForHeaderInSection: "size", referenceSizeForFooterInSection: "size",
    sectionProvider: "section",
});

// What differs between the items or sections of a layout, as Swift calls for it.
class LayoutFunctions {
    /** @type {any} */ #layout;

    constructor(/** @type {any} */ layout) { this.#layout = layout; }

    // Returns the functions that the layout has.
    names() { return functionsOf(this.#layout, ObjectKeys(layoutFunctions)); }

    size(/** @type {number} */ section, /** @type {number} */ item) {
        return sizeOf(refusePromise(this.#layout.sizeForItemAt(shownPath(section, item)), "sizeForItemAt"), "sizeForItemAt");
    }

    // Returns the lengths that a function gives for a section: of a size, of insets, or one.
    lengths(/** @type {string} */ name, /** @type {number} */ section) {
        const answer = refusePromise(ReflectApply(this.#layout[name], this.#layout, [section]), name);
        switch (layoutFunctions[name]) {
        case "size": return sizeOf(answer, name);
        case "insets": return insetsOf(answer, name + " of a layout");
        default: return [numberOf(answer, name)];
        }
    }

    // Returns the description of a section, which Swift checks.
    section(/** @type {number} */ section, /** @type {number} */ width, /** @type {number} */ height) {
        const environment = { containerSize: { width, height } };
        const answer = refusePromise(this.#layout.sectionProvider(section, environment), "sectionProvider");
        if (!isObject(answer)) throw new TypeError("sectionProvider of a layout returns a section { group }, not " + kindOf(answer));
        return answer;
    }
}

// Returns the names of the functions that an object has.
function functionsOf(/** @type {any} */ object, /** @type {any} */ all) {
    /** @type {any} */
    const names = [];
    for (let index = 0; index < all.length; index++) if (typeof object[all[index]] === "function") push(names, all[index]);
    return names;
}

function sizeOf(/** @type {any} */ size, /** @type {string} */ name) {
    if (!isObject(size)) throw new TypeError(name + " of a layout returns { width, height }, not " + kindOf(size));
    return [numberOf(size.width, "the width of " + name), numberOf(size.height, "the height of " + name)];
}

// Returns insets as [top, left, bottom, right].
export function insetsOf(/** @type {any} */ insets, /** @type {string} */ name) {
    if (typeof insets === "number") return [insets, insets, insets, insets];
    if (!isObject(insets)) throw new TypeError(name + " is a number, or { top, left, bottom, right }, not " + kindOf(insets));
    const { top = 0, left = 0, bottom = 0, right = 0 } = insets;
    return [numberOf(top, "the top of " + name), numberOf(left, "the left of " + name), numberOf(bottom, "the bottom of " + name), numberOf(right, "the right of " + name)];
}

// Returns a rectangle as [x, y, width, height].
export function rectOf(/** @type {any} */ value, /** @type {string} */ what) {
    if (!isObject(value)) throw new TypeError(what + " is { x, y, width, height }, not " + kindOf(value));
    const { x = 0, y = 0, width, height } = value;
    return [numberOf(x, what + ".x"), numberOf(y, what + ".y"), numberOf(width, what + ".width"), numberOf(height, what + ".height")];
}

function finiteOf(/** @type {any} */ value, /** @type {string} */ what) {
    if (numberOf(value, what) - value !== 0) throw new TypeError(what + " is a finite number, not " + value);
    return value;
}

// Returns the numbers of a transformation in the order of CSS; undefined for none.
function matrixOf(/** @type {any} */ transform) {
    if (transform === undefined) return undefined;
    if (!ArrayIsArray(transform) || transform.length !== 6) throw new TypeError("the transform of layout attributes is an array of six numbers, not " + kindOf(transform));
    /** @type {any} */
    const numbers = [];
    for (let index = 0; index < 6; index++) push(numbers, finiteOf(transform[index], "a number of a transform"));
    return numbers;
}

// Returns attributes as [category, kind, section, item, x, y, width, height, zIndex, alpha, isHidden, transform].
function attributesOf(/** @type {any} */ value) {
    if (!isObject(value)) throw new TypeError("layout attributes are { indexPath, frame }, not " + kindOf(value));
    const { indexPath, frame, zIndex = 0, alpha = 1, isHidden = false, transform, kind, category = kind === undefined ? "cell" : "supplementary" } = value;
    if (category !== "cell" && category !== "supplementary" && category !== "decoration") {
        throw new TypeError("the category of layout attributes is 'cell', 'supplementary' or 'decoration'");
    }
    const path = pathOf(indexPath, "indexPath");
    const rect = rectOf(frame, "the frame of " + category + " (" + path[0] + ", " + path[1] + ")");
    return [category, kind ?? "", path[0], path[1], rect[0], rect[1], rect[2], rect[3], numberOf(zIndex, "zIndex"), finiteOf(alpha, "alpha"), isHidden === true, matrixOf(transform)];
}

// The functions of a custom layout that Swift calls only if the layout has them.
const optionalFunctions = [
    "layoutAttributesForSupplementaryView", "layoutAttributesForDecorationView", "shouldInvalidateLayout", "targetContentOffset",
    "initialLayoutAttributesForAppearingItem", "finalLayoutAttributesForDisappearingItem",
    "initialLayoutAttributesForAppearingSupplementaryElement", "finalLayoutAttributesForDisappearingSupplementaryElement",
    "initialLayoutAttributesForAppearingDecorationElement", "finalLayoutAttributesForDisappearingDecorationElement",
    "targetIndexPath", "layoutAttributesForInteractivelyMovingItem",
];

// A layout that a script implements, as Swift calls it. What the layout stores in `this` belongs to one view.
class CustomLayout {
    /** @type {any} */ #layout;

    constructor(/** @type {any} */ layout) { this.#layout = { __proto__: layout }; }

    functions() { return functionsOf(this.#layout, optionalFunctions); }

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

    // Returns the attributes that a function gives to one element.
    attributes(/** @type {string} */ member, /** @type {any} */ options) {
        const answer = refusePromise(this.#call(member, [options], undefined), member);
        return answer === undefined || answer === null ? undefined : attributesOf(answer);
    }

    // Returns the path that a moving item has at a position; undefined for the default.
    path(/** @type {any} */ options) {
        const answer = refusePromise(this.#call("targetIndexPath", [options], undefined), "targetIndexPath");
        return answer === undefined || answer === null ? undefined : pathOf(answer, "the answer of targetIndexPath");
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
