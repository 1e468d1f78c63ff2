// The boxes of search and filter, and the number of matches.
export class SearchFields {
    #search;
    #filter;
    #matches;

    constructor(
        /** @type {{ search: HTMLInputElement, filter: HTMLInputElement, matches: HTMLElement }} */ nodes,
        /** @type {(input: PageInput) => void} */ add, /** @type {() => void} */ leave,
    ) {
        this.#search = nodes.search;
        this.#filter = nodes.filter;
        this.#matches = nodes.matches;
        for (const [name, field] of /** @type {[string, HTMLInputElement][]} */ ([["search", nodes.search], ["filter", nodes.filter]])) {
            field.addEventListener("input", () => { add([name, field.value]); });
            field.addEventListener("keydown", (event) => {
                if (event.key === "Escape") {
                    if (field.value !== "") {
                        field.value = "";
                        add([name, ""]);
                    } else leave();
                } else if (event.key === "Enter" && !event.isComposing) {
                    if (name === "search") add(["next", event.shiftKey ? -1 : 1]);
                    else leave();
                } else if (event.key === "ArrowDown") leave();
                else return;
                event.preventDefault();
            });
        }
    }

    focusSearch() {
        this.#search.focus();
        this.#search.select();
    }

    // A box that has the focus holds what the user types, which is newer.
    show(/** @type {PageInfo} */ { filter, search, matches, canSearch, canFilter }) {
        for (const [field, isUsed] of /** @type {[HTMLInputElement, unknown][]} */ ([[this.#search, canSearch], [this.#filter, canFilter]])) {
            const box = /** @type {HTMLElement} */ (field.closest(".field") ?? field);
            box.hidden = isUsed !== true;
        }
        for (const [field, value] of /** @type {[HTMLInputElement, string][]} */ ([[this.#filter, filter], [this.#search, search]])) {
            if (document.activeElement !== field && field.value !== value) field.value = value;
        }
        if (matches === undefined || search === "") this.#matches.textContent = "";
        else {
            const [count, isComplete] = matches;
            this.#matches.textContent = count.toLocaleString() + (isComplete ? "" : "+") + (count === 1 && isComplete ? " match" : " matches");
        }
    }
}
