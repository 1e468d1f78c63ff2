// Reordering with the pointer (PG21): a press that moves lifts the row. The native side moves the rows; the page shows the
// lifted row at the pointer, and scrolls near the edges. With touch the row is lifted by its handle, because a finger
// elsewhere scrolls.
const threshold = 5, edge = 48, fastest = 24;

/** @typedef {{ id: number, shown: ShownElement, number: number, x: number, y: number }} Pressed */
/**
 * @typedef {{
 *     grid: HTMLElement, viewport: import("./viewport.js").Viewport, preview: HTMLElement,
 *     canDrag: () => boolean, elementOf: (target: EventTarget | null) => ShownElement | undefined,
 *     add: (input: PageInput) => void, scrollBy: (distance: number) => void, lift: (number: number | null) => void,
 * }} DragContext
 */

export class RowDragging {
    #context;
    /** @type {Pressed | undefined} */
    #pressed;
    #isLifted = false;
    /** @type {PointerEvent | undefined} */
    #last;
    /** @type {(event: KeyboardEvent) => void} */
    #onKey;
    // True from a drag to the click that ends it, which is none of the row.
    hidesClick = false;

    constructor(/** @type {DragContext} */ context) {
        this.#context = context;
        const { grid } = context;
        grid.addEventListener("pointerdown", (event) => { this.#press(event); });
        grid.addEventListener("pointermove", (event) => { this.#move(event); });
        grid.addEventListener("pointerup", () => { this.#end("end"); });
        grid.addEventListener("pointercancel", () => { this.#end("cancel"); });
        this.#onKey = (event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            this.#end("cancel");
        };
    }

    #press(/** @type {PointerEvent} */ event) {
        this.hidesClick = false;
        const { canDrag, elementOf } = this.#context;
        if (event.button !== 0 || !event.isPrimary || !canDrag()) return;
        const shown = elementOf(event.target);
        // A draggable row leaves the view by a drag of the browser.
        if (shown === undefined || shown.data.kind !== "cell" || shown.node.draggable) return;
        const isOnHandle = event.target instanceof Element && event.target.closest(".reorder") !== null;
        if (event.pointerType === "touch" && !isOnHandle) return;
        this.#pressed = { id: event.pointerId, shown, number: shown.data.n, x: event.clientX, y: event.clientY };
    }

    #move(/** @type {PointerEvent} */ event) {
        const pressed = this.#pressed;
        if (pressed === undefined || event.pointerId !== pressed.id) return;
        if (!this.#isLifted) {
            if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < threshold) return;
            this.#lift(pressed, event);
        }
        this.#last = event;
        this.#follow();
        this.#send("move");
    }

    #lift(/** @type {Pressed} */ { shown, id }, /** @type {PointerEvent} */ event) {
        const { grid, preview, lift } = this.#context;
        this.#isLifted = true;
        this.#last = event;
        grid.setPointerCapture(id);
        const copy = /** @type {HTMLElement} */ (shown.node.cloneNode(true));
        copy.removeAttribute("id");
        copy.style.transform = "";
        preview.replaceChildren(copy);
        preview.hidden = false;
        grid.classList.add("is-dragging");
        lift(shown.data.n);
        document.addEventListener("keydown", this.#onKey, true);
        this.#send("begin");
        requestAnimationFrame(this.#scrollAtEdges);
    }

    #follow() {
        const pressed = this.#pressed, last = this.#last;
        if (pressed === undefined || last === undefined) return;
        const { preview, viewport } = this.#context;
        const box = viewport.box;
        const size = pressed.shown.data.frame;
        const x = viewport.isVertical ? box.left : last.clientX - size[2] / 2;
        const y = viewport.isVertical ? last.clientY - size[3] / 2 : box.top;
        preview.style.transform = `translate(${x}px, ${y}px)`;
    }

    #send(/** @type {string} */ phase) {
        if (this.#pressed === undefined || this.#last === undefined) return;
        const { x, y } = this.#context.viewport.pointOf(this.#last);
        this.#context.add(["drag", phase, this.#pressed.number, x, y]);
    }

    // Scrolls while the pointer is near an edge: faster the nearer it is.
    #scrollAtEdges = () => {
        if (!this.#isLifted || this.#last === undefined) return;
        const { viewport, scrollBy } = this.#context;
        const box = viewport.box;
        const [start, end, at] = viewport.isVertical
            ? [box.top, box.bottom, this.#last.clientY] : [box.left, box.right, this.#last.clientX];
        const before = Math.max(0, start + edge - at), after = Math.max(0, at - (end - edge));
        const speed = Math.min(1, Math.max(before, after) / edge) * fastest;
        if (speed > 0) {
            const sign = (before > 0 ? -1 : 1) * (!viewport.isVertical && viewport.isRightToLeft ? -1 : 1);
            scrollBy(sign * speed);
            this.#send("move");
        }
        requestAnimationFrame(this.#scrollAtEdges);
    };

    #end(/** @type {"end" | "cancel"} */ phase) {
        const pressed = this.#pressed;
        if (pressed === undefined) return;
        if (this.#isLifted) {
            this.#send(phase);
            const { grid, preview, lift } = this.#context;
            if (grid.hasPointerCapture(pressed.id)) grid.releasePointerCapture(pressed.id);
            grid.classList.remove("is-dragging");
            lift(null);
            preview.hidden = true;
            preview.replaceChildren();
            document.removeEventListener("keydown", this.#onKey, true);
            this.hidesClick = true;
        }
        this.#pressed = this.#last = undefined;
        this.#isLifted = false;
    }

    // The connection is gone, and with it the drag.
    stop() { this.#end("cancel"); }
}
