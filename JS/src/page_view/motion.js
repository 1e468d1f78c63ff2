// Movements of a batch (PG16): rows run from where they were seen to their new places. They move by `translate`, which the
// compositor animates beside the transform of the place, so that a second batch begins where rows are seen.
const duration = 200, easing = "cubic-bezier(0.2, 0, 0, 1)";
// More changed rows than this cross-fade.
const mostMoves = 60;

export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Returns where the nodes of elements are seen.
export function seenPlaces(/** @type {Iterable<ShownElement>} */ elements) {
    /** @type {Map<number, { x: number, y: number }>} */
    const places = new Map();
    for (const { data, node } of elements) {
        const { x, y } = node.getBoundingClientRect();
        places.set(data.n, { x, y });
    }
    return places;
}

// Animates a batch after its changes. `before` has the places from before; elements that are not in it slide in from the
// nearer edge, new ones appear in place.
export function animateBatch(
    /** @type {Iterable<ShownElement>} */ elements, /** @type {Map<number, { x: number, y: number }>} */ before,
    /** @type {HTMLElement} */ parent, /** @type {DOMRect} */ viewport,
) {
    const moves = [];
    for (const { data, node } of elements) {
        const old = before.get(data.n);
        const now = node.getBoundingClientRect();
        // Rows beside the screen would be seen on their way when the user scrolls to them.
        if (!isOnScreen(now, now, viewport) && (old === undefined || !isOnScreen(old, now, viewport))) continue;
        if (old === undefined) moves.push({ data, node, now, x: 0, y: 0, isNew: true });
        else if (Math.abs(old.x - now.x) > 0.5 || Math.abs(old.y - now.y) > 0.5) {
            moves.push({ data, node, now, x: old.x - now.x, y: old.y - now.y, isNew: false });
        }
    }
    if (moves.length > mostMoves) {
        parent.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration, easing });
        return;
    }
    for (const { data, node, now, x, y, isNew } of moves) {
        for (const each of node.getAnimations()) if (each.id === "move") each.cancel();
        if (!isNew) animate(node, [{ translate: `${x}px ${y}px` }, { translate: "0 0" }]);
        else if (data.mark === "inserted") animate(node, [{ opacity: 0 }, { opacity: 1 }]);
        else {
            const isBelow = now.y + now.height / 2 > viewport.y + viewport.height / 2;
            const distance = isBelow ? viewport.bottom - now.y : viewport.y - now.bottom;
            animate(node, [{ translate: `0 ${distance}px` }, { translate: "0 0" }]);
        }
    }
}

// Returns whether something of a size is seen at a place.
function isOnScreen(
    /** @type {{ x: number, y: number }} */ { x, y }, /** @type {{ width: number, height: number }} */ { width, height },
    /** @type {DOMRect} */ { left, top, right, bottom },
) {
    return x < right && x + width > left && y < bottom && y + height > top;
}

function animate(/** @type {HTMLElement} */ node, /** @type {Keyframe[]} */ frames) {
    node.animate(frames, { duration, easing }).id = "move";
}

// Lets a removed node fade, then gives it back.
export function fadeOut(/** @type {HTMLElement} */ node, /** @type {() => void} */ done) {
    const fading = node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: duration * 0.6, easing });
    fading.onfinish = fading.oncancel = done;
}

// Marks a row that a change has reached, without moving it.
export function flash(/** @type {ShownElement} */ { box }) {
    box.animate([{ backgroundColor: "var(--mark)" }, { backgroundColor: "transparent" }], { duration: 400, easing: "ease-in" });
}
