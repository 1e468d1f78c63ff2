// The index titles (V15): a press jumps to the section, and the pointer may slide over them.
import { make } from "./nodes.js";

export class IndexStrip {
    #strip;
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
    }

    show(/** @type {[string, number][]} */ titles) {
        const key = JSON.stringify(titles);
        if (key === this.#key) return;
        this.#key = key;
        this.#strip.hidden = titles.length === 0;
        this.#strip.replaceChildren(...titles.map(([title, section]) => make("button", "", { type: "button", "data-section": String(section) }, title)));
    }
}
