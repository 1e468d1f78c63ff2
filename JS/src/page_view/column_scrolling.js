// Columns that need more room together than the page has: the scroller then moves them sideways, in the rows and in the
// header. The rows themselves stay, as they do in the other direction.
export class ColumnScrolling {
    #app;
    #scroller;
    // The room that the columns need, in px.
    #width = 0;
    #left = 0;

    constructor(/** @type {HTMLElement} */ app, /** @type {HTMLElement} */ scroller) {
        this.#app = app;
        this.#scroller = scroller;
        scroller.addEventListener("scroll", () => { this.#scrolled(); }, { passive: true });
    }

    setWidth(/** @type {number} */ width) {
        this.#width = width;
        this.resized();
    }

    resized() {
        this.#scroller.classList.toggle("is-broad", this.#width > this.#scroller.clientWidth);
        this.#app.style.setProperty("--table-width", this.#width + "px");
        this.#scrolled();
    }

    #scrolled() {
        const { classList, scrollLeft } = this.#scroller;
        const left = classList.contains("is-broad") && !classList.contains("is-horizontal") ? scrollLeft : 0;
        if (left === this.#left) return;
        this.#left = left;
        if (left === 0) this.#app.style.removeProperty("--shift");
        else this.#app.style.setProperty("--shift", -left + "px");
    }

    // Scrolls as little as shows a title.
    reveal(/** @type {Element} */ title) {
        const box = this.#scroller.getBoundingClientRect(), { left, right } = title.getBoundingClientRect();
        if (left < box.left) this.#scroller.scrollLeft -= box.left - left;
        else if (right > box.left + this.#scroller.clientWidth) this.#scroller.scrollLeft += right - box.left - this.#scroller.clientWidth;
        this.#scrolled();
    }
}
