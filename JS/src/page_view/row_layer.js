// The elements that the page shows: those of the native side's window and no others (PG10), in the order of the rows
// (PG13).
import { withPin } from "./anchoring.js";
import { fillElement, makeElement } from "./element_nodes.js";
import { ElementPlaces } from "./element_places.js";
import { ElementPool } from "./element_pool.js";
import { shapeOf } from "./element_shape.js";
import { Measuring } from "./measuring.js";
import { longestAscent } from "./longest_ascent.js";
import { animateBatch, fadeOut, flash, prefersStillness, seenPlaces } from "./motion.js";
import { idOfElement, setAttribute } from "./nodes.js";

export class RowLayer {
    /** @type {Map<number, ShownElement>} */
    shown = new Map();
    pool = new ElementPool();
    role = "grid";
    // The rows of the grid before the first one: the titles of the columns.
    rowsBefore = 0;
    // The number of all rows, -1 if it is not known.
    #count = -1;
    /** @type {number | null} */
    active = null;
    // The row that the pointer drags.
    /** @type {number | null} */
    #lifted = null;
    places;
    measuring;
    #parent;
    /** @type {number[]} */
    #lastOrder = [];
    /** @type {Set<ShownElement>} */
    #pinned = new Set();

    constructor(
        /** @type {HTMLElement} */ parent, /** @type {(number: number, length: number) => void} */ measured,
        /** @type {(number: number) => void} */ forgotten,
    ) {
        this.#parent = parent;
        this.places = new ElementPlaces(parent);
        this.measuring = new Measuring(measured, forgotten);
    }

    // ------------------------------------------------------------ updates

    // Applies what an update says about elements; `place` sets the offset between the change and the movements.
    apply(/** @type {PageUpdate} */ update, /** @type {() => DOMRect} */ viewport, /** @type {() => void} */ place) {
        const animates = update.animated === true && update.reset !== true && !prefersStillness();
        const before = animates ? seenPlaces(this.shown.values()) : new Map();
        if (update.reset === true) this.clear();
        for (const number of update.removed ?? []) this.#remove(number, animates);
        const { content } = update;
        for (const element of update.elements ?? []) this.#show(content === undefined ? element : withPin(element, content));
        if (update.active !== undefined) this.#activate(update.active);
        if (update.order !== undefined) this.#order(update.order);
        place();
        if (animates) animateBatch(this.shown.values(), before, this.#parent, viewport());
    }

    // Shows all elements by another role, or after another number of rows of the grid.
    become(/** @type {string} */ role, /** @type {number} */ rowsBefore) {
        if (role === this.role && rowsBefore === this.rowsBefore) return;
        const all = [...this.shown.values()].map(({ data }) => data);
        this.clear();
        if (role !== this.role) this.pool.clear();
        this.role = role;
        this.rowsBefore = rowsBefore;
        for (const data of all) this.#show(data);
        this.#order(this.#lastOrder);
    }

    // Options say how many there are; the rows of a grid do not.
    setCount(/** @type {number} */ count) {
        if (count === this.#count) return;
        this.#count = count;
        for (const shown of this.shown.values()) this.#countIn(shown);
    }

    #countIn(/** @type {ShownElement} */ { node }) {
        setAttribute(node, "aria-setsize", node.getAttribute("role") === "option" ? String(this.#count) : undefined);
    }

    clear() {
        for (const number of [...this.shown.keys()]) this.#release(number);
    }

    #show(/** @type {PageElement} */ element) {
        const shape = shapeOf(element, this.role);
        let shown = this.shown.get(element.n);
        if (shown !== undefined && shown.shape !== shape) {
            this.#release(element.n);
            shown = undefined;
        }
        if (shown === undefined) {
            shown = this.pool.take(shape, () => makeElement(element, this.role));
            this.shown.set(element.n, shown);
        }
        shown.isKept = false;
        fillElement(shown, element, this.rowsBefore);
        this.#countIn(shown);
        shown.node.classList.toggle("is-active", this.active === element.n);
        shown.node.classList.toggle("is-lifted", this.#lifted === element.n);
        if (!shown.node.isConnected) this.#parent.append(shown.node);
        if (element.pinned === undefined) this.#pinned.delete(shown);
        else this.#pinned.add(shown);
        shown.node.classList.toggle("is-pinned", element.pinned !== undefined);
        this.measuring.follow(shown);
        if (element.mark !== undefined) flash(shown);
    }

    #remove(/** @type {number} */ number, /** @type {boolean} */ fades) {
        const shown = this.shown.get(number);
        if (shown === undefined) return;
        // The active row stays in the document, also when it is scrolled away (PG18).
        if (number === this.active) {
            shown.isKept = true;
            return;
        }
        if (!fades) {
            this.#release(number);
            return;
        }
        this.shown.delete(number);
        this.#pinned.delete(shown);
        this.measuring.unfollow(shown);
        shown.node.id = "";
        shown.node.setAttribute("aria-hidden", "true");
        fadeOut(shown.node, () => shown.node.remove());
    }

    #release(/** @type {number} */ number) {
        const shown = this.shown.get(number);
        if (shown === undefined) return;
        this.shown.delete(number);
        this.#pinned.delete(shown);
        this.measuring.unfollow(shown);
        shown.node.remove();
        for (const each of shown.node.getAnimations()) each.cancel();
        this.pool.give(shown);
    }

    #activate(/** @type {number | null} */ number) {
        const old = this.active === null ? undefined : this.shown.get(this.active);
        this.active = number;
        if (old !== undefined && old.data.n !== number) {
            old.node.classList.remove("is-active");
            if (old.isKept) this.#release(old.data.n);
        }
        if (number !== null) this.shown.get(number)?.node.classList.add("is-active");
    }

    lift(/** @type {number | null} */ number) {
        if (this.#lifted !== null) this.shown.get(this.#lifted)?.node.classList.remove("is-lifted");
        this.#lifted = number;
        if (number !== null) this.shown.get(number)?.node.classList.add("is-lifted");
    }

    // The id of the active node, if the page has it.
    get activeId() { return this.active !== null && this.shown.has(this.active) ? idOfElement(this.active) : undefined; }

    // Puts the nodes in the order of rows. Nodes that are in order are not moved.
    #order(/** @type {number[]} */ order) {
        this.#lastOrder = order;
        /** @type {Map<ChildNode, number>} */
        const wanted = new Map();
        for (const number of order) {
            const node = this.shown.get(number)?.node;
            if (node !== undefined) wanted.set(node, wanted.size);
        }
        // As few nodes as possible are moved, because the browser computes the style and the layout of a moved one again.
        // A scroll moves the nodes of the rows that it brings, which were those of rows at the other end.
        const present = [...this.#parent.childNodes].filter((node) => wanted.has(node));
        const staying = longestAscent(present.map((node) => wanted.get(node) ?? 0));
        const stays = new Set(present.filter((_, place) => staying.has(place)));
        /** @type {ChildNode | null} */
        let next = null;
        for (const node of [...wanted.keys()].reverse()) {
            if (!stays.has(node)) this.#parent.insertBefore(node, next);
            next = node;
        }
        // An active row outside the window comes before or after it, as among all rows.
        const active = this.active === null ? undefined : this.shown.get(this.active);
        const first = this.shown.get(order[0]);
        if (active === undefined || first === undefined || wanted.has(active.node)) return;
        const { firstChild, lastChild } = this.#parent;
        if (active.data.row < first.data.row) {
            if (active.node !== firstChild) this.#parent.prepend(active.node);
        } else if (active.node !== lastChild) this.#parent.append(active.node);
    }

    // ------------------------------------------------------------ places

    // Shows the elements at an offset after they changed.
    placeAll(/** @type {number} */ offset) {
        this.places.scroll(offset);
        for (const shown of this.shown.values()) this.places.place(shown, offset);
    }

    scroll(/** @type {number} */ offset) {
        if (this.places.scroll(offset)) this.placeAll(offset);
        else for (const shown of this.#pinned) this.places.place(shown, offset);
    }

    // Returns whether elements cover a part of the content.
    covers(/** @type {number} */ from, /** @type {number} */ to) {
        const axis = this.places.isVertical ? 1 : 0;
        let lowest = Infinity, highest = -Infinity;
        for (const { data } of this.shown.values()) {
            if (data.pinned !== undefined || data.kind === "decoration") continue;
            const start = data.frame[axis], end = start + data.frame[axis + 2];
            // The active row may be anywhere else.
            if (data.n === this.active && (end <= from || start >= to)) continue;
            lowest = Math.min(lowest, start);
            highest = Math.max(highest, end);
        }
        return lowest <= from + 1 && highest >= to - 1;
    }

    // Returns the element of a node inside of it.
    elementOf(/** @type {EventTarget | null} */ target) {
        const node = target instanceof Element ? target.closest(".row") : null;
        if (node === null || !node.id.startsWith("e")) return undefined;
        return this.shown.get(Number(node.id.slice(1)));
    }
}
