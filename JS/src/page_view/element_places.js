// The places of elements: transforms relative to an origin near the viewport, because a transform of many millions of
// pixels loses its fractions. A scroll moves one node, the parent of all elements; pinned headers move beside it.
import { placeAlong } from "./anchoring.js";

// The maximum distance of the viewport from the origin.
const farthest = 400000;

export class ElementPlaces {
    isVertical = true;
    isRightToLeft = false;
    origin = 0;
    #parent;
    #shift = "";

    constructor(/** @type {HTMLElement} */ parent) { this.#parent = parent; }

    // Moves everything to an offset. Returns whether the origin moved: then each element has to be placed.
    scroll(/** @type {number} */ offset) {
        const moves = Math.abs(offset - this.origin) > farthest;
        if (moves) this.origin = Math.round(offset);
        const ratio = window.devicePixelRatio;
        const shift = this.#translation(0, Math.round((this.origin - offset) * ratio) / ratio);
        if (shift !== this.#shift) {
            this.#shift = shift;
            this.#parent.style.transform = shift;
        }
        return moves;
    }

    #translation(/** @type {number} */ across, /** @type {number} */ along) {
        const x = this.isVertical ? across : along, y = this.isVertical ? along : across;
        return `translate(${this.isRightToLeft ? -x : x}px, ${y}px)`;
    }

    place(/** @type {ShownElement} */ shown, /** @type {number} */ offset) {
        const { data, node } = shown;
        const { frame, transform } = data;
        const along = placeAlong(data, this.isVertical, offset) - this.origin;
        let place = this.#translation(frame[this.isVertical ? 0 : 1], along);
        if (transform !== undefined) place += ` matrix(${transform.join(", ")})`;
        if (shown.place !== place) {
            shown.place = place;
            node.style.transform = place;
        }
        const size = `${frame[2]}x${frame[3]}`;
        if (shown.size !== size) {
            shown.size = size;
            node.style.width = frame[2] + "px";
            node.style.height = frame[3] + "px";
        }
        const look = `${data.z ?? 0}/${data.alpha ?? 1}`;
        if (shown.look !== look) {
            shown.look = look;
            node.style.zIndex = String(data.z ?? 0);
            node.style.opacity = data.alpha === undefined ? "" : String(data.alpha);
        }
    }
}
