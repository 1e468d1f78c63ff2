// The header of the columns, outside of the scroller: a click sorts, one with Shift groups.
import { ColumnScrolling } from "./column_scrolling.js";
import { gridTemplate, leastRoom, measureColumns } from "./column_widths.js";
import { make, setAttribute } from "./nodes.js";
import { isSameText, showText } from "./styled_text.js";

// Returns the title to which a key leads from another; undefined for a key that leads to none.
export function columnAfter(
    /** @type {string} */ key, /** @type {number} */ column, /** @type {number} */ count, /** @type {boolean} */ isRightToLeft,
) {
    const last = count - 1;
    switch (key) {
    case "Home": return 0;
    case "End": return last;
    case "ArrowLeft": return isRightToLeft ? Math.min(last, column + 1) : Math.max(0, column - 1);
    case "ArrowRight": return isRightToLeft ? Math.max(0, column - 1) : Math.min(last, column + 1);
    default: return undefined;
    }
}

export class ColumnHeader {
    #row;
    #app;
    #scrolling;
    #choose;
    /** @type {StyledText[]} */
    #titles = [];
    #needsWidths = true;
    #isEmpty = true;
    #isVertical = true;

    constructor(
        /** @type {{ columns: HTMLElement, app: HTMLElement, scroller: HTMLElement }} */ { columns: row, app, scroller },
        /** @type {(kind: "sort" | "group", column: number) => void} */ choose, /** @type {() => void} */ leave,
    ) {
        this.#scrolling = new ColumnScrolling(app, scroller);
        row.addEventListener("keydown", (event) => { this.#key(event, leave); });
        row.addEventListener("focusin", ({ target }) => {
            // The browser would move the titles alone.
            row.scrollLeft = 0;
            if (target instanceof Element) this.#scrolling.reveal(target);
        });
        this.#row = row;
        this.#app = app;
        this.#choose = choose;
        row.addEventListener("click", ({ target, shiftKey }) => {
            const cell = target instanceof Element ? target.closest("[aria-colindex]") : null;
            if (cell !== null) this.#choose(shiftKey ? "group" : "sort", Number(cell.getAttribute("aria-colindex")) - 1);
        });
    }

    show(/** @type {PageInfo} */ { header, sort }) {
        const titles = header ?? [];
        this.#isEmpty = titles.length === 0;
        this.#row.hidden = this.#isEmpty || !this.#isVertical;
        const isSame = titles.length === this.#titles.length && titles.every((title, index) => isSameText(title, this.#titles[index]));
        if (!isSame) {
            this.#titles = titles;
            this.#needsWidths = true;
            if (this.#isEmpty) this.#scrolling.setWidth(0);
            this.#row.replaceChildren(...titles.map((title, index) => {
                const text = make("bdi", "text");
                showText(text, title);
                return make("div", "column", { role: "columnheader", "aria-colindex": String(index + 1), tabindex: index === 0 ? "0" : "-1" }, text, make("span", "arrow", { "aria-hidden": "true" }));
            }));
        }
        for (const [index, cell] of [...this.#row.children].entries()) {
            setAttribute(cell, "aria-sort", sort !== undefined && sort[0] === index ? sort[1] : undefined);
        }
    }

    // Tab leads to one title, and the arrows from it to the others.
    #key(/** @type {KeyboardEvent} */ event, /** @type {() => void} */ leave) {
        const cells = /** @type {HTMLElement[]} */ ([...this.#row.children]);
        const at = cells.findIndex((cell) => cell === document.activeElement);
        if (at < 0) return;
        // A title's keys are not those of the rows.
        event.stopPropagation();
        const isRightToLeft = getComputedStyle(this.#row).direction === "rtl";
        const next = columnAfter(event.key, at, cells.length, isRightToLeft);
        if (next !== undefined) {
            cells[at].tabIndex = -1;
            cells[next].tabIndex = 0;
            cells[next].focus({ preventScroll: true });
        } else if (event.key === "Enter" || event.key === " ") this.#choose(event.shiftKey ? "group" : "sort", at);
        else if (event.key === "ArrowDown" || event.key === "Escape") leave();
        else return;
        event.preventDefault();
    }

    // Rows beside each other are not in columns.
    turn(/** @type {boolean} */ isVertical) {
        if (this.#isVertical === isVertical) return;
        this.#isVertical = isVertical;
        this.#row.hidden = this.#isEmpty || !isVertical;
    }

    // Sets the widths by the rows of the first window that has rows of columns.
    measure(/** @type {Iterable<ShownElement>} */ shown) {
        if (!this.#needsWidths) return;
        const rows = [];
        for (const { data } of shown) if (data.kind === "cell" && data.columns !== undefined) rows.push(data.columns);
        if (rows.length === 0) return;
        this.#needsWidths = false;
        const columns = measureColumns(this.#titles, rows);
        const { style, classList } = this.#app;
        style.setProperty("--columns", gridTemplate(columns));
        this.#scrolling.setWidth(this.#isEmpty ? 0 : leastRoom(columns));
        // Classes of an outer node: rows that come later need nothing of their own.
        for (const name of [...classList]) if (name.startsWith("numeric-")) classList.remove(name);
        for (const [index, { isNumeric }] of columns.entries()) if (isNumeric) classList.add("numeric-" + (index + 1));
    }

    resized() { this.#scrolling.resized(); }

    forgetWidths() { this.#needsWidths = true; }
}
