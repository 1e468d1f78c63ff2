// The offset after an update. The part of it that is not the user's is added to where the user is now, so that a scroll
// made meanwhile is kept and nothing that is seen moves (PG15).
export function offsetAfter(
    /** @type {number} */ offset, /** @type {PageContent} */ content, /** @type {boolean} */ isFirst,
) {
    if (isFirst) return content.offset;
    const next = offset + content.adjustment;
    // The native side counts in parts of a pixel: where both agree, its number is the exact one.
    return Math.abs(content.offset - next) < 1 ? content.offset : next;
}

// Returns the position of an element along the scroll direction. A pinned header is at the edge, between its limits.
export function placeAlong(
    /** @type {PageElement} */ { frame, pinned }, /** @type {boolean} */ isVertical, /** @type {number} */ offset,
) {
    if (pinned === undefined) return frame[isVertical ? 1 : 0];
    return Math.min(Math.max(offset, pinned[0]), pinned[1]);
}

// Adds the limits of headers that are at the edge and have none: they stay there until the next update.
export function withPin(/** @type {PageElement} */ element, /** @type {PageContent} */ content) {
    if (element.kind !== "header" || element.pinned !== undefined || !(element.z !== undefined && element.z > 0)) return element;
    const axis = content.direction === "vertical" ? 1 : 0;
    if (Math.abs(element.frame[axis] - content.offset) >= 0.5) return element;
    return { ...element, pinned: /** @type {[number, number]} */ ([element.frame[axis], Infinity]) };
}
