// Dragging rows out of the view: to another page, another program, the desktop (PG21). A browser takes the data of a drag
// at its beginning and not later, so that it is requested when a row is pressed.
import { makeDragName, typeOfDrag } from "./drag_types.js";
import { plainText } from "./styled_text.js";

/** @typedef {{ name: string, shown: ShownElement, data?: { text: string, tsv: string } | null, failure?: string, isDragged: boolean }} Pressed */

export class DragSource {
    #view;
    /** @type {Pressed | undefined} */
    #pressed;

    constructor(/** @type {import("./page_view.js").PageView} */ view) {
        this.#view = view;
        const { scroller } = view.nodes;
        scroller.addEventListener("pointerdown", (event) => { this.#press(event); }, true);
        scroller.addEventListener("dragstart", (event) => { this.#begin(event); });
        scroller.addEventListener("dragend", ({ dataTransfer }) => { this.#end(dataTransfer?.dropEffect ?? "none"); });
        document.addEventListener("pointerup", () => { if (this.#pressed?.isDragged === false) this.#end("none"); });
    }

    get isDragging() { return this.#pressed?.isDragged === true; }

    // Makes the pressed row draggable, if a drag would leave the view. With Alt it does where it would move the row, too.
    #press(/** @type {PointerEvent} */ event) {
        const { info, rows } = this.#view;
        if (event.button !== 0 || !event.isPrimary) return;
        // The end of the last drag was not reported: its row was removed meanwhile.
        this.#end("none");
        const shown = rows.elementOf(event.target);
        if (shown === undefined) return;
        const isOnHandle = event.target instanceof Element && event.target.closest(".reorder") !== null;
        const isOut = info?.canDrag === true && (info.dragsRows === true || event.altKey) && !isOnHandle;
        const isDraggable = isOut && shown.data.kind === "cell" && event.pointerType === "mouse";
        shown.node.draggable = isDraggable;
        if (isDraggable) this.#prepare({ name: makeDragName(), shown, isDragged: false });
    }

    async #prepare(/** @type {Pressed} */ pressed) {
        this.#pressed = pressed;
        const { sender } = this.#view;
        sender.flush(true);
        try {
            const request = { view: pressed.shown.data.n, seen: sender.batch.lastApplied, name: pressed.name };
            pressed.data = await this.#view.call("view.drag", request);
        } catch (error) {
            pressed.failure = /** @type {Error} */ (error).message;
        }
    }

    #begin(/** @type {DragEvent} */ event) {
        const pressed = this.#pressed;
        if (pressed === undefined || event.dataTransfer === null) return;
        if (pressed.failure !== undefined) {
            event.preventDefault();
            this.#view.say(pressed.failure);
            return;
        }
        pressed.isDragged = true;
        const { dataTransfer } = event;
        // Null for rows that stay in the program; before the answer, what the row shows.
        const data = pressed.data === undefined ? shownText(pressed.shown.data) : pressed.data;
        if (data !== null) {
            dataTransfer.setData("text/plain", data.text);
            dataTransfer.setData("text/tab-separated-values", data.tsv);
        }
        dataTransfer.setData(typeOfDrag(pressed.name), "{}");
        dataTransfer.effectAllowed = "copyMove";
        this.#view.rows.lift(pressed.shown.data.n);
    }

    #end(/** @type {string} */ effect) {
        const pressed = this.#pressed;
        if (pressed === undefined) return;
        this.#pressed = undefined;
        pressed.shown.node.draggable = false;
        if (pressed.isDragged) this.#view.rows.lift(null);
        this.#view.sender.add(["dragEnd", pressed.name, effect]);
        // A page behind another one has no frames in which inputs are sent.
        this.#view.sender.flush(true);
    }

    // The connection is gone, and with it what other pages know of the drag.
    stop() { this.#pressed = undefined; }
}

// Returns the texts that a row shows.
function shownText(/** @type {PageElement} */ { text, columns, secondary }) {
    const fields = columns ?? (secondary === undefined ? [text] : [text, secondary]);
    const texts = fields.map((field) => plainText(field).replace(/[\t\r\n]/g, " "));
    return { text: texts.join("  "), tsv: texts.join("\t") };
}
