// The index titles (V15): a press jumps to the section, and the pointer may slide over them.
import { make } from "./nodes.js";
import { visibleText } from "./visible_text.js";

// The least height of a title, in px.
const leastHeight = 15;

// Returns titles at equal distances, as many as there is room for, with the first and the last one.
export function titlesThatFit(/** @type {[string, number][]} */ titles, /** @type {number} */ height) {
    const count = Math.max(2, Math.floor(height / leastHeight));
    if (titles.length <= count) return titles;
    return Array.from({ length: count }, (_, index) => titles[Math.round(index * (titles.length - 1) / (count - 1))]);
}

export class IndexStrip {
    #strip;
    /** @type {[string, number][]} */
    #titles = [];
    #key = "";

    constructor(/** @type {HTMLElement} */ strip, /** @type {(section: number) => void} */ jump) {
        this.#strip = strip;
        let /** @type {string | null} */ last = null;
        const slide = (/** @type {PointerEvent} */ event) => {
            const node = document.elementFromPoint(event.clientX, event.clientY);
            const section = node?.getAttribute("data-section") ?? null;
            if (section === null || section === last) return;
            last = section;
            jump(Number(section));
        };
        // The focus stays in the view.
        strip.addEventListener("mousedown", (event) => { event.preventDefault(); });
        strip.addEventListener("pointerdown", (event) => {
            last = null;
            strip.setPointerCapture(event.pointerId);
            slide(event);
        });
        strip.addEventListener("pointermove", (event) => { if (strip.hasPointerCapture(event.pointerId)) slide(event); });
        strip.addEventListener("click", (event) => {
            // A click of the keyboard; those of the pointer were handled.
            const section = event.target instanceof Element ? event.target.getAttribute("data-section") : null;
            if (event.detail === 0 && section !== null) jump(Number(section));
        });
        new ResizeObserver(() => { this.#fill(); }).observe(strip);
    }

    show(/** @type {[string, number][]} */ titles) {
        this.#titles = titles;
        this.#strip.hidden = titles.length === 0;
        this.#fill();
    }

    #fill() {
        if (this.#strip.hidden) return;
        const shown = titlesThatFit(this.#titles, this.#strip.clientHeight - 16);
        const key = JSON.stringify(shown);
        if (key === this.#key) return;
        this.#key = key;
        this.#strip.replaceChildren(...shown.map(([title, section]) => make("button", "", { type: "button", "data-section": String(section) }, visibleText(title))));
    }
}
