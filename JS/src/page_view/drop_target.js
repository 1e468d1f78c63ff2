// Drops on the view, from another page, another program or the desktop (PG21). The native side decides what a drop would
// do; a browser wants the answer immediately and asks again all the time, so that it gets the last one.
import { isTypeOfDrag, offerOf } from "./drag_types.js";
import { DropData } from "./drop_data.js";

// The time after which a drag that rests is reported again, because the native side forgets one that is not reported.
const longestRest = 2000;

export class DropTarget {
    data = new DropData();
    #view;
    #isOver = false;
    // The last report.
    #last = { x: 0, y: 0, time: -Infinity };
    /** @type {["none" | "copy" | "move", "" | "at" | "into"] | null} */
    #proposal = null;
    /** @type {ShownElement | undefined} */
    #row;

    constructor(/** @type {import("./page_view.js").PageView} */ view) {
        this.#view = view;
        const { scroller } = view.nodes;
        scroller.addEventListener("dragenter", (event) => { this.#move(event); });
        scroller.addEventListener("dragover", (event) => { this.#move(event); });
        scroller.addEventListener("dragleave", ({ relatedTarget }) => {
            if (!(relatedTarget instanceof Node && scroller.contains(relatedTarget))) this.#leave();
        });
        scroller.addEventListener("drop", (event) => { this.#drop(event); });
        // A file that is dropped beside the view would replace the page.
        for (const name of /** @type {("dragover" | "drop")[]} */ (["dragover", "drop"])) {
            document.addEventListener(name, (event) => {
                if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
                event.preventDefault();
                event.dataTransfer.dropEffect = "none";
            });
        }
    }

    // Shows what the native side would do with a drop.
    show(/** @type {["none" | "copy" | "move", "" | "at" | "into"] | null} */ proposal) {
        this.#proposal = proposal;
        const isTaken = proposal !== null && proposal[0] !== "none";
        this.#view.nodes.scroller.classList.toggle("is-drop-target", isTaken && this.#isOver);
        this.#mark(isTaken ? this.#row : undefined, proposal?.[1] ?? "");
    }

    #mark(/** @type {ShownElement | undefined} */ row, /** @type {string} */ intent) {
        for (const node of this.#view.nodes.rows.querySelectorAll(".drop-at, .drop-into")) {
            if (node !== row?.node) node.classList.remove("drop-at", "drop-into");
        }
        row?.node.classList.toggle("drop-at", intent === "at");
        row?.node.classList.toggle("drop-into", intent === "into");
    }

    #canTake(/** @type {DataTransfer} */ { types }) {
        return this.#view.info?.canDrop === true || types.some(isTypeOfDrag);
    }

    #move(/** @type {DragEvent} */ event) {
        const { dataTransfer } = event;
        if (dataTransfer === null || !this.#canTake(dataTransfer)) return;
        const { x, y } = this.#view.viewport.pointOf(event);
        const now = performance.now(), last = this.#last;
        this.#row = this.#view.rows.elementOf(event.target);
        if (!this.#isOver || Math.abs(x - last.x) >= 1 || Math.abs(y - last.y) >= 1 || now - last.time > longestRest) {
            this.#isOver = true;
            this.#last = { x, y, time: now };
            const { types, files } = offerOf(dataTransfer);
            this.#view.sender.add(["dragOver", types, files, x, y]);
        }
        const proposal = this.#proposal;
        if (proposal === null || proposal[0] === "none") return;
        event.preventDefault();
        dataTransfer.dropEffect = proposal[0];
        this.#mark(this.#row, proposal[1]);
    }

    #leave() {
        if (!this.#isOver) return;
        this.#forget();
        this.#view.sender.add(["dragLeave"]);
        this.#view.sender.flush(true);
    }

    #forget() {
        this.#isOver = false;
        this.#last.time = -Infinity;
        this.#row = undefined;
        this.show(null);
    }

    async #drop(/** @type {DragEvent} */ event) {
        const { dataTransfer } = event;
        if (dataTransfer === null || !this.#isOver) return;
        event.preventDefault();
        const { x, y } = this.#view.viewport.pointOf(event);
        const { types } = offerOf(dataTransfer);
        const texts = types.filter((type) => !isTypeOfDrag(type)).map((type) => ({ type, text: dataTransfer.getData(type) }));
        const entries = [...dataTransfer.items].filter(({ kind }) => kind === "file");
        const hasFolder = entries.some((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
        const files = [...dataTransfer.files];
        this.#forget();
        this.#view.sender.flush(true);
        try {
            if (hasFolder) throw new Error("Folders cannot be dropped, only files.");
            const content = this.data.keep(texts, files);
            const request = { types, fileTypes: files.map(({ type }) => type), x, y, content };
            const message = await this.#view.call("view.drop", request);
            if (typeof message === "string") this.#view.say(message);
        } catch (error) {
            // Of a drop that is refused nothing will be read.
            this.#view.sender.add(["dragLeave"]);
            this.#view.say(/** @type {Error} */ (error).message);
        }
    }

    // Answers the native side on a new connection.
    serve(/** @type {PageBridge} */ bridge) {
        bridge.registerHandler("page.readFile", (/** @type {number} */ handle) => this.data.read(handle));
        bridge.registerHandler("page.releaseFile", (/** @type {number} */ handle) => { this.data.forget(handle); });
    }

    // The connection is gone, and with it the readers of files.
    stop() {
        this.#forget();
        this.data.clear();
    }
}
