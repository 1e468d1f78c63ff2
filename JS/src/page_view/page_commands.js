// The commands of the page, by keys, pointer and buttons.
import { copyRows } from "./clipboard.js";
import { DragSource } from "./drag_source.js";
import { keyHelp, meaningOf } from "./key_input.js";
import { modifiersOf } from "./modifiers.js";
import { make } from "./nodes.js";
import { RowDragging } from "./row_dragging.js";
import { RowMenu } from "./row_menu.js";
import { Typing } from "./typing.js";

export class PageCommands {
    #view;
    #typing = new Typing();
    #menu;
    #dragging;
    #outgoing;
    // The number of the last question for a menu.
    #asked = 0;

    constructor(/** @type {import("./page_view.js").PageView} */ view) {
        this.#view = view;
        const { nodes, viewport, rows, sender } = view;
        this.#menu = new RowMenu(nodes.menu, () => { nodes.grid.focus(); });
        // Before the movements of rows, because it decides which drags leave the view.
        this.#outgoing = new DragSource(view);
        this.#dragging = new RowDragging({
            grid: nodes.scroller, viewport, preview: nodes.preview,
            canDrag: () => view.info?.canReorder === true,
            elementOf: (target) => rows.elementOf(target),
            add: (input) => { sender.add(input); },
            scrollBy: (distance) => { view.scrollBy(distance); },
            lift: (number) => { rows.lift(number); },
        });
        nodes.grid.addEventListener("keydown", (event) => { this.#key(event); });
        nodes.scroller.addEventListener("click", (event) => { this.#click(event); });
        nodes.scroller.addEventListener("contextmenu", (event) => { this.#contextMenu(event); });
        nodes.helpButton.addEventListener("click", () => { this.#help(); });
        nodes.helpKeys.replaceChildren(...keyHelp.flatMap(([keys, meaning]) => [make("dt", "", {}, keys), make("dd", "", {}, meaning)]));
        document.addEventListener("visibilitychange", () => { if (document.hidden) this.#cancelMoving(); });
        // The search is also found from outside of the view.
        document.addEventListener("keydown", (event) => {
            if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "f") return;
            // A second press gives the browser's own search.
            if (document.activeElement === nodes.search) return;
            event.preventDefault();
            view.fields.focusSearch();
        });
    }

    // Changes of the rows wait for the end of a movement, also on other pages. A hidden page has no frames to send in.
    #cancelMoving() {
        const { sender, info } = this.#view;
        this.#dragging.stop();
        // A drag between pages continues when the page of its target is brought to the front.
        if (info?.isMoving === true && !this.#outgoing.isDragging) sender.add(["key", "Escape", ""]);
        sender.flush(true);
    }

    // The connection is gone.
    stop() {
        this.#dragging.stop();
        this.#outgoing.stop();
        this.#menu.close();
    }

    // ------------------------------------------------------------ keys

    #key(/** @type {KeyboardEvent} */ event) {
        const meaning = meaningOf(event, this.#typing.text, this.#view.viewport.isRightToLeft);
        if (meaning === undefined) return;
        event.preventDefault();
        if ("input" in meaning) {
            this.#typing.clear();
            this.#view.sender.add(meaning.input);
            const { details, info } = this.#view;
            // While keys move a row, both end the movement.
            if (info?.isMoving === true) return;
            if (event.key === "Enter" && info?.hasDetails === true) details.toggle(true);
            else if (event.key === "Escape" && details.isOpen) details.toggle(false);
            return;
        }
        switch (meaning.command) {
        case "type":
            // The session joins the letters of a word; here they decide what the next key means.
            this.#typing.add(String(meaning.value));
            this.#view.sender.add(["type", String(meaning.value)]);
            break;
        case "search": this.#view.fields.focusSearch(); break;
        case "details": this.#view.details.toggle(); break;
        case "help": this.#help(); break;
        case "copy": this.#copy(); break;
        case "menu": this.#menuOfActive(); break;
        }
    }

    #help() {
        const { help } = this.#view.nodes;
        if (!help.open) help.showModal();
    }

    async #copy() {
        // The browser copies text that the user has selected in the details.
        if (String(document.getSelection()) !== "") {
            document.execCommand("copy");
            return;
        }
        try {
            this.#view.say(await copyRows(() => this.#view.call("view.copy", null)));
        } catch (error) {
            this.#view.say("The rows could not be copied. " + /** @type {Error} */ (error).message);
        }
    }

    // ------------------------------------------------------------ pointer

    #click(/** @type {MouseEvent} */ event) {
        if (this.#dragging.hidesClick) {
            this.#dragging.hidesClick = false;
            return;
        }
        const shown = this.#view.rows.elementOf(event.target);
        if (shown === undefined) return;
        const { n, kind, folded } = shown.data;
        const part = event.target instanceof Element ? event.target.closest("[data-part]")?.getAttribute("data-part") ?? "" : "";
        if (kind === "header" && folded !== undefined) {
            this.#view.sender.add(["fold", n, !folded]);
            return;
        }
        this.#view.sender.add(["click", n, modifiersOf(event), event.detail, part === "fold" ? "" : part]);
        if (event.detail === 2 && this.#view.info?.hasDetails === true) this.#view.details.toggle(true);
    }

    #contextMenu(/** @type {MouseEvent} */ event) {
        const shown = this.#view.rows.elementOf(event.target);
        if (shown === undefined || shown.data.kind !== "cell") return;
        event.preventDefault();
        this.#view.sender.add(["focus", shown.data.n]);
        this.#openMenu(shown.data.n, { x: event.clientX, y: event.clientY });
    }

    #menuOfActive() {
        const { rows } = this.#view;
        const shown = rows.active === null ? undefined : rows.shown.get(rows.active);
        if (shown === undefined) return;
        const { x, y, height } = shown.node.getBoundingClientRect();
        this.#openMenu(shown.data.n, { x: x + 24, y: y + height });
    }

    async #openMenu(/** @type {number} */ number, /** @type {{ x: number, y: number }} */ place) {
        try {
            const asked = ++this.#asked;
            /** @type {MenuItem[]} */
            const items = await this.#view.askAbout("view.menu", number);
            // The user went on, and a late menu would take the focus.
            if (asked !== this.#asked || !this.#view.nodes.grid.contains(document.activeElement)) return;
            this.#menu.open(items, place, async ({ id }) => {
                try {
                    const message = await this.#view.call("view.perform", { view: number, id });
                    if (typeof message === "string") this.#view.say(message);
                } catch (error) {
                    this.#view.say(/** @type {Error} */ (error).message);
                }
            });
        } catch (error) {
            this.#view.say(/** @type {Error} */ (error).message);
        }
    }
}
