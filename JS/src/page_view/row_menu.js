// The menu of a row, from `view.menu`; a choice goes to `view.perform`.
import { make } from "./nodes.js";
import { visibleText } from "./visible_text.js";

export class RowMenu {
    #menu;
    #restore;
    /** @type {(() => void) | undefined} */
    #close;

    constructor(/** @type {HTMLElement} */ menu, /** @type {() => void} */ restoreFocus) {
        this.#menu = menu;
        this.#restore = restoreFocus;
        menu.addEventListener("keydown", (event) => { this.#key(event); });
        // A press elsewhere, or the focus elsewhere, closes the menu.
        document.addEventListener("pointerdown", ({ target }) => {
            if (!menu.hidden && !(target instanceof Node && menu.contains(target))) this.close();
        });
        window.addEventListener("blur", () => { this.close(); });
    }

    // Shows the items at a place; `choose` gets the chosen one.
    open(
        /** @type {MenuItem[]} */ items, /** @type {{ x: number, y: number }} */ { x, y },
        /** @type {(item: MenuItem) => void} */ choose,
    ) {
        this.close();
        if (items.length === 0) return;
        const nodes = items.map((item) => {
            const title = make("bdi", "", {}, visibleText(item.title));
            const node = make("div", item.isDestructive === true ? "item destructive" : "item", { role: "menuitem", tabindex: "-1" }, title);
            if (item.isDisabled === true) node.setAttribute("aria-disabled", "true");
            node.addEventListener("click", () => {
                if (item.isDisabled === true) return;
                this.close();
                choose(item);
            });
            return node;
        });
        this.#menu.replaceChildren(...nodes);
        this.#menu.hidden = false;
        this.#close = this.#restore;
        const { width, height } = this.#menu.getBoundingClientRect();
        const left = Math.max(8, Math.min(x, window.innerWidth - width - 8)), top = Math.max(8, Math.min(y, window.innerHeight - height - 8));
        this.#menu.style.transform = `translate(${left}px, ${top}px)`;
        nodes[0].focus();
    }

    close() {
        if (this.#menu.hidden) return;
        const hadFocus = this.#menu.contains(document.activeElement);
        this.#menu.hidden = true;
        this.#menu.replaceChildren();
        if (hadFocus) this.#close?.();
    }

    #key(/** @type {KeyboardEvent} */ event) {
        const items = /** @type {HTMLElement[]} */ ([...this.#menu.children]);
        const at = items.findIndex((item) => item === document.activeElement);
        const move = (/** @type {number} */ index) => { items[(index + items.length) % items.length].focus(); };
        switch (event.key) {
        case "ArrowDown": move(at + 1); break;
        case "ArrowUp": move(at - 1); break;
        case "Home": move(0); break;
        case "End": move(items.length - 1); break;
        case "Enter": case " ": items[at]?.click(); break;
        case "Escape": case "Tab": this.close(); break;
        default: return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}
