// The details of the focused row, beside the view: they follow the focus while the panel is open.
import { copyOriginals } from "./clipboard.js";
import { make } from "./nodes.js";
import { plainText, showText } from "./styled_text.js";

/** @returns {StyledText[] | undefined} */
function failureLines(/** @type {any} */ error) {
    return error.code === "invalidArgument" ? [[[error.message, "failure"]]] : undefined;
}

export class DetailsPanel {
    #panel;
    #body;
    #button;
    /** @type {number | null} */
    #number = null;
    #asked = 0;
    // The lines that are shown, as JSON.
    #shown = "";
    /** @type {(number: number) => Promise<StyledText[]>} */
    #ask;

    constructor(
        /** @type {{ panel: HTMLElement, body: HTMLElement, button: HTMLElement }} */ { panel, body, button },
        /** @type {(number: number) => Promise<StyledText[]>} */ ask,
    ) {
        this.#panel = panel;
        this.#body = body;
        this.#button = button;
        this.#ask = ask;
        button.addEventListener("click", () => { this.toggle(); });
        copyOriginals(body);
    }

    get isOpen() { return !this.#panel.hidden; }

    toggle(isOpen = !this.isOpen) {
        this.#panel.hidden = !isOpen;
        this.#button.setAttribute("aria-expanded", String(isOpen));
        if (isOpen) this.#load();
    }

    // Follows the focused row, also when it may have changed.
    show(/** @type {number | null} */ number) {
        this.#number = number;
        if (this.isOpen) this.#load();
    }

    async #load() {
        const asked = ++this.#asked;
        const lines = this.#number === null ? [] : await this.#ask(this.#number).catch(failureLines);
        // Only the newest answer counts, and the loss of a connection leaves what is shown.
        if (asked !== this.#asked || lines === undefined) return;
        // What did not change is not touched, because the user may have selected a part of it.
        const shown = JSON.stringify(lines);
        if (shown === this.#shown) return;
        this.#shown = shown;
        if (lines.length === 0) {
            this.#body.replaceChildren(make("p", "faint", {}, "No row has the focus."));
            return;
        }
        this.#body.replaceChildren(...lines.map((line) => {
            const node = make("p", plainText(line) === "" ? "space" : "line");
            const text = make("bdi", "");
            showText(text, line, true);
            node.append(text);
            return node;
        }));
    }
}
