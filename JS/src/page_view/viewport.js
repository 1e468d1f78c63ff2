// The scroller: the offset that the user and the native side move, the spacer that gives the thumb its length, and the
// layer that does not move in it.
import { offsetAfter } from "./anchoring.js";
import { ScrollMap } from "./scroll_map.js";

export class Viewport {
    map = new ScrollMap();
    isVertical = true;
    isRightToLeft = false;
    // True while the user is scrolling. The thumb then stays where the user has it, because setting it would end a
    // fling.
    isScrolling = false;
    // The size of the scroller, read when it changes: reading it in a frame would lay the frame out twice.
    width = 0;
    height = 0;
    #scroller;
    #spacer;

    constructor(/** @type {HTMLElement} */ scroller, /** @type {HTMLElement} */ spacer) {
        this.#scroller = scroller;
        this.#spacer = spacer;
        this.#readSize();
    }

    #readSize() {
        this.width = this.#scroller.clientWidth;
        this.height = this.#scroller.clientHeight;
    }

    get offset() { return this.map.offset; }
    get length() { return this.isVertical ? this.height : this.width; }
    get box() { return this.#scroller.getBoundingClientRect(); }

    get #position() {
        return this.isVertical ? this.#scroller.scrollTop : Math.abs(this.#scroller.scrollLeft);
    }
    set #position(position) {
        if (this.isVertical) this.#scroller.scrollTop = position;
        else this.#scroller.scrollLeft = this.isRightToLeft ? -position : position;
    }

    // Takes the content of an update, and the offset that results (PG15).
    take(/** @type {PageContent} */ content, /** @type {boolean} */ isFirst) {
        this.#turn(content.direction === "vertical");
        const offset = offsetAfter(this.map.offset, content, isFirst);
        this.map.setSizes(content.length, this.length, content.inset ?? [0, 0]);
        this.map.moveTo(offset);
        this.#setSpacer(this.map.spacer + "px");
        if (!this.isScrolling) this.settle();
    }

    #setSpacer(/** @type {string} */ length) {
        const { style } = this.#spacer;
        const key = this.isVertical ? "height" : "width";
        if (style[key] === length) return;
        style[key] = length;
        // The browser may have moved the thumb of shorter content, not the user.
        this.map.placed(this.#position);
    }

    #turn(/** @type {boolean} */ isVertical) {
        if (this.isVertical === isVertical) return;
        this.isVertical = isVertical;
        this.#scroller.classList.toggle("is-horizontal", !isVertical);
        this.#spacer.style.height = this.#spacer.style.width = "";
    }

    resize() {
        this.#readSize();
        this.map.setSizes(this.map.content, this.length);
    }

    moveTo(/** @type {number} */ offset) {
        this.map.moveTo(offset);
        this.settle();
    }

    // Sets the thumb to where the offset is.
    settle() {
        const position = this.map.positionOf(this.map.offset);
        // Positions of millions of pixels are exact to half a pixel. A browser that reports another position than it was
        // set to would be set again at the end of each scroll, which ends the user's next one.
        if (Math.abs(this.map.position - position) < 1) return;
        this.#position = position;
        this.map.placed(this.#position);
    }

    // Takes a scroll of the user; returns whether the offset moved.
    scrolled() {
        const before = this.map.offset, { position } = this.map;
        if (this.map.scrolled(this.#position)) this.settle();
        if (this.map.position !== position) this.isScrolling = true;
        return this.map.offset !== before;
    }

    // The user's scroll has ended.
    scrollEnded() {
        this.isScrolling = false;
        this.settle();
    }

    // Returns the place of a point of the window in the content.
    pointOf(/** @type {{ clientX: number, clientY: number }} */ { clientX, clientY }) {
        const box = this.box;
        const across = this.isRightToLeft ? box.right - clientX : clientX - box.left;
        const down = clientY - box.top;
        return this.isVertical ? { x: across, y: down + this.offset } : { x: across + this.offset, y: down };
    }
}
