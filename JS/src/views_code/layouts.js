// Layouts, as the options of a view describe them: records that Swift makes into its own layouts, or an object with the
// functions of a custom layout.
import { numberOf, pathOf, shownPath } from "./paths.js";
import { callable, kindOf } from "../data_code/checks.js";
import { isObject, push } from "../engine/objects.js";
import { ArrayIsArray, ReflectApply, TypeError } from "../engine/primordials.js";

// Returns a layout for a renderer as { options } of one of Swift's layouts, or as { script }: a function of the script may
// choose by the unit and the size.
export function layoutRecord(/** @type {any} */ layout, /** @type {any} */ environment) {
    const chosen = typeof layout === "function" ? layout(environment) : layout;
    if (chosen === undefined || chosen === null) return { __proto__: null, options: { __proto__: null, type: "list" } };
    if (typeof chosen === "string") return { __proto__: null, options: { __proto__: null, type: chosen } };
    if (!isObject(chosen) || ArrayIsArray(chosen)) throw new TypeError("a layout is 'list', 'flow', an object with a type, or one with layoutAttributesForElements, not " + kindOf(chosen));
    if (typeof chosen.layoutAttributesForElements === "function") return { __proto__: null, script: new CustomLayout(chosen) };
    const { sizeForItemAt, ...options } = chosen;
    const { type = "list" } = options;
    if (sizeForItemAt === undefined) return { __proto__: null, options: { __proto__: null, ...options, type } };
    callable(sizeForItemAt, "sizeForItemAt");
    if (type !== "flow") throw new TypeError("sizeForItemAt is a member of the layout 'flow'");
    return { __proto__: null, options: { __proto__: null, ...options, type }, sizes: new ItemSizes(chosen) };
}

// The sizes of items in a flow layout, as Swift calls for them.
class ItemSizes {
    /** @type {any} */ #layout;

    constructor(/** @type {any} */ layout) { this.#layout = layout; }

    size(/** @type {number} */ section, /** @type {number} */ item) {
        const size = this.#layout.sizeForItemAt(shownPath(section, item));
        if (!isObject(size)) throw new TypeError("sizeForItemAt of a layout returns { width, height }, not " + kindOf(size));
        return [numberOf(size.width, "the width of sizeForItemAt"), numberOf(size.height, "the height of sizeForItemAt")];
    }
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
